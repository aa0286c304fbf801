import { invalidField, invalidQuery } from '../../errors.ts'
import { fold } from '../../lib/text/fold.ts'
import { normalizePhone } from '../../lib/text/phone.ts'
import { type SearchPattern, searchPattern, searchWords } from '../../lib/text/search-pattern.ts'
import { dayOf, parseIsoInstant } from '../../lib/time/dates.ts'
import { storedName } from '../../stored-text.ts'

/** What a list of customers can be sorted by (G-113). */
export const CUSTOMER_SORTS = ['createdAt', 'fullName'] as const
export type CustomerSortField = (typeof CUSTOMER_SORTS)[number]

/** What a list of those who owe something can be sorted by. */
export const DEBTOR_SORTS = [...CUSTOMER_SORTS, 'debt'] as const
export type DebtorSortField = (typeof DEBTOR_SORTS)[number]

/**
 * What a list of all customers is sorted by. Their debts are not stored, and only the debts of those who owe something are few enough
 * to be sorted.
 * @throws ValidationError naming `sortBy` for `debt`.
 */
export function sortOfAll(sortBy: DebtorSortField): CustomerSortField {
  if (sortBy === 'debt') throw invalidQuery('sortBy', 'any.only', { valids: CUSTOMER_SORTS })
  return sortBy
}

/** The fields of a customer that a caller may send. */
export type CustomerFields = {
  fullName: string
  phone: string
  email: string
  /** `1990-11-24`, or empty. */
  birthday: string
  avatar: string
  note: string
}

const DAY_LENGTH = '1990-11-24'.length
const OLDEST_BIRTHDAY = '1900-01-01'
const EMAIL = /^[^\s@]+@[^\s@]+$/

/**
 * The fields as they are stored (G-46): the name in NFC and trimmed, the phone as `84…` (G-22) or empty. Fields that are absent
 * stay absent.
 * @throws ValidationError for a blank name, an invalid phone number, an email without @ or an invalid birthday.
 */
export function storedFields<Given extends Partial<CustomerFields>>(given: Given, now: Date): Given {
  const stored = { ...given }
  if (given.fullName !== undefined) stored.fullName = storedName(given.fullName, 'fullName')
  if (given.phone !== undefined) stored.phone = storedPhone(given.phone)
  if (given.email !== undefined && given.email !== '' && !EMAIL.test(given.email)) {
    throw invalidField(['email'], 'string.email')
  }
  if (given.birthday !== undefined && given.birthday !== '') {
    const day = parseIsoInstant(given.birthday)
    if (day === undefined || given.birthday.length !== DAY_LENGTH) {
      throw invalidField(['birthday'], 'date.format')
    }
    if (given.birthday < OLDEST_BIRTHDAY) {
      throw invalidField(['birthday'], 'date.min', { limit: OLDEST_BIRTHDAY })
    }
    if (given.birthday > dayOf(now)) throw invalidField(['birthday'], 'date.past')
  }
  return stored
}

/** The number as `84…` (G-22), or empty. @throws ValidationError for an invalid one. */
export function storedPhone(text: string): string {
  const phone = text === '' ? '' : normalizePhone(text)
  if (phone === undefined) throw invalidField(['phone'], 'string.phone')
  return phone
}

/** The text in which searches find a customer: the folded name, and the phone as `84…` and as people type it, `0…` (G-46). */
export function customerSearch(fullName: string, phone: string): string {
  const forms = phone.startsWith('84') ? [phone, `0${phone.slice(2)}`] : [phone]
  return [fold(fullName), ...forms].filter((part) => part !== '').join(' ')
}

/**
 * The LIKE patterns of a search text; a row is found if its search column matches all of them (E12, G-46): one per folded word,
 * or a single one for a phone number, however it is spaced and even while it is being typed. Empty if the text is blank.
 */
export function searchPatterns(text: string): SearchPattern[] {
  const visible = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  const digits = typedPhoneDigits(visible)
  const words = () => searchWords(/^[\d\s]*$/.test(visible) ? visible : text)
  return (digits === '' ? words() : [digits]).map(searchPattern)
}

/** The beginning of a phone number, and part of one with signs between its digits. The latter has more digits than a name's `12.05`. */
const PHONE_BEGINNING = /^\s*[([]?\s*[+0][\d\s.()[\]-]*$/
const PHONE_PART = /^(?=.*[.()[\]-])[\s.()[\]-]*(?:\d[\s.()[\]-]*){5,}$/

/**
 * The digits of a text that is a phone number, the beginning of one, or part of one with signs, in the form of
 * `customerSearch`; '' if it is not. `normalizePhone` cannot be used, since it accepts only complete numbers.
 */
function typedPhoneDigits(visible: string): string {
  if (!PHONE_BEGINNING.test(visible) && !PHONE_PART.test(visible)) return ''
  return visible.replace(/\(0\)/, '').replace(/\D/g, '').replace(/^00/, '').replace(/^840/, '84')
}
