import { likeContains } from './fold.ts'

/**
 * What the search column must match: a LIKE pattern or, for a short word, a regular expression. `isIndexable`: the trigram index can
 * narrow the search.
 */
export type SearchPattern = { operator: 'like' | '~'; pattern: string; isIndexable: boolean }

/**
 * What may precede a word, besides the beginning of the text: a space, or any sign up to U+00FF. The signs are listed, because
 * pg_trgm finds no beginning of a word in a class that excludes characters, such as `[^a-z0-9]`, or in one with a character above
 * U+07FF, such as “ or –: the whole table would be read (decision 0058).
 */
const BEFORE_WORD = '[ -/:-@[-`{-~¡-©«-±´¶-¸»¿×÷]'

/**
 * The pattern of a folded word (G-33). A longer word is found anywhere in the text. One of one or two letters or digits is found
 * at the beginning of a word only: that is what a person means by it, and the index has the beginnings of words, but
 * no other part that is shorter than three characters.
 */
export function searchPattern(word: string): SearchPattern {
  if (/^[a-z\d]{1,2}$/.test(word)) {
    return { operator: '~', pattern: `(^|${BEFORE_WORD})${word}`, isIndexable: true }
  }
  return { operator: 'like', pattern: likeContains(word), isIndexable: /[\p{L}\p{N}]{3}/u.test(word) }
}
