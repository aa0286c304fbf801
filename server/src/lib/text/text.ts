const SHOWN_TAIL = 4
const TAIL_FROM_LENGTH = 16

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
 * What may be shown of a secret: `***`, and from 16 code points on its last 4 too, so that keys can be told
 * apart while an OTP shows neither digits nor length (G-25). Empty stays empty.
 */
export function maskSecret(text: string): string {
  const characters = [...text]
  if (characters.length === 0) return ''
  return characters.length < TAIL_FROM_LENGTH ? '***' : `***${characters.slice(-SHOWN_TAIL).join('')}`
}
