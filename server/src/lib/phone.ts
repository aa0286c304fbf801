import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** No number here begins with 0 after the country code, as they do in Italy. */
const VIETNAM = '84'

/**
 * The number as it is stored and sent, digits with the country code and no plus (`84…`), or undefined when it
 * is not a possible one (G-22). Possible means a length the country uses, not that the number is in use.
 * Spaces, dots, hyphens and brackets may stand between digits; the number may begin with `+84`, `0084`, `84`,
 * `0` or the area itself. Another country's needs `+` or `00`, so a stored foreign number must not be
 * normalised again without its plus.
 * A national 0 after the country code (`+840…`) is dropped, but only when what remains is a valid number.
 */
export function normalizePhone(text: string, country: CountryCode = 'VN'): string | undefined {
  // Contact apps wrap copied numbers in invisible direction marks; NFKC makes full-width digits plain.
  const visible = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
  const phone = parsePhoneNumberFromString(visible, { defaultCountry: country, extract: false })
  if (!phone?.isPossible() || phone.ext !== undefined) return undefined
  const code = phone.countryCallingCode
  // Seven digits of a mobile number typed short are a "possible" length, their trunk 0 taken for a first digit.
  if (code === VIETNAM && phone.nationalNumber.startsWith('0')) return undefined
  const typed = visible.replace(/\D/g, '').replace(/^00/, '')
  const hasDroppedZero = typed.startsWith(`${code}0`) && !phone.nationalNumber.startsWith('0')
  if (hasDroppedZero && !phone.isValid()) return undefined
  return code + phone.nationalNumber
}
