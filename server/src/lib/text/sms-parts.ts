/** How a text is sent as SMS. `length` counts units of its alphabet, `parts` the messages that are charged. */
export type SmsSize = { alphabet: 'gsm7' | 'ucs2'; length: number; parts: number }

/** The GSM 7-bit alphabet of 3GPP TS 23.038; one unit per character. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** The extension of that alphabet: an escape and the character, so two units. */
const EXTENDED = new Set('\f^{}\\[~]|€')

const LIMITS = { gsm7: { single: 160, part: 153 }, ucs2: { single: 70, part: 67 } }

/**
 * How many SMS a text needs. Text in the GSM alphabet has up to 160 units, or 153 in each of several parts. Any other
 * text is sent as UCS-2, with up to 70 and 67. A character of two units is never divided between parts. Source: 3GPP TS
 * 23.038 and 23.040.
 */
export function smsSize(text: string): SmsSize {
  const characters = [...text]
  const isGsm = characters.every((one) => BASIC.has(one) || EXTENDED.has(one))
  const alphabet = isGsm ? 'gsm7' : 'ucs2'
  const units = characters.map((one) => (isGsm ? (EXTENDED.has(one) ? 2 : 1) : one.length))
  const length = units.reduce((sum, count) => sum + count, 0)
  const { single, part } = LIMITS[alphabet]
  if (length <= single) return { alphabet, length, parts: 1 }
  let parts = 1
  let filled = 0
  for (const count of units) {
    if (filled + count > part) {
      parts += 1
      filled = 0
    }
    filled += count
  }
  return { alphabet, length, parts }
}
