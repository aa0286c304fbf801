import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { captureFees } from '../../wallet/sql.ts'
import { tellMessage, toldColumns } from '../history/event-sql.ts'

/** A message that the platform took; as `settleAsReceived` settles it. */
export type TakenMessage = {
  messageId: ObjectId
  entryId: ObjectId
  sessionId: string
  sentAt: Date
  maskedParams: Readonly<Record<string, string>>
  /** The platform's answer as JSON text that the database takes, or null. */
  answer: string | null
}

/**
 * Ends several messages of a shop as RECEIVED and captures their holds, in one statement: the wallet and each counter
 * are changed once. Rows are locked in the order of their ids, so that two such statements never wait for each other.
 * @returns the ids of those it has ended; any other had ended already.
 */
export async function settleGroupAsReceived(
  db: Db,
  shopId: ObjectId,
  taken: TakenMessage[],
  now: Date,
): Promise<Set<ObjectId>> {
  const { rows } = await sql<{ id: ObjectId }>`
    with given as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as given ("messageId" text, "entryId" text,
        "sessionId" text, "sentAt" timestamptz, "maskedParams" jsonb, answer text)
    ), locked as materialized (
      select m.shop_id, m.id
      from messages m
      where m.shop_id = ${shopId} and m.id = any(array(select "messageId" from given))
        and m.state in ('SENDING', 'UNKNOWN')
      order by m.id
      for update
    ), ended as (
      update messages m
      set state = 'RECEIVED', session_id = given."sessionId", sent_at = given."sentAt", delivered_at = null,
        lease_until = null, sender_id = null, settle_at = null, params = given."maskedParams",
        platform_answer = given.answer::jsonb, updated_at = ${now}
      from locked
      join given on given."messageId" = locked.id
      where m.shop_id = locked.shop_id and m.id = locked.id
      returning m.*, given."entryId" as entry_id
    ), ${captureFees(shopId, now)}, event as (
      insert into message_events (shop_id, message_id, kind, detail, created_at)
      select shop_id, id, 'sent', jsonb_build_object('session_id', session_id), ${now}::timestamptz
      from ended
      order by id
    ), told as (
      select ${toldColumns}
      from ended
    ), ${tellMessage(shopId, 'message.received', 'told', now)}
    select id
    from ended`.execute(db)
  return new Set(rows.map((row) => row.id))
}
