import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { settleFees } from '../../wallet/sql.ts'
import { addEvent, type NewEvent, notifiedColumns, notifyOfMessages } from '../history/event-sql.ts'
import { type AccountRow, accountColumns } from '../sql.ts'
import { NOT_DELIVERED } from './settle-sql.ts'

/** A message whose receipt did not come in time. `oa_id` is null if the account was unlinked. */
export type OverdueMessage = AccountRow & {
  shop_id: ObjectId
  id: ObjectId
  session_id: string
  oa_id: string | null
  /** Since when its receipt is overdue, no matter how often it was postponed. */
  overdue_since: Date
}

/**
 * Claims up to `limit` messages of all shops whose fee waits for an overdue receipt, the longest overdue first, by postponing
 * them until `claimedUntil`: several processes share the work, and messages claimed by a process that died are due again then.
 * Index messages_awaiting_receipt.
 */
export async function claimOverdueMessages(
  db: Db,
  { now, claimedUntil, limit }: { now: Date; claimedUntil: Date; limit: number },
): Promise<OverdueMessage[]> {
  const { rows } = await sql<OverdueMessage>`
    with due as (
      select shop_id, id
      from messages
      where receipt_due_at <= ${now}
      order by receipt_due_at
      limit ${limit}
      for update skip locked
    ), claimed as (
      update messages m
      set receipt_due_at = ${claimedUntil}
      from due
      where m.shop_id = due.shop_id and m.id = due.id
      returning m.shop_id, m.id, m.session_id, m.oa_id,
        m.sending_at + make_interval(secs => m.receipt_within_seconds) as overdue_since
    )
    select claimed.shop_id, claimed.id, claimed.session_id, oa.oa_id, ${accountColumns}, claimed.overdue_since
    from claimed
    left join official_accounts oa on oa.shop_id = claimed.shop_id and oa.oa_id = claimed.oa_id`.execute(db)
  return rows
}

/**
 * Ends a message that the platform accepted but did not deliver in time: writes its state, the release of its fee, its timeline
 * and the event for the shop's endpoints, in one statement. The platform's id stays, so that a late receipt finds the message.
 * `note` belongs to the ledger entry.
 * @returns false if its receipt has come or it was released already.
 */
export async function releaseUndelivered(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  { entryId, cause, note, now }: { entryId: ObjectId; cause: string; note?: string; now: Date },
): Promise<boolean> {
  const ended = sql.ref('ended')
  const event: NewEvent = { kind: 'released', detail: { cause, released_for: NOT_DELIVERED } }
  const { rows } = await sql`
    with ${ended} as (
      update messages m
      set state = 'ERROR', error_code = ${NOT_DELIVERED}, error_text = ${cause}, receipt_due_at = null, updated_at = ${now}
      where m.shop_id = ${shopId} and m.id = ${messageId} and m.receipt_due_at is not null
      returning ${notifiedColumns}, ${entryId}::text as entry_id, m.fee as returned
    ), ${settleFees(shopId, ended, now, note)}, ${addEvent(ended, event, now)},
    ${notifyOfMessages(shopId, ['message.failed'], ended, now)}
    select id
    from ${ended}`.execute(db)
  return rows.length > 0
}
