import { fold } from '../../texts/fold.ts'

const MAX_LENGTH = 150

/** The slug that the service makes of a text (server/src/lib/text/slug.ts), before it is made unique in the shop. */
export function slugify(text: string): string {
  const words = fold(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (words.length <= MAX_LENGTH) return words
  const end = words.lastIndexOf('-', MAX_LENGTH)
  return words.slice(0, end > 0 ? end : MAX_LENGTH)
}
