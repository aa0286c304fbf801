import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

export type SmsSenderRow = {
  provider: string
  brandname: string
  /** Sealed. */
  keys: Uint8Array
  /** Of these keys; null for those that were set before keys had ids. */
  keys_id: ObjectId | null
  /** Of one SMS, in đồng. */
  price: number
  created_at: Date
  updated_at: Date
}

const columns = sql.raw('provider, brandname, keys, keys_id, price, created_at, updated_at')

/** Who sends a shop's SMS, or undefined. */
export async function findSmsSender(db: Db, shopId: ObjectId): Promise<SmsSenderRow | undefined> {
  const { rows } = await sql<SmsSenderRow>`
    select ${columns}
    from sms_senders
    where shop_id = ${shopId}`.execute(db)
  return rows[0]
}

/** Sets the shop's sender, in place of the one that it has. */
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

/** @returns the sender that the shop had. */
export async function deleteSmsSender(trx: Trx, shopId: ObjectId): Promise<SmsSenderRow | undefined> {
  const { rows } = await sql<SmsSenderRow>`
    delete from sms_senders
    where shop_id = ${shopId}
    returning ${columns}`.execute(trx)
  return rows[0]
}
