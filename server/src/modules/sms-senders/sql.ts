import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

export type SmsSenderRow = {
  provider: string
  brandname: string
  /** Sealed. */
  keys: Uint8Array
  /** The id of these keys; null if they were set before keys had ids. */
  keys_id: ObjectId | null
  /** The price of one SMS, in đồng. */
  price: number
  created_at: Date
  updated_at: Date
}

const columns = sql.raw('provider, brandname, keys, keys_id, price, created_at, updated_at')

/** A shop's SMS sender, or undefined. */
export async function findSmsSender(db: Db, shopId: ObjectId): Promise<SmsSenderRow | undefined> {
  const { rows } = await sql<SmsSenderRow>`
    select ${columns}
    from sms_senders
    where shop_id = ${shopId}`.execute(db)
  return rows[0]
}

/** How often the shop's SMS sender was changed, its removals too (G-71). */
export async function findSenderVersion(db: Db, shopId: ObjectId): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select sms_sender_version as version
    from shops
    where id = ${shopId}`.execute(db)
  return rows[0]!.version
}

/** The same, with the shop locked until the transaction ends. */
export async function lockSenderVersion(trx: Trx, shopId: ObjectId): Promise<number> {
  await sql`
    select id
    from shops
    where id = ${shopId}
    for no key update`.execute(trx)
  return findSenderVersion(trx, shopId)
}

/** Notes that the shop's SMS sender was changed or removed, and by whom. @returns the new version. */
export async function updateSenderVersion(
  trx: Trx,
  shopId: ObjectId,
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update shops
    set sms_sender_version = sms_sender_version + 1, sms_sender_updated_at = ${now}, sms_sender_updated_by = ${by}
    where id = ${shopId}
    returning sms_sender_version as version`.execute(trx)
  return rows[0]!.version
}

/** Sets or replaces the shop's SMS sender. */
export async function upsertSmsSender(
  trx: Trx,
  shopId: ObjectId,
  sender: Pick<SmsSenderRow, 'provider' | 'brandname' | 'keys' | 'keys_id' | 'price'> & { now: Date },
): Promise<SmsSenderRow> {
  const { rows } = await sql<SmsSenderRow>`
    insert into sms_senders (shop_id, provider, brandname, keys, keys_id, price, created_at, updated_at)
    values (${shopId}, ${sender.provider}, ${sender.brandname}, ${sender.keys}, ${sender.keys_id}, ${sender.price},
      ${sender.now}, ${sender.now})
    on conflict (shop_id) do update
    set provider = excluded.provider, brandname = excluded.brandname, keys = excluded.keys, keys_id = excluded.keys_id,
      price = excluded.price, updated_at = excluded.updated_at
    returning ${columns}`.execute(trx)
  return rows[0]!
}

/** Deletes the shop's SMS sender. @returns the sender that the shop had. */
export async function deleteSmsSender(trx: Trx, shopId: ObjectId): Promise<SmsSenderRow | undefined> {
  const { rows } = await sql<SmsSenderRow>`
    delete from sms_senders
    where shop_id = ${shopId}
    returning ${columns}`.execute(trx)
  return rows[0]
}

/** Keys that SMS of a shop may have been handed over with. */
export type ReportingSender = Pick<SmsSenderRow, 'provider' | 'keys' | 'keys_id'>

/** A shop's current SMS sender and its recent former ones: any of them may report on the shop's SMS. */
export async function listReportingSenders(db: Db, shopId: ObjectId): Promise<ReportingSender[]> {
  const { rows } = await sql<ReportingSender>`
    select provider, keys, keys_id
    from sms_senders
    where shop_id = ${shopId}
    union all
    (
      select provider, keys, keys_id
      from former_sms_senders
      where shop_id = ${shopId}
      order by replaced_at desc
      limit 100
    )`.execute(db)
  return rows
}

/** Keeps the keys of a sender that is replaced or removed; keys that were set before keys had ids are not kept. */
export async function insertFormerSender(
  trx: Trx,
  shopId: ObjectId,
  { keys_id: keysId, provider, brandname, keys }: SmsSenderRow,
  now: Date,
): Promise<void> {
  if (keysId === null) return
  await sql`
    insert into former_sms_senders (shop_id, keys_id, provider, brandname, keys, replaced_at)
    values (${shopId}, ${keysId}, ${provider}, ${brandname}, ${keys}, ${now})
    on conflict do nothing`.execute(trx)
}

/** Deletes up to `limit` former senders that were replaced before `before`, for all shops. @returns how many. */
export async function deleteFormerSenders(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select shop_id, keys_id
      from former_sms_senders
      where replaced_at < ${before}
      limit ${limit}
      for update skip locked
    )
    delete from former_sms_senders
    where (shop_id, keys_id) in (select shop_id, keys_id from due)
    returning keys_id`.execute(db)
  return rows.length
}
