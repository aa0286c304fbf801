/**
 * The text in the form that searches compare: without accents, đ → d (also ð, whose capital looks like Đ), lower case,
 * white space collapsed and trimmed. NFC and NFD input give the same result. Invisible format characters are removed;
 * control characters count as white space, so no NUL reaches the database (G-33).
 */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[đð]/g, 'd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/**
 * A code or barcode in the form that is compared: in NFC and upper case, with accents (G-33). Upper case, because the
 * lower case of Σ depends on what follows it. The database's `fold_code` does the same (decision 0022).
 */
export function foldCode(code: string): string {
  return code.normalize('NFC').toUpperCase().normalize('NFC')
}

/** The text with `%`, `_` and `\` escaped, so that LIKE with its default escape takes it literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** A LIKE pattern for "contains"; the text must be folded when the column is. */
export function likeContains(folded: string): string {
  return `%${escapeLike(folded)}%`
}
