import { invalidField } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { normalizeObjectId } from '../../lib/object-id.ts'
import { fold } from '../../lib/text/fold.ts'
import { dayOf, parseIsoInstant } from '../../lib/time/dates.ts'
import { VIETNAM_OFFSET_MS } from '../../lib/time/vietnam-time.ts'
import { storedName } from '../../stored-text.ts'

export type ConditionKind = 'bought' | 'notBought' | 'birthday' | 'debt'

/** A condition as requested and stored; its kind determines which of its fields are used. */
export type Condition = {
  kind: ConditionKind
  productIds?: ObjectId[]
  categoryIds?: ObjectId[]
  /** bought, notBought: in the last `days` days, including today; birthday: today or in the next `days` days. */
  days?: number
  /** bought, notBought: from this day on, `2026-11-24`. */
  since?: string
  /** birthday: 1 to 12. */
  month?: number
  /** debt: đồng. */
  atLeast?: number
}

/** Customers who meet all of the conditions, or any of them. */
export type Definition = { match: 'all' | 'any'; conditions: Condition[] }

/** A condition in the form in which a customer is compared with it at a given time. */
export type Test =
  | {
      kind: 'orders'
      hasSome: boolean
      productIds: ObjectId[]
      categoryIds: ObjectId[]
      from: Date | undefined
    }
  /** `days`: `MM-DD` of each day. */
  | { kind: 'birthday'; days: string[] }
  | { kind: 'debt'; atLeast: number }

const DAY_MS = 86_400_000

const FIELDS: Record<ConditionKind, readonly (keyof Condition)[]> = {
  bought: ['productIds', 'categoryIds', 'days', 'since'],
  notBought: ['productIds', 'categoryIds', 'days', 'since'],
  birthday: ['month', 'days'],
  debt: ['atLeast'],
}
/** Fields that exclude each other. */
const ONE_OF: Record<ConditionKind, readonly (keyof Condition)[]> = {
  bought: ['days', 'since'],
  notBought: ['days', 'since'],
  birthday: ['month', 'days'],
  debt: ['atLeast'],
}
const NEEDS_ONE: readonly ConditionKind[] = ['birthday', 'debt']

/**
 * The conditions as they are stored, ids in lower case.
 * @throws ValidationError for a field that the kind does not have, two that exclude each other, a missing one, or an invalid
 * date.
 */
export function storedConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.map((condition, index) => {
    const at = ['conditions', index]
    const { kind, productIds, categoryIds, since } = condition
    for (const key of Object.keys(condition) as (keyof Condition)[]) {
      if (key !== 'kind' && !FIELDS[kind].includes(key)) throw invalidField([...at, key], 'object.unknown')
    }
    const peers = ONE_OF[kind]
    const given = peers.filter((key) => condition[key] !== undefined)
    if (given.length > 1) throw invalidField(at, 'object.xor', { peers })
    if (given.length === 0 && NEEDS_ONE.includes(kind)) throw invalidField(at, 'object.missing', { peers })
    if (since !== undefined && dayBegins(since) === undefined) {
      throw invalidField([...at, 'since'], 'date.format')
    }
    return {
      ...condition,
      ...(productIds && { productIds: productIds.map(normalizeObjectId) }),
      ...(categoryIds && { categoryIds: categoryIds.map(normalizeObjectId) }),
    }
  })
}

/** The name as it is stored, and in the form in which names are compared. @throws ValidationError for a blank name. */
export function comparableName(text: string): { name: string; foldedName: string } {
  const name = storedName(text)
  return { name, foldedName: fold(name) }
}

/** When a day in the shops' zone begins; undefined if there is no such day, or if it begins before the year 1. */
function dayBegins(day: string): Date | undefined {
  return parseIsoInstant(`${day}T00:00+07:00`)
}

/** The tests that the conditions mean at a given time; days are days in the shops' zone. */
export function testsOf({ conditions }: Definition, now: Date): Test[] {
  const today = Date.parse(dayOf(now))
  return conditions.map(({ kind, productIds = [], categoryIds = [], days, since, month, atLeast }): Test => {
    if (kind === 'debt') return { kind, atLeast: atLeast! }
    if (kind === 'birthday')
      return { kind, days: month === undefined ? nextDays(today, days!) : daysOf(month) }
    const fromMs = since !== undefined ? Date.parse(since) : days !== undefined && today - (days - 1) * DAY_MS
    return {
      kind: 'orders',
      hasSome: kind === 'bought',
      productIds,
      categoryIds,
      from: fromMs === false ? undefined : new Date(fromMs - VIETNAM_OFFSET_MS),
    }
  })
}

const monthAndDay = (ms: number) => new Date(ms).toISOString().slice(5, 10)

/** Today and the days after it. A person born on 29 February has their birthday on the 28th in other years. */
function nextDays(today: number, days: number): string[] {
  const all = Array.from({ length: days + 1 }, (_, n) => monthAndDay(today + n * DAY_MS))
  const isLeapDayLeftOut = all.some(
    (day, n) => day === '02-28' && monthAndDay(today + (n + 1) * DAY_MS) === '03-01',
  )
  return isLeapDayLeftOut ? [...all, '02-29'] : all
}

/** Every day of a month, in any year. */
function daysOf(month: number): string[] {
  const count = new Date(Date.UTC(2000, month, 0)).getUTCDate()
  return Array.from({ length: count }, (_, n) => monthAndDay(Date.UTC(2000, month - 1, n + 1)))
}

/** What is known of a member of an audience; amounts in đồng, days `1990-11-24`. `price` is what the order costs now. */
export type Member = {
  id: ObjectId
  fullName: string
  phone: string
  birthday: string | null
  lastOrder: { code: string; day: string; price: number } | null
  debt: number
}

/** The names of the customer values that a template's params can use. */
export const VALUE_NAMES = [
  'fullName',
  'phone',
  'birthday',
  'lastOrderCode',
  'lastOrderDate',
  'lastOrderPrice',
  'debt',
] as const
export type ValueName = (typeof VALUE_NAMES)[number]

/** A member's values as texts for a message; '' for unknown ones. */
export function memberValues({
  fullName,
  phone,
  birthday,
  lastOrder,
  debt,
}: Member): Record<ValueName, string> {
  return {
    fullName,
    phone: phone.startsWith('84') ? `0${phone.slice(2)}` : `+${phone}`,
    birthday: birthday === null ? '' : dayText(birthday),
    lastOrderCode: lastOrder?.code ?? '',
    lastOrderDate: lastOrder === null ? '' : dayText(lastOrder.day),
    lastOrderPrice: lastOrder === null ? '' : moneyText(lastOrder.price),
    debt: moneyText(debt),
  }
}

function dayText(day: string): string {
  return day.split('-').reverse().join('/')
}

/** `1.250.000đ`, as it is written in Việt Nam. */
function moneyText(amount: number): string {
  return `${String(amount).replace(/\B(?=(\d{3})+$)/g, '.')}đ`
}
