import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { ERASED } from '../../../lib/text/erased.ts'
import { databaseInstant } from '../../../lib/time/dates.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { settleFees } from '../../wallet/sql.ts'
import { addEvent, notifiedColumns, notifyOfMessages } from '../history/event-sql.ts'
import { chooseInOrder } from '../outcome/settle-sql.ts'
import type { MessageState } from '../rules.ts'

/** How a receipt names its message; `key` is chosen by the caller. */
export type NamedReceipt = {
  key: string
  oaId: string
  messageId: ObjectId | null
  sessionId: string | null
}

/** The message that a receipt is about, in the state that was read; the fields for ending it are null if it has ended. */
export type ReceiptTarget = {
  key: string
  shop_id: ObjectId
  id: ObjectId
  state: MessageState
  /** Whether its receipt charges it. */
  is_charged_by_receipt: boolean
  /** Whether its recipient's number was erased (G-78). */
  is_erased: boolean
  params: Record<string, string> | null
  /** The template's params. */
  declared: TemplateParam[] | null
}

/**
 * The messages that receipts are about: by our id, else by the platform's session id. A receipt that matches nothing has no row.
 * Looks across shops, since only the official account says which shop a receipt belongs to. One statement; indexes
 * official_accounts_by_oa, messages_pkey and messages_by_session.
 */
export async function listReceiptTargets(db: Db, receipts: NamedReceipt[]): Promise<ReceiptTarget[]> {
  if (receipts.length === 0) return []
  const target = sql`m.shop_id, m.id, m.state, m.template_id, m.params,
        m.receipt_within_seconds is not null and m.fee > 0 as is_charged_by_receipt,
        m.phone = ${ERASED} as is_erased
      from official_accounts oa
      join messages m on m.shop_id = oa.shop_id and m.oa_id = oa.oa_id`
  const { rows } = await sql<ReceiptTarget>`
    select given.key, target.shop_id, target.id, target.state, target.is_charged_by_receipt, target.is_erased,
      t.params as declared,
      case when t.id is not null then target.params end as params
    from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb)
      as given (key text, "oaId" text, "messageId" text, "sessionId" text)
    cross join lateral (
      select ${target}
      where oa.oa_id = given."oaId" and m.id = given."messageId"
      union all
      select ${target}
      where oa.oa_id = given."oaId" and m.session_id = given."sessionId" and m.session_id <> ''
      limit 1
    ) as target
    left join templates t on t.shop_id = target.shop_id and t.id = target.template_id
      and target.state in ('SENDING', 'UNKNOWN')`.execute(db)
  return rows
}

/** `isCharged`: the receipt captures the message's fee, with the ledger entry `entryId`. */
export type Delivered = { id: ObjectId; deliveredAt: Date; entryId: ObjectId; isCharged: boolean }

/**
 * Records when RECEIVED messages of a shop reached the phone, in one statement. Each changes once, by its first receipt (G-25),
 * which captures the fee if it waited for the receipt (G-26). `kind` is the event in their timelines.
 * @returns the ids of the changed messages.
 */
export async function updateDelivered(
  db: Db,
  shopId: ObjectId,
  delivered: Delivered[],
  now: Date,
  kind: 'receipt' | 'status' = 'receipt',
): Promise<Set<ObjectId>> {
  if (delivered.length === 0) return new Set()
  const rows = delivered.map(({ id, deliveredAt, entryId }) => ({
    id,
    entry_id: entryId,
    instant: databaseInstant(deliveredAt),
    text: deliveredAt.toISOString(),
  }))
  const chosen = chooseInOrder(
    shopId,
    rows.map(({ id }) => id),
    ['RECEIVED'],
    sql`m.delivered_at is null`,
  )
  const changed = sql.ref('changed')
  const charged = sql`(select * from ${changed} where receipt_within_seconds is not null and not is_late) as charged`
  // Most receipts charge nothing, and their statement leaves this part out.
  const fees = delivered.some(({ isCharged }) => isCharged)
    ? sql`${settleFees(shopId, charged, now)}, `
    : sql``
  const { rows: noted } = await sql<{ id: ObjectId }>`
    with ${chosen.expressions}${changed} as (
      update messages m
      set delivered_at = given.instant, receipt_due_at = null, updated_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, entry_id text, instant timestamptz, text text)
      where m.shop_id = ${shopId} and ${chosen.where} and given.id = m.id
      returning ${notifiedColumns}, m.receipt_within_seconds, given.entry_id, 0::bigint as returned,
        given.text as delivered_text
    ), ${fees}${addEvent(changed, { kind: sql.lit(kind), detail: sql`jsonb_build_object('delivered_at', delivered_text)` }, now)},
    ${notifyOfMessages(shopId, ['message.delivered'], changed, now)}
    select id
    from ${changed}`.execute(db)
  return new Set(noted.map((row) => row.id))
}
