import type { Db } from '../../db/client.ts'
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
import {
  countMessagesTo,
  listCustomerIds,
  listMessagesTo,
  listOrderIds,
  listOrderSteps,
  type PersonsMessage,
} from './sql.ts'
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
 * Everything that a shop holds about one person by phone number, `84…` (G-78), as the response of the route: the customer, orders and
 * messages with their timelines, consents, and every other text with the number. It is written in pieces, since a number may stand for
 * all walk-in customers, and read in short steps, so it is not a snapshot. The audit entry comes first: who breaks the response
 * off has read the rest.
 */
export async function* exportPerson(
  { database, ids, clock }: Pick<Deps, 'database' | 'ids' | 'clock'>,
  shopId: ObjectId,
  phone: string,
  origin: Origin,
): AsyncGenerator<string, void> {
  const db = database.slow
  const now = clock.now()
  const customerIds = await listCustomerIds(db, shopId, phone)
  const orderIds = await listOrderIds(db, shopId, customerIds)
  const messages = await countMessagesTo(db, shopId, phone)
  await db.transaction().execute((trx) =>
    insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'person.export',
      target: customerIds.length === 1 ? { customerId: customerIds[0]! } : {},
      detail: { orders: orderIds.length, messages },
      now,
    }),
  )
  const customers = await copyCustomers(db, shopId, { ids: customerIds })
  const start = { phone, exportedAt: now.toISOString(), customers }
  yield `{"data":${JSON.stringify(start).slice(0, -1)},"orders":[`
  yield* piecesOf(ordersOf(db, shopId, orderIds))
  yield '],"messages":['
  yield* piecesOf(messagesTo(db, shopId, phone))
  const recipient = { channel: 'phone' as const, recipient: phone }
  const place = { limit: MOST_MENTIONS, offset: 0, after: undefined }
  const { consents } = await listConsents(db, shopId, { of: recipient, ids: undefined }, place)
  const mentions: Mention[] = []
  for await (const mention of findMentions(db, shopId, spellingsOf(phone))) {
    if (ALREADY_THERE.has(mention.place)) continue
    mentions.push(mention)
    if (mentions.length === MOST_MENTIONS) break
  }
  const rest = {
    consents: consents.map(presentConsentOf),
    mentions,
    mentionsCut: mentions.length === MOST_MENTIONS,
  }
  yield `],${JSON.stringify(rest).slice(1)}}`
}

/** The records of several steps as the entries of one JSON array. */
async function* piecesOf(steps: AsyncGenerator<unknown[], void>): AsyncGenerator<string, void> {
  let comma = ''
  for await (const records of steps) {
    if (records.length === 0) continue
    yield comma + JSON.stringify(records).slice(1, -1)
    comma = ','
  }
}

async function* ordersOf(db: Db, shopId: ObjectId, orderIds: ObjectId[]): AsyncGenerator<unknown[], void> {
  for (let from = 0; from < orderIds.length; ) {
    const asked = orderIds.slice(from, from + STEP)
    const orders = await copyOrders(db, shopId, { ids: asked })
    const steps = await listOrderSteps(
      db,
      shopId,
      orders.map(({ _id }) => _id),
    )
    const timelines = new Map(steps.map(({ id, timeline }) => [id, timeline]))
    yield orders.map((order) => ({ ...order, timeline: timelines.get(order._id) ?? [] }))
    // Long orders are fewer than were asked for.
    const last = orders.at(-1)
    from += last === undefined ? asked.length : asked.indexOf(last._id) + 1
  }
}

async function* messagesTo(db: Db, shopId: ObjectId, phone: string): AsyncGenerator<unknown[], void> {
  let after: PersonsMessage | undefined
  let page: PersonsMessage[]
  do {
    page = await listMessagesTo(db, shopId, phone, { after, limit: STEP })
    yield page.map((row) => presentMessageOf(row, maskedParams(row.declared, row.params)))
    after = page.at(-1)
  } while (page.length === STEP)
}
