import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { MessageState } from '../rules.ts'

/** What an ended message costs its shop according to the ledger, in đồng. */
export type ChargeRow = {
  id: ObjectId
  session_id: string
  oa_id: string
  sending_at: Date
  state: MessageState
  charged: number
  sms_charged: number
  held: number
}

/** What the ledger has charged for the platform's message, owed parts included, in đồng; beside {@link entriesThatCharge}. */
export const CHARGED = sql`coalesce(-settled.held_change, 0) + coalesce(late.owed - late.amount, 0)`
/** What the ledger has charged for the SMS in its place, in đồng; beside {@link entriesThatCharge}. */
export const CHARGED_FOR_SMS = sql`coalesce(sms.fee, 0)`

/**
 * The joins from a message to what charges for it: by wallet_one_settlement and wallet_one_late_capture, and by the key of its
 * fallback, whose fee is captured when an SMS is delivered.
 */
export function entriesThatCharge(message: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`left join wallet_entries settled on settled.shop_id = ${message}.shop_id and settled.message_id = ${message}.id
      and settled.type = 'capture'
    left join wallet_entries late on late.shop_id = ${message}.shop_id and late.message_id = ${message}.id
      and late.type = 'late_capture'
    left join message_fallbacks sms on sms.shop_id = ${message}.shop_id and sms.message_id = ${message}.id
      and sms.outcome = 'DELIVERED'`
}

/**
 * One page of the ended messages with a fee that were sent in a span of time, oldest first, after a given message, with what the
 * ledger has charged and still holds for each. One statement: a range of messages_history, and for each message its entries by
 * wallet_one_hold, wallet_one_settlement and wallet_one_late_capture.
 */
export async function listCharges(
  db: Db,
  shopId: ObjectId,
  {
    span,
    ids,
    afterId,
  }: { span: { from: Date; before: Date }; ids: ObjectId[] | undefined; afterId: ObjectId | undefined },
  { limit, after }: Place,
): Promise<{ charges: ChargeRow[]; hasMore: boolean; last: Keyset | undefined }> {
  // Compares with the message itself, since a Date has milliseconds but the column has microseconds.
  const afterMessage = sql`
      and (m.sending_at, m.id) > (
        select sending_at, id
        from messages
        where shop_id = ${shopId} and id = ${afterId}
      )`
  const among = ids === undefined ? sql`` : sql` and m.id = any(${ids}::text[])`
  const later = rowsAfter(sql`m.sending_at`, sql`m.id`, after, { direction: 'asc' })
  const { rows } = await sql<ChargeRow & { cursor_key: number }>`
    with sent as (
      select m.shop_id, m.id, m.session_id, m.oa_id, m.sending_at, m.state, m.receipt_due_at
      from messages m
      where m.shop_id = ${shopId} and m.state in ('RECEIVED', 'ERROR') and m.fee > 0
        and m.sending_at >= ${span.from} and m.sending_at < ${span.before}${afterId === undefined ? sql`` : afterMessage}${among}${later}
      order by m.sending_at, m.id
      limit ${limit + 1}
    )
    select sent.id, sent.session_id, sent.oa_id, sent.sending_at, sent.state, ${CHARGED} as charged, ${CHARGED_FOR_SMS} as sms_charged,
      case when sent.receipt_due_at is null then 0 else coalesce(held.held_change, 0) end as held,
      ${microseconds(sql`sent.sending_at`)} as cursor_key
    from sent
    ${entriesThatCharge(sql`sent`)}
    left join wallet_entries held on held.shop_id = sent.shop_id and held.message_id = sent.id and held.type = 'hold'
    order by sent.sending_at, sent.id`.execute(db)
  const { page: charges, hasMore, last } = pageOf(rows, limit)
  return { charges, hasMore, last }
}
