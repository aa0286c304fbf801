import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { databaseInstant } from '../../../lib/dates.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { addEvent, notifiedColumns, notifyOfMessages } from '../history/event-sql.ts'
import { chooseInOrder } from '../outcome/settle-sql.ts'
import type { MessageState } from '../rules.ts'

/** What a receipt names its message by; `key` is the caller's. */
export type NamedReceipt = {
  key: string
  oaId: string
  messageId: ObjectId | null
  sessionId: string | null
}

/** Which message a receipt is about, and the state it was seen in; what ending it needs is null where it has ended. */
export type ReceiptTarget = {
  key: string
  shop_id: ObjectId
  id: ObjectId
  state: MessageState
  params: Record<string, string> | null
  /** The template's params. */
  declared: TemplateParam[] | null
}

/**
 * The messages that receipts are about: by our id, else by the platform's session; none for those that match nothing.
 * The one place that looks across shops, since an official account names its shop only here. One statement; indexes
 * official_accounts_by_oa, messages_pkey and messages_by_session.
 */
export async function listReceiptTargets(db: Db, receipts: NamedReceipt[]): Promise<ReceiptTarget[]> {
  if (receipts.length === 0) return []
  const target = sql`m.shop_id, m.id, m.state, m.template_id, m.params
      from official_accounts oa
      join messages m on m.shop_id = oa.shop_id and m.oa_id = oa.oa_id`
  const { rows } = await sql<ReceiptTarget>`
    select given.key, target.shop_id, target.id, target.state, t.params as declared,
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

/**
 * Notes when RECEIVED messages of a shop reached the phone, in one statement; each changes once, the first receipt
 * stands (G-25). @returns the ids of those that it has changed.
 */
export async function updateDelivered(
  db: Db,
  shopId: ObjectId,
  delivered: { id: ObjectId; deliveredAt: Date }[],
  now: Date,
): Promise<Set<ObjectId>> {
  if (delivered.length === 0) return new Set()
  const rows = delivered.map(({ id, deliveredAt }) => ({
    id,
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
  const { rows: noted } = await sql<{ id: ObjectId }>`
    with ${chosen.expressions}${changed} as (
      update messages m
      set delivered_at = given.instant, updated_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, instant timestamptz, text text)
      where m.shop_id = ${shopId} and ${chosen.where} and given.id = m.id
      returning ${notifiedColumns}, given.text as delivered_text
    ), ${addEvent(changed, { kind: 'receipt', detail: sql`jsonb_build_object('delivered_at', delivered_text)` }, now)},
    ${notifyOfMessages(shopId, 'message.delivered', changed, now)}
    select id
    from ${changed}`.execute(db)
  return new Set(noted.map((row) => row.id))
}
