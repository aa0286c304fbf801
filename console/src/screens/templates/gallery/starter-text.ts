import type { Draft } from '../editor/draft.ts'

/** The purposes of the starters, in the order of the gallery, with the platform's tag and type of each. */
export const STARTER_KINDS = {
  orderConfirmed: { tag: '1', templateType: 'custom' },
  onItsWay: { tag: '1', templateType: 'custom' },
  readyToCollect: { tag: '1', templateType: 'custom' },
  paymentReminder: { tag: '1', templateType: 'custom' },
  paymentReceived: { tag: '1', templateType: 'custom' },
  oneTimePassword: { tag: '1', templateType: 'custom' },
  appointment: { tag: '2', templateType: 'custom' },
  rating: { tag: '2', templateType: 'rating' },
  points: { tag: '2', templateType: 'custom' },
  birthday: { tag: '3', templateType: 'voucher' },
} as const

export type StarterId = keyof typeof STARTER_KINDS
export const STARTER_IDS = Object.keys(STARTER_KINDS) as StarterId[]

type Rows = { rows: [label: string, value: string][] }
type Offer = { offer: { title: string; condition: string; expiryDate: string } }
/** The scenarios from 5 stars down to 1. */
type Ratings = {
  stars: [title: string, question: string, answers: string[], thanks: string, description: string][]
}
/**
 * A starter's content in one language. A text among `blocks` is a paragraph. `note` says, to reviewers and in the
 * gallery, when the message is sent.
 */
export type StarterText = {
  name: string
  note: string
  title: string
  blocks: (string | Rows | Offer | Ratings)[]
  buttons?: Pick<Draft['buttons'][number], 'label' | 'type' | 'value'>[]
}
