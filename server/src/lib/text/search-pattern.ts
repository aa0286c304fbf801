import { likeContains } from './fold.ts'

/** A LIKE pattern. `isIndexable`: it has three letters or digits in a row, so the trigram index can narrow the search. */
export type SearchPattern = { like: string; isIndexable: boolean }

/** The pattern that matches texts containing a folded word. */
export function searchPattern(word: string): SearchPattern {
  return { like: likeContains(word), isIndexable: /[\p{L}\p{N}]{3}/u.test(word) }
}
