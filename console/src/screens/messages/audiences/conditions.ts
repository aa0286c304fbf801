import { randomId } from '@shopbell/client'
import type { Audience } from '../../../api/rows.ts'
import { today } from '../../../format.ts'

export type Condition = Audience['conditions'][number]
export type Kind = Condition['kind']

/** A condition as it is edited: it has the fields of every kind, so that changing the kind loses no input. */
export type Draft = {
  id: string
  kind: Kind
  productIds: string[]
  categoryIds: string[]
  time: 'ever' | 'days' | 'since'
  days: number | null
  since: string
  when: 'month' | 'days'
  nextDays: number | null
  month: number
  atLeast: number | null
}

const EMPTY: Omit<Draft, 'id' | 'month'> = {
  kind: 'bought',
  productIds: [],
  categoryIds: [],
  time: 'ever',
  days: 30,
  since: '',
  when: 'month',
  nextDays: 7,
  atLeast: 100_000,
}

/** `id` distinguishes it from the form's other conditions. */
export function newDraft(kind: Kind = 'bought', more: Partial<Draft> = {}): Draft {
  return { ...EMPTY, id: randomId(), kind, month: Number(today().slice(5, 7)), ...more }
}

/** Audiences that shops often use, as starting points. */
export const STARTS = {
  quiet: () => [newDraft('bought'), newDraft('notBought', { time: 'days', days: 60 })],
  fresh: () => [newDraft('bought', { time: 'days', days: 7 })],
  birthday: () => [newDraft('birthday', { when: 'days', nextDays: 7 })],
  debt: () => [newDraft('debt', { atLeast: 1 })],
} satisfies Record<string, () => Draft[]>

export function draftOf(condition: Condition): Draft {
  const { kind, productIds = [], categoryIds = [], days, since, month, atLeast } = condition
  if (kind === 'debt') return newDraft(kind, { atLeast: atLeast ?? null })
  if (kind === 'birthday') {
    return newDraft(
      kind,
      month === undefined ? { when: 'days', nextDays: days ?? null } : { when: 'month', month },
    )
  }
  const time = since !== undefined ? 'since' : days !== undefined ? 'days' : 'ever'
  return newDraft(kind, { productIds, categoryIds, time, days: days ?? EMPTY.days, since: since ?? '' })
}

/** The condition for the service; undefined while it is incomplete. */
function conditionOf(draft: Draft): Condition | undefined {
  const { kind, productIds, categoryIds, time, days, since, when, nextDays, month, atLeast } = draft
  if (kind === 'debt') return atLeast === null || atLeast < 1 ? undefined : { kind, atLeast }
  if (kind === 'birthday') {
    if (when === 'month') return { kind, month }
    return nextDays === null ? undefined : { kind, days: nextDays }
  }
  if ((time === 'days' && days === null) || (time === 'since' && since === '')) return undefined
  return {
    kind,
    ...(productIds.length > 0 && { productIds }),
    ...(categoryIds.length > 0 && { categoryIds }),
    ...(time === 'days' && { days: days! }),
    ...(time === 'since' && { since }),
  }
}

/** All conditions; undefined if one is incomplete or there is none. */
export function conditionsOf(drafts: Draft[]): Condition[] | undefined {
  const conditions = drafts.map(conditionOf)
  return conditions.length === 0 || conditions.includes(undefined) ? undefined : (conditions as Condition[])
}
