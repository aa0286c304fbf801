import { fold, likeContains } from './fold.ts'

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
 * The most words of one search: a long name of a product has about twenty. Each is compared with every row that has the others, so
 * 250 of them held the embedded database for 3.7 s with 2,000 products.
 */
export const MOST_SEARCH_WORDS = 24

/** One or two letters or digits: found at the beginning of a word only. */
const SHORT = /^[a-z\d]{1,2}$/

/**
 * The folded words of a search text, which are found in any order (G-33), the longest first, because few rows have it. Words
 * that another one implies are left out: each would be compared with every row that is left. Empty for a blank text.
 */
export function searchWords(text: string): string[] {
  const given = [...new Set(fold(text).split(' '))].filter((word) => word !== '')
  const words: string[] = []
  for (const word of given.toSorted((one, other) => other.length - one.length)) {
    if (!words.some((longer) => implies(longer, word))) words.push(word)
  }
  return words
}

/** Whether each text in which `longer` is found has `word` too. */
function implies(longer: string, word: string): boolean {
  if (!SHORT.test(word)) return longer.includes(word)
  // A longer word may be found within a word, so "aox" does not imply that a word begins with "ao".
  return SHORT.test(longer) ? longer.startsWith(word) : new RegExp(BEFORE_WORD + word).test(longer)
}

/**
 * The pattern of a folded word (G-33). A longer word is found anywhere in the text. One of one or two letters or digits is found
 * at the beginning of a word only: that is what a person means by it, and the index has the beginnings of words, but
 * no other part that is shorter than three characters.
 */
export function searchPattern(word: string): SearchPattern {
  if (SHORT.test(word)) {
    return { operator: '~', pattern: `(^|${BEFORE_WORD})${word}`, isIndexable: true }
  }
  return { operator: 'like', pattern: likeContains(word), isIndexable: /[\p{L}\p{N}]{3}/u.test(word) }
}
