import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { ERASED } from '../../lib/text/erased.ts'
import type { OperatorOrigin, Origin } from '../audit/rules.ts'
import { insertAuditEntry, insertOperatorAuditEntry } from '../audit/sql.ts'
import { cancelQueuedTo } from '../messages/batches/cancel-queued-to.ts'
import { CANCELLED } from '../messages/outcome/endings.ts'
import type { MessageState } from '../messages/rules.ts'
import { lockWallet } from '../wallet/sql.ts'
import { allowErasing } from './places-sql.ts'
import { spellingsOf } from './rules.ts'
import {
  countOpenMessages,
  deleteConsents,
  eraseCustomers,
  eraseMessages,
  eraseOrders,
  isInUploadPiece,
  listCustomerIds,
  listShopsOfPhone,
  listUploadPieces,
} from './sql.ts'
import { eraseMentions } from './sweep.ts'

/** How much was erased: records of the person, and other texts that contained the number, by table and column. */
export type Erased = {
  customers: number
  orders: number
  messages: number
  consents: number
  cancelled: number
  mentions: Record<string, number>
}

const STEP = 500
const IN_PROGRESS: readonly MessageState[] = ['SENDING', 'UNKNOWN', 'FALLBACK']

type Given = Pick<Deps, 'database' | 'ids' | 'clock'>

/**
 * Erases one person from a shop by phone number, `84…` (G-78). First the orders' addresses and notes; then, in one
 * transaction, the customer and the consents, which also cancels messages queued to the number; then the messages and
 * every other text that contains the number, in short steps. If it is interrupted, it can be run again. Sums, fees and
 * the ledger stay.
 * @throws Refused PERSON_HAS_OPEN_MESSAGES, PERSON_IN_IMPORT: nothing has been erased, or only what arrived meanwhile
 *   is left.
 */
export async function erasePerson(
  given: Given,
  shopId: ObjectId,
  phone: string,
  origin: Origin,
): Promise<Erased> {
  const erased = await eraseRecords(given, shopId, phone, origin)
  const mentions = await eraseMentions(given.database.slow, shopId, spellingsOf(phone))
  return { ...erased, mentions }
}

/**
 * Erases the person from all shops, and from tables that belong to no shop. @throws as {@link erasePerson}, before
 * anything is erased.
 */
export async function erasePersonEverywhere(
  given: Given,
  phone: string,
  origin: OperatorOrigin,
): Promise<Erased & { shops: number }> {
  const { ids, clock, database } = given
  const db = database.slow
  const shopIds = await listShopsOfPhone(db, phone)
  for (const shopId of shopIds) await assertErasable(db, shopId, phone)
  const sum = { customers: 0, orders: 0, messages: 0, consents: 0, cancelled: 0 }
  for (const shopId of shopIds) {
    const erased = await eraseRecords(given, shopId, phone, origin)
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += erased[name]
  }
  const mentions = await eraseMentions(db, undefined, spellingsOf(phone))
  await insertOperatorAuditEntry(db, {
    id: ids.next(),
    origin,
    action: 'people.erase',
    target: {},
    detail: { shops: shopIds.length, ...sum },
    now: clock.now(),
  })
  return { shops: shopIds.length, ...sum, mentions }
}

async function eraseRecords(
  { ids, clock, database }: Given,
  shopId: ObjectId,
  phone: string,
  origin: Origin,
): Promise<Omit<Erased, 'mentions'>> {
  const db = database.slow
  const now = clock.now()
  const name = ERASED
  await assertErasable(db, shopId, phone)
  const customerIds = await listCustomerIds(db, shopId, phone)
  const eraseSomeOrders = (trx: Db) => eraseOrders(trx, shopId, { customerIds, name, limit: STEP, now })
  // This runs while the customers can still be found by the number, and without holding a lock that others wait for.
  const ordersBefore = await inSteps(() => eraseSomeOrders(db))
  const counts = await db.transaction().execute(async (trx) => {
    await allowErasing(trx)
    // The lock keeps new messages from being accepted, as for a withdrawn consent.
    await lockWallet(trx, shopId)
    await assertNoneOpen(trx, shopId, phone)
    const to = { channel: 'phone' as const, recipient: phone, exemptTags: [] }
    const cancelled = await cancelQueuedTo(trx, shopId, to, { code: CANCELLED, ids, now })
    const customers = (await eraseCustomers(trx, shopId, { phone, name, now })).length
    const orders = ordersBefore + (await inSteps(() => eraseSomeOrders(trx)))
    const consents = await deleteConsents(trx, shopId, phone)
    const detail = { customers, orders, consents, cancelled }
    const target: Record<string, string> = customerIds.length === 1 ? { customerId: customerIds[0]! } : {}
    const action = 'person.erase'
    await insertAuditEntry(trx, shopId, { id: ids.next(), origin, action, target, detail, now })
    return detail
  })
  const messages = await inSteps(() => eraseMessages(db, shopId, { phone, name, limit: STEP }))
  // Some messages may have been accepted since, or were being claimed for sending while the queued ones were cancelled.
  await assertNoneOpen(db, shopId, phone, [...IN_PROGRESS, 'QUEUED'])
  return { ...counts, messages }
}

/** Repeats a step of {@link STEP} until one has less to do. @returns the sum of what the steps did. */
async function inSteps(step: () => Promise<number>): Promise<number> {
  let done = 0
  for (;;) {
    const count = await step()
    done += count
    if (count < STEP) return done
  }
}

/** Checks that the person can be erased. @throws Refused while messages to the number or an import need it. */
async function assertErasable(db: Db, shopId: ObjectId, phone: string): Promise<void> {
  await assertNoneOpen(db, shopId, phone)
  const { pattern } = spellingsOf(phone)
  for (const piece of await listUploadPieces(db, shopId)) {
    if (await isInUploadPiece(db, shopId, piece, pattern)) throw new Refused('PERSON_IN_IMPORT')
  }
}

async function assertNoneOpen(
  db: Db,
  shopId: ObjectId,
  phone: string,
  states: readonly MessageState[] = IN_PROGRESS,
): Promise<void> {
  const count = await countOpenMessages(db, shopId, phone, states)
  if (count > 0) throw new Refused('PERSON_HAS_OPEN_MESSAGES', { count })
}
