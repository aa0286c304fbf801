import type { Deps } from '../../deps.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { listConsents } from '../consents/sql.ts'
import { copyCustomers } from '../customers/copy-customers.ts'
import { maskedParams } from '../messages/rules.ts'
import { copyOrders } from '../orders/copy-orders.ts'
import { presentConsentOf, presentMessageOf } from './present.ts'
import { spellingsOf } from './rules.ts'
import { listCustomerIds, listMessagesTo, listOrderSteps, type PersonsMessage } from './sql.ts'
import { findMentions, type Mention } from './sweep.ts'

const STEP = 200
/** Texts that the export's own records already contain. */
const ALREADY_THERE = new Set([
  'customers.phone',
  'customers.search',
  'consents.recipient',
  'messages.phone',
  'orders.search',
  'orders.user_address',
])
const MOST_MENTIONS = 1_000

/**
 * Everything that a shop holds about one person by phone number, `84…` (G-78): the customer, orders and messages with
 * their timelines, consents, and every other text with the number. It is read in short steps, so it is not a snapshot.
 */
export async function exportPerson(
  { database, ids, clock }: Pick<Deps, 'database' | 'ids' | 'clock'>,
  shopId: ObjectId,
  phone: string,
  origin: Origin,
) {
  const db = database.slow
  const customerIds = await listCustomerIds(db, shopId, phone)
  const steps = await listOrderSteps(db, shopId, customerIds)
  const timelines = new Map(steps.map(({ id, timeline }) => [id, timeline]))
  const orders = []
  for (let from = 0; from < steps.length; ) {
    const asked = steps.slice(from, from + STEP).map(({ id }) => id)
    const page = await copyOrders(db, shopId, { ids: asked })
    orders.push(...page.map((order) => ({ ...order, timeline: timelines.get(order._id) ?? [] })))
    // Long orders are fewer than were asked for.
    const last = page.at(-1)
    from += last === undefined ? asked.length : asked.indexOf(last._id) + 1
  }
  const messages = []
  for (let after: PersonsMessage | undefined; ; ) {
    const page = await listMessagesTo(db, shopId, phone, { after, limit: STEP })
    messages.push(...page.map((row) => presentMessageOf(row, maskedParams(row.declared, row.params))))
    after = page.at(-1)
    if (page.length < STEP) break
  }
  const recipient = { channel: 'phone' as const, recipient: phone }
  const place = { limit: MOST_MENTIONS, offset: 0, after: undefined }
  const { consents } = await listConsents(db, shopId, { of: recipient, ids: undefined }, place)
  const mentions: Mention[] = []
  for await (const mention of findMentions(db, shopId, spellingsOf(phone))) {
    if (ALREADY_THERE.has(mention.place)) continue
    mentions.push(mention)
    if (mentions.length === MOST_MENTIONS) break
  }
  await db.transaction().execute((trx) =>
    insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'person.export',
      target: customerIds.length === 1 ? { customerId: customerIds[0]! } : {},
      detail: { orders: orders.length, messages: messages.length },
      now: clock.now(),
    }),
  )
  return {
    phone,
    exportedAt: clock.now().toISOString(),
    customers: await copyCustomers(db, shopId, { ids: customerIds }),
    orders,
    messages,
    consents: consents.map(presentConsentOf),
    mentions,
    mentionsCut: mentions.length === MOST_MENTIONS,
  }
}
