import { fold } from './fold.ts'

const MAX_LENGTH = 150

/**
 * The slug of a title or of a slug the caller sent: folded, words of a-z and 0-9 joined by single hyphens, at
 * most 150 characters and cut between words where there is one (E16). Empty when no such character is left.
 */
export function slugify(text: string): string {
  const words = fold(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (words.length <= MAX_LENGTH) return words
  const end = words.lastIndexOf('-', MAX_LENGTH)
  return words.slice(0, end > 0 ? end : MAX_LENGTH)
}

/** The n-th choice for a slug, counted from 1: the base itself, then `base-2`, `base-3` … (E16). */
export function slugCandidate(base: string, n: number): string {
  return n === 1 ? base : `${base}-${n}`
}

/**
 * The first choice that is not taken (E16). An empty base stays empty: there is nothing to make unique.
 * Two writers may get the same answer; the unique index settles it.
 */
export function nextFreeSlug(base: string, taken: ReadonlySet<string> | readonly string[]): string {
  if (base === '') return ''
  const used = new Set(taken)
  let n = 1
  while (used.has(slugCandidate(base, n))) n += 1
  return slugCandidate(base, n)
}
