const SHOWN_TAIL = 4
const TAIL_FROM_LENGTH = 16

/**
 * The most combining marks that may follow one another (Unicode's Stream-Safe Text Format). No script needs more, and
 * normalising sorts them in time quadratic in their number: 200,000 took 29 s.
 */
export const MOST_MARKS = 30

// Matches only from the first mark of a run: trying each mark would also take quadratic time.
const LONG_RUN = new RegExp(`(?<!\\p{M})\\p{M}{${MOST_MARKS + 1}}`, 'u')

/** Whether more than {@link MOST_MARKS} combining marks follow one another. Takes 6 ms for 200,000 characters. */
export function hasTooManyMarks(text: string): boolean {
  return text.length > MOST_MARKS && LONG_RUN.test(text)
}

/** The text with only the first {@link MOST_MARKS} of each run of combining marks. */
export function withoutExcessMarks(text: string): string {
  return text.replace(new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu'), '$1')
}

/** The text in NFC, so Vietnamese typed as base letters and marks has as many characters as it shows. */
export function toNfc(text: string): string {
  return text.normalize('NFC')
}

/** Whether a text shows nothing: it has only white space, zero-width characters, controls or fillers, or is empty. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}

/** The text's length in code points after NFC, in which every `maxLength` is measured (G-21). */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of toNfc(text)) length += 1
  return length
}

/**
 * The part of a secret that may be shown: `***`, followed by the last 4 code points if it has at least 16, so that keys
 * can be told apart while an OTP shows neither digits nor length (G-25). An empty text stays empty.
 */
export function maskSecret(text: string): string {
  const characters = [...text]
  if (characters.length === 0) return ''
  return characters.length < TAIL_FROM_LENGTH ? '***' : `***${characters.slice(-SHOWN_TAIL).join('')}`
}

/** Escapes a text for HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** The text with each control character, and each that turns the direction of writing, as its code: `\u001b`. */
export function withVisibleControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
