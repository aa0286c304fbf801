import { fold } from './fold.ts'

const MAX_LENGTH = 150

/**
 * The slug of a title, or of a slug that the caller sent: folded, words of a-z and 0-9 joined by single hyphens, at
 * most 150 characters, cut between words if possible (E16). Empty if no such character is left.
 */
export function slugify(text: string): string {
  const words = fold(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (words.length <= MAX_LENGTH) return words
  const end = words.lastIndexOf('-', MAX_LENGTH)
  return words.slice(0, end > 0 ? end : MAX_LENGTH)
}
