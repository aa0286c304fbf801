import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** A shop's money in đồng: what can be spent, and what is set aside for messages under way. */
export type WalletRow = { balance: number; held: number }

export async function findWallet(db: Db, shopId: ObjectId): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select balance, held
    from wallets
    where shop_id = ${shopId}`.execute(db)
  return rows[0]
}

/**
 * Adds `amount` đồng to the balance (a negative one corrects) with its ledger entry, in one statement (G-61).
 * @returns the wallet afterwards; `undefined` when the shop is unknown or the balance would fall below 0.
 */
export async function insertWalletEntry(
  db: Db,
  shopId: ObjectId,
  entry: { id: ObjectId; amount: number; note: string; now: Date },
): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    with changed as (
      update wallets
      set balance = balance + ${entry.amount}::bigint
      where shop_id = ${shopId} and balance + ${entry.amount}::bigint between 0 and 9007199254740991
      returning shop_id, balance, held
    ), entry as (
      insert into wallet_entries
        (shop_id, id, type, amount, held_change, balance_after, held_after, note, created_at)
      select shop_id, ${entry.id}, ${entry.amount > 0 ? 'top_up' : 'correction'}, ${entry.amount}::bigint, 0, balance,
        held, ${entry.note}, ${entry.now}
      from changed
    )
    select balance, held
    from changed`.execute(db)
  return rows[0]
}

/**
 * Sets `fee` đồng aside for a message, with its ledger entry. The message's row must be inserted before,
 * in the same transaction or statement order.
 * @returns false when the balance is lower than the fee: nothing is changed (G-26).
 */
export async function hold(
  trx: Db,
  shopId: ObjectId,
  entry: { id: ObjectId; messageId: ObjectId; fee: number; now: Date },
): Promise<boolean> {
  if (entry.fee === 0) return true
  const { rows } = await sql`
    with changed as (
      update wallets
      set balance = balance - ${entry.fee}::bigint, held = held + ${entry.fee}::bigint
      where shop_id = ${shopId} and balance >= ${entry.fee}::bigint
      returning shop_id, balance, held
    )
    insert into wallet_entries
      (shop_id, id, type, amount, held_change, balance_after, held_after, message_id, created_at)
    select shop_id, ${entry.id}, 'hold', -${entry.fee}::bigint, ${entry.fee}::bigint, balance, held,
      ${entry.messageId}, ${entry.now}
    from changed
    returning id`.execute(trx)
  return rows.length > 0
}
