import { likeContains } from './fold.ts'

/** A LIKE pattern; `isIndexable`: the trigram index can narrow it, as it has three letters or digits in a row. */
export type SearchPattern = { like: string; isIndexable: boolean }

/** The pattern of the texts that contain a folded word. */
export function searchPattern(word: string): SearchPattern {
  return { like: likeContains(word), isIndexable: /[\p{L}\p{N}]{3}/u.test(word) }
}
