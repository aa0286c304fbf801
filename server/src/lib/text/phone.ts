import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** `(+84) 912…`: the parser accepts brackets anywhere except around the plus. */
const BRACKETED_CODE = /^[([]\s*(\+\s*\d+)\s*[)\]]/

/**
 * The number as it is stored and sent, digits with the country code and no plus (`84…`), or undefined when it is not
 * valid (G-22). Valid means that it fits its country's numbering plan, not that it is in use. Spaces, dots, hyphens and
 * brackets are allowed between digits. The number may begin with `+84`, `(+84)`, `0084`, `84`, `0` or the area code
 * itself. A national 0 after the country code (`+84 (0)…`) is dropped. A number of another country needs `+` or `00`,
 * so a stored foreign number must not be normalised again without its plus.
 */
export function normalizePhone(text: string): string | undefined {
  // Contact apps wrap copied numbers in invisible direction marks. NFKC converts full-width digits to plain ones.
  const visible = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(BRACKETED_CODE, '$1 ')
  const phone = parsePhoneNumberFromString(visible, { defaultCountry: 'VN', extract: false })
  if (!phone?.isValid() || phone.ext !== undefined) return undefined
  return phone.countryCallingCode + phone.nationalNumber
}

/**
 * The forms in which a number that somebody looks for may be stored, the likelier first: normalised, or as responses show it, which
 * for a foreign number lacks the plus. Empty when it is neither.
 */
export function storedForms(text: string): string[] {
  const normalized = normalizePhone(text)
  const forms = new Set(normalized === undefined ? [] : [normalized])
  if (/^[1-9]\d{7,14}$/.test(text)) forms.add(text)
  return [...forms]
}
