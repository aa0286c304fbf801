/** How the matches of a search are counted (G-65). */
export type TotalMode = 'exact' | 'capped' | 'none'

/** Where a capped total ends. */
export const TOTAL_CAP = 10_000

/**
 * Up to this number, the matches are always sorted; above it, a list may walk the index of its order and skip the rows
 * that do not match.
 */
export const FEW_MATCHES = 5_000

/**
 * The most matches that are looked for; undefined: all of them. Without a total, it only matters whether there are few
 * or many.
 */
export function matchesLookedFor(mode: TotalMode): number | undefined {
  return { exact: undefined, capped: TOTAL_CAP + 1, none: FEW_MATCHES + 1 }[mode]
}

/** The matches found; `isCut`: there may be more. */
export type Matches = { n: number; isCut: boolean }

/** A list's total in `meta`, by its {@link TotalMode}. */
export type TotalMeta = { total?: number; totalPages?: number; totalPrecision?: 'exact' | 'at_least' }

export function totalMeta(mode: TotalMode, { n, isCut }: Matches, limit: number): TotalMeta {
  if (mode === 'none') return {}
  const total = isCut ? Math.min(n, TOTAL_CAP) : n
  const meta = { total, totalPages: Math.ceil(total / limit) }
  return mode === 'exact' ? meta : { ...meta, totalPrecision: isCut ? 'at_least' : 'exact' }
}
