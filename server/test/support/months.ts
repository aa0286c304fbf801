import { sql } from 'kysely'
import type { Db } from '../../src/db/client.ts'
import { createIds, type ObjectId } from '../../src/lib/object-id.ts'

/** An id of that moment, as the service would have made it. */
export function idOf(at: Date): ObjectId {
  return createIds({ now: () => at }).next()
}

/** Inserts a delivered message of that moment with a template of the shop, without a fee, and with `steps` in its timeline. */
export async function insertMessageOf(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
  { at, steps }: { at: Date; steps: number },
): Promise<ObjectId> {
  const id = idOf(at)
  await sql`
    insert into messages (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, params, state, fee,
      session_id, sent_at, created_at, updated_at)
    values (${shopId}, ${id}, ${templateId}, 'p', 'oa', 'phone', '84912345678', '{}', 'RECEIVED', 0, ${id}, ${at}, ${at}, ${at})`.execute(
    db,
  )
  for (let n = 0; n < steps; n++) await insertStepOf(db, shopId, id, at)
  return id
}

export async function insertStepOf(db: Db, shopId: ObjectId, messageId: ObjectId, at: Date): Promise<void> {
  await sql`
    insert into message_events (shop_id, message_id, kind, detail, created_at)
    values (${shopId}, ${messageId}, 'sent', '{}', ${at})`.execute(db)
}

/** The number of steps of each message of the shop that has any. */
export async function stepsOf(db: Db, shopId: ObjectId): Promise<Record<ObjectId, number>> {
  const { rows } = await sql<{ id: ObjectId; n: number }>`
    select message_id as id, count(*)::integer as n
    from message_events
    where shop_id = ${shopId}
    group by message_id`.execute(db)
  return Object.fromEntries(rows.map(({ id, n }) => [id, n]))
}

/** Inserts an order of that moment, whose timeline has its creation. */
export async function insertOrderOf(db: Db, shopId: ObjectId, at: Date): Promise<ObjectId> {
  const id = idOf(at)
  await sql`
    insert into orders (shop_id, id, code, price, origin_price, status, search, platform, created_at, updated_at)
    values (${shopId}, ${id}, ${id}, 50000, 50000, 'pending', '', 'mini_pos', ${at}, ${at})`.execute(db)
  return id
}

/** The number of entries in the timeline of each order of the shop that has any. */
export async function timelinesOf(db: Db, shopId: ObjectId): Promise<Record<ObjectId, number>> {
  const { rows } = await sql<{ id: ObjectId; n: number }>`
    select order_id as id, count(*)::integer as n
    from order_events
    where shop_id = ${shopId}
    group by order_id`.execute(db)
  return Object.fromEntries(rows.map(({ id, n }) => [id, n]))
}
