const SHOWN_TAIL = 4
const TAIL_FROM_LENGTH = 16

/**
 * Combining marks that may follow one another (Unicode's Stream-Safe Text Format): no writing has more, and putting them
 * in order, which normalising does, costs the square of their number. 200,000 took 29 s.
 */
export const MOST_MARKS = 30

// Begins at the first mark of a run only: a look at each mark of it would cost its square as well.
const LONG_RUN = new RegExp(`(?<!\\p{M})\\p{M}{${MOST_MARKS + 1}}`, 'u')

/** Whether more than {@link MOST_MARKS} combining marks follow one another. 6 ms for 200,000 characters. */
export function hasTooManyMarks(text: string): boolean {
  return text.length > MOST_MARKS && LONG_RUN.test(text)
}

/** The text with the first {@link MOST_MARKS} of each run of combining marks. */
export function withoutExcessMarks(text: string): string {
  return text.replace(new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu'), '$1')
}

/** The text in NFC: Vietnamese typed as base letters and marks becomes as short as it looks. */
export function toNfc(text: string): string {
  return text.normalize('NFC')
}

/** Whether a text shows nothing: white space, characters of no width, controls, fillers, or no character at all. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}

/** The text's length in code points after NFC, the measure of every `maxLength` (G-21). */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of toNfc(text)) length += 1
  return length
}

/**
 * The part of a secret that may be shown: `***`, and from 16 code points on its last 4 too, so that keys can be told
 * apart while an OTP shows neither digits nor length (G-25). Empty stays empty.
 */
export function maskSecret(text: string): string {
  const characters = [...text]
  if (characters.length === 0) return ''
  return characters.length < TAIL_FROM_LENGTH ? '***' : `***${characters.slice(-SHOWN_TAIL).join('')}`
}

/** A text as it stands in HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
