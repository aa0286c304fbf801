import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { tellMessage, toldColumns } from '../history/event-sql.ts'
import type { MessageState } from '../rules.ts'

/** What a receipt names its message by; `key` is the caller's. */
export type NamedReceipt = {
  key: string
  oaId: string
  messageId: ObjectId | null
  sessionId: string | null
}

/** Which message a receipt is about, and the state it was seen in. */
export type SeenTarget = { key: string; shop_id: ObjectId; id: ObjectId; state: MessageState }

/**
 * The messages that receipts are about: by our id, else by the platform's session; none for those that match nothing.
 * It looks across shops as `findReceiptTarget`. One statement; indexes official_accounts_by_oa, messages_pkey and
 * messages_by_session.
 */
export async function listReceiptTargets(db: Db, receipts: NamedReceipt[]): Promise<SeenTarget[]> {
  if (receipts.length === 0) return []
  const { rows } = await sql<SeenTarget>`
    select given.key, target.shop_id, target.id, target.state
    from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb)
      as given (key text, "oaId" text, "messageId" text, "sessionId" text)
    cross join lateral (
      select m.shop_id, m.id, m.state
      from official_accounts oa
      join messages m on m.shop_id = oa.shop_id and m.oa_id = oa.oa_id
      where oa.oa_id = given."oaId" and m.id = given."messageId"
      union all
      select m.shop_id, m.id, m.state
      from official_accounts oa
      join messages m on m.shop_id = oa.shop_id and m.oa_id = oa.oa_id
      where oa.oa_id = given."oaId" and m.session_id = given."sessionId" and m.session_id <> ''
      limit 1
    ) as target`.execute(db)
  return rows
}

/**
 * Notes when received messages of a shop reached the phone, in one statement; each changes once, the first receipt
 * stands (G-25). `deliveredAt` is ISO 8601. Rows are locked in the order of their ids, as by `settleGroupAsReceived`.
 */
export async function updateDeliveredGroup(
  trx: Db,
  shopId: ObjectId,
  delivered: { id: ObjectId; deliveredAt: string }[],
  now: Date,
): Promise<void> {
  await sql`
    with given as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(delivered)}::jsonb) as given (id text, "deliveredAt" text)
    ), locked as materialized (
      select m.shop_id, m.id
      from messages m
      where m.shop_id = ${shopId} and m.id = any(array(select id from given)) and m.state = 'RECEIVED'
        and m.delivered_at is null
      order by m.id
      for update
    ), changed as (
      update messages m
      set delivered_at = given."deliveredAt"::timestamptz, updated_at = ${now}
      from locked
      join given on given.id = locked.id
      where m.shop_id = locked.shop_id and m.id = locked.id
      returning m.*, given."deliveredAt" as told_at
    ), event as (
      insert into message_events (shop_id, message_id, kind, detail, created_at)
      select shop_id, id, 'receipt', jsonb_build_object('delivered_at', told_at), ${now}::timestamptz
      from changed
      order by id
    ), told as (
      select ${toldColumns}
      from changed
    ), ${tellMessage(shopId, 'message.delivered', 'told', now)}
    select id
    from changed`.execute(trx)
}
