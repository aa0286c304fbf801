/** How the matches of a search are counted (G-65). */
export type TotalMode = 'exact' | 'capped' | 'none'

/** The highest value of a capped total. */
export const TOTAL_CAP = 10_000

/**
 * Up to this many matches are always sorted. If there are more, a list may instead walk the index of its order and skip
 * rows that do not match.
 */
export const FEW_MATCHES = 5_000

/**
 * The number of matches after which counting stops; undefined counts all of them. Without a total, it only matters
 * whether there are few matches or many.
 */
export function countLimit(mode: TotalMode): number | undefined {
  return { exact: undefined, capped: TOTAL_CAP + 1, none: FEW_MATCHES + 1 }[mode]
}

/** The number of matches found. `isCut`: there may be more. */
export type Matches = { n: number; isCut: boolean }

/** The fields for a list's total in `meta`, depending on its {@link TotalMode}. */
export type TotalMeta = { total?: number; totalPages?: number; totalPrecision?: 'exact' | 'at_least' }

/** What a list says about its total: one that was cut is at most `cap` (G-65). */
export function totalMeta(
  mode: TotalMode,
  { n, isCut }: Matches,
  limit: number,
  cap: number = TOTAL_CAP,
): TotalMeta {
  if (mode === 'none') return {}
  const total = isCut ? Math.min(n, cap) : n
  const meta = { total, totalPages: Math.ceil(total / limit) }
  return mode === 'exact' ? meta : { ...meta, totalPrecision: isCut ? 'at_least' : 'exact' }
}
