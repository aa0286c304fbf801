import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'
import { nextEntryAt, notifyOfLowBalance, wallet } from './sql.ts'

/**
 * The common table expressions that hold the fee of an SMS, for the statement that inserts the SMS (G-92). If the
 * balance is below the fee, {@link wallet} is empty and nothing is changed.
 */
export function holdSmsFee(
  shopId: ObjectId,
  hold: { entryId: ObjectId; messageId: ObjectId; fee: number; now: Date },
): RawBuilder<unknown> {
  return sql`${wallet} as (
      update wallets
      set balance = balance - ${hold.fee}::bigint, held = held + ${hold.fee}::bigint,
        last_entry_at = ${nextEntryAt(hold.now)}
      where shop_id = ${shopId} and balance >= ${hold.fee}::bigint
      returning shop_id, balance, held, low_below, balance + ${hold.fee}::bigint as balance_before, last_entry_at
    ), wallet_entry as (
      insert into wallet_entries
        (shop_id, id, type, amount, held_change, balance_after, held_after, message_id, created_at)
      select shop_id, ${hold.entryId}, 'sms_hold', -${hold.fee}::bigint, ${hold.fee}::bigint, balance, held,
        ${hold.messageId}, last_entry_at
      from ${wallet}
    ), ${notifyOfLowBalance(shopId, wallet, hold.now)}`
}

/**
 * The common table expressions that end the hold of the SMS in the expression `done` (`message_id`, `fee`; at most one
 * row): it is captured if the SMS arrived, else released.
 */
export function settleSmsFee(
  shopId: ObjectId,
  done: RawBuilder<unknown>,
  { entryId, isCaptured, now }: { entryId: ObjectId; isCaptured: boolean; now: Date },
): RawBuilder<unknown> {
  const returned = isCaptured ? sql`0::bigint` : sql`done.fee`
  return sql`${wallet} as (
      update wallets w
      set balance = w.balance + ${returned}, held = w.held - done.fee, last_entry_at = ${nextEntryAt(now, sql.ref('w'))}
      from ${done} as done
      where w.shop_id = ${shopId}
      returning w.shop_id, w.balance, w.held, done.fee, ${returned} as returned, done.message_id,
        w.last_entry_at
    ), wallet_entry as (
      insert into wallet_entries
        (shop_id, id, type, amount, held_change, balance_after, held_after, message_id, created_at)
      select shop_id, ${entryId}, ${isCaptured ? 'sms_capture' : 'sms_release'}, returned, -fee, balance, held, message_id,
        last_entry_at
      from ${wallet}
    )`
}
