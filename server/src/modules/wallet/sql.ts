import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import type { Edit } from '../../lib/edit.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { addShopEvents } from '../webhooks/outbox/sql.ts'

/** The expression of the statement that has the wallet after its change. */
export const wallet = sql.ref('wallet')

/**
 * The time of a wallet's next entry, for the change of its row: `now`, or just after the entry before if that is later, because another
 * change got the row first. So the entries in the order of their times are the ledger (G-28). `row` is the wallet's row.
 */
export function nextEntryAt(now: Date, row = sql.ref('wallets')): RawBuilder<unknown> {
  return sql`greatest(${now}::timestamptz, ${row}.last_entry_at + interval '1 microsecond')`
}

/** A shop's money in đồng: the balance that can be spent, and the amount held for messages in progress. */
export type WalletRow = { balance: number; held: number }

export async function findWallet(db: Db, shopId: ObjectId): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select balance, held
    from wallets
    where shop_id = ${shopId}`.execute(db)
  return rows[0]
}

/** The wallet if it has an entry with this id, or undefined; a repeated top-up checks this first (G-10). */
export async function findWalletOfEntry(
  db: Db,
  shopId: ObjectId,
  entryId: ObjectId,
): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select w.balance, w.held
    from wallet_entries e
    join wallets w on w.shop_id = e.shop_id
    where e.shop_id = ${shopId} and e.id = ${entryId}`.execute(db)
  return rows[0]
}

export type WalletAlertRow = {
  version: number
  /** The balance in đồng below which the shop is notified (G-62); null for never. */
  low_below: number | null
}

export async function findWalletAlert(db: Db, shopId: ObjectId): Promise<WalletAlertRow | undefined> {
  const { rows } = await sql<WalletAlertRow>`
    select alert_version as version, low_below
    from wallets
    where shop_id = ${shopId}`.execute(db)
  return rows[0]
}

/** Sets the threshold in a version that the caller knows; undefined when it has another one (G-71). */
export async function updateWalletAlert(
  db: Db,
  shopId: ObjectId,
  { lowBelow, now }: { lowBelow: number | null; now: Date },
  { by, known }: Edit,
): Promise<WalletAlertRow | undefined> {
  const isKnown = known === undefined ? sql`` : sql`and alert_version = any(${known}::integer[])`
  const { rows } = await sql<WalletAlertRow>`
    update wallets
    set low_below = ${lowBelow}::bigint, alert_version = alert_version + 1, alert_updated_at = ${now},
      alert_updated_by = ${by}
    where shop_id = ${shopId} ${isKnown}
    returning alert_version as version, low_below`.execute(db)
  return rows[0]
}

/**
 * Adds `amount` đồng (negative only for a correction) to the balance with its ledger entry, in one statement (G-61).
 * @returns the wallet after the change; `undefined` when the shop is unknown or the balance would fall below 0.
 */
export async function insertWalletEntry(
  db: Db,
  shopId: ObjectId,
  entry: { id: ObjectId; type: 'top_up' | 'correction'; amount: number; note: string; now: Date },
): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    with changed as (
      update wallets
      set balance = balance + ${entry.amount}::bigint, last_entry_at = ${nextEntryAt(entry.now)}
      where shop_id = ${shopId} and balance + ${entry.amount}::bigint between 0 and 9007199254740991
      returning shop_id, balance, held, low_below, balance - ${entry.amount}::bigint as balance_before, last_entry_at
    ), entry as (
      insert into wallet_entries
        (shop_id, id, type, amount, held_change, balance_after, held_after, note, created_at)
      select shop_id, ${entry.id}, ${entry.type}, ${entry.amount}::bigint, 0, balance,
        held, ${entry.note}, last_entry_at
      from changed
    ), ${notifyOfLowBalance(shopId, sql.ref('changed'), entry.now)}
    select balance, held
    from changed`.execute(db)
  return rows[0]
}

/**
 * The common table expressions that hold a message's fee, for the statement that inserts the message (G-26): either
 * both happen or neither. `condition` is a further condition. If the balance is below the fee or the fee is 0,
 * {@link wallet} is empty and nothing is changed.
 */
export function holdFee(
  shopId: ObjectId,
  hold: { entryId: ObjectId; messageId: ObjectId; fee: number; now: Date },
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`${wallet} as (
      update wallets
      set balance = balance - ${hold.fee}::bigint, held = held + ${hold.fee}::bigint,
        last_entry_at = ${nextEntryAt(hold.now)}
      where shop_id = ${shopId} and ${hold.fee}::bigint > 0 and balance >= ${hold.fee}::bigint
        and ${condition}
      returning shop_id, balance, held, low_below, balance + ${hold.fee}::bigint as balance_before, last_entry_at
    ), wallet_entry as (
      insert into wallet_entries
        (shop_id, id, type, amount, held_change, balance_after, held_after, message_id, created_at)
      select shop_id, ${hold.entryId}, 'hold', -${hold.fee}::bigint, ${hold.fee}::bigint, balance, held,
        ${hold.messageId}, last_entry_at
      from ${wallet}
    ), ${notifyOfLowBalance(shopId, wallet, hold.now)}`
}

/**
 * The common table expressions that end the holds of all messages in the expression `ended` (`id`, `fee`, `entry_id`,
 * `returned`), which must be of this shop (G-26). `returned` is 0, which captures the fee, or the whole fee, which
 * releases it. The wallet changes once, and each message gets an entry, with running balances in the order of the
 * messages' ids. A message without fee has no hold. `note` gives the reason in the entries where it is not obvious.
 */
export function settleFees(
  shopId: ObjectId,
  ended: RawBuilder<unknown>,
  now: Date,
  note = '',
): RawBuilder<unknown> {
  return sql`fee as (
      select id as message_id, entry_id, fee, returned, (sum(fee) over by_id)::bigint as fee_so_far,
        (sum(returned) over by_id)::bigint as returned_so_far, row_number() over by_id as place
      from ${ended}
      where fee > 0
      window by_id as (order by id)
    ), ${wallet} as (
      update wallets
      set balance = balance + total.returned, held = held - total.fee,
        last_entry_at = ${nextEntryAt(now)} + total.n * interval '1 microsecond'
      from (select count(*) as n, sum(fee)::bigint as fee, sum(returned)::bigint as returned from fee) as total
      where shop_id = ${shopId} and total.fee > 0
      returning shop_id, balance - total.returned as balance_before, held + total.fee as held_before,
        last_entry_at - total.n * interval '1 microsecond' as entries_from
    ), wallet_entry as (
      insert into wallet_entries
        (shop_id, id, type, amount, held_change, balance_after, held_after, message_id, note, created_at)
      select wallet.shop_id, fee.entry_id, case when fee.returned = 0 then 'capture' else 'release' end, fee.returned,
        -fee.fee, wallet.balance_before + fee.returned_so_far, wallet.held_before - fee.fee_so_far, fee.message_id,
        ${note}::text, wallet.entries_from + fee.place * interval '1 microsecond'
      from fee
      cross join ${wallet} as wallet
    )`
}

/**
 * The common table expressions that charge the fee of the message in the expression `ended` (`shop_id`, `id`, `fee`; at
 * most one row) that arrived after its hold was released. They charge as much of the fee as the balance covers, since
 * that never falls below 0, and record the rest in the entry as owed (decision 0006). {@link wallet} has the amount
 * `charged`.
 */
export function captureLate(
  shopId: ObjectId,
  ended: RawBuilder<unknown>,
  { entryId, now }: { entryId: ObjectId; now: Date },
): RawBuilder<unknown> {
  return sql`had as (
      select shop_id, balance
      from wallets
      where shop_id = ${shopId} and exists (select from ${ended} where fee > 0)
      for update
    ), ${wallet} as (
      update wallets w
      set balance = w.balance - least(had.balance, late.fee), last_entry_at = ${nextEntryAt(now, sql.ref('w'))}
      from had, ${ended} as late
      where w.shop_id = had.shop_id and late.shop_id = had.shop_id
      returning w.shop_id, w.balance, w.held, w.low_below, had.balance as balance_before, late.id as message_id,
        late.fee, least(had.balance, late.fee) as charged, w.last_entry_at
    ), wallet_entry as (
      insert into wallet_entries
        (shop_id, id, type, amount, held_change, balance_after, held_after, owed, message_id, created_at)
      select shop_id, ${entryId}, 'late_capture', -charged, 0, balance, held, fee - charged, message_id, last_entry_at
      from ${wallet}
    ), ${notifyOfLowBalance(shopId, wallet, now)}`
}

export type WalletEntryRow = {
  id: ObjectId
  type:
    | 'top_up'
    | 'correction'
    | 'hold'
    | 'capture'
    | 'release'
    | 'late_capture'
    | 'sms_hold'
    | 'sms_capture'
    | 'sms_release'
  amount: number
  held_change: number
  /** The part of a late capture that the balance did not cover. */
  owed: number
  balance_after: number
  held_after: number
  message_id: ObjectId | null
  note: string
  created_at: Date
}

/**
 * One page of a shop's ledger, newest first (G-28). Index wallet_entries_by_created. There is no total: counting a
 * ledger costs as much as reading it. One row more than the page is read, to know whether there is a next page.
 */
export async function listWalletEntries(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ entries: WalletEntryRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and id = any(${ids}::text[])`
  const { rows } = await sql<WalletEntryRow & { cursor_key: number }>`
    select id, type, amount, held_change, owed, balance_after, held_after, message_id, note, created_at,
      ${microseconds(sql`created_at`)} as cursor_key
    from wallet_entries
    where shop_id = ${shopId}${among}${rowsAfter(sql`created_at`, sql`id`, after)}
    order by created_at desc, id desc
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page: entries, hasMore, last } = pageOf(rows, limit)
  return { entries, hasMore, last }
}

/**
 * The next `limit` entries of a period after an entry, oldest first. One statement, a range of
 * wallet_entries_by_created.
 */
export async function listWalletEntriesAfter(
  db: Db,
  shopId: ObjectId,
  span: { from: Date; before: Date },
  after: { id: ObjectId } | undefined,
  limit: number,
): Promise<WalletEntryRow[]> {
  // Compares with the entry's row, because a Date has milliseconds but the column has microseconds.
  const later = sql`
    and (created_at, id) > (
      select created_at, id
      from wallet_entries
      where shop_id = ${shopId} and id = ${after?.id}
    )`
  const { rows } = await sql<WalletEntryRow>`
    select id, type, amount, held_change, owed, balance_after, held_after, message_id, note, created_at
    from wallet_entries
    where shop_id = ${shopId} and created_at >= ${span.from} and created_at < ${span.before}
      ${after === undefined ? sql`` : later}
    order by created_at, id
    limit ${limit}`.execute(db)
  return rows
}

/** The wallet, locked until the transaction ends, for {@link holdFees}. */
export async function lockWallet(trx: Db, shopId: ObjectId): Promise<WalletRow | undefined> {
  const { rows } = await sql<WalletRow>`
    select balance, held
    from wallets
    where shop_id = ${shopId}
    for update`.execute(trx)
  return rows[0]
}

/**
 * Holds the fees of many messages: one change of the wallet and one entry per message, in one statement (G-26, G-27).
 * The running balances of the entries follow the order given. Messages without fee have no entry. The balance must
 * suffice: the caller has checked it with {@link lockWallet}.
 */
export async function holdFees(
  trx: Db,
  shopId: ObjectId,
  holds: { entryId: ObjectId; messageId: ObjectId; fee: number }[],
  now: Date,
): Promise<void> {
  const given = holds
    .filter(({ fee }) => fee > 0)
    .map(({ entryId, messageId, fee }, place) => ({ place, entry_id: entryId, message_id: messageId, fee }))
  if (given.length === 0) return
  await sql`
    with fee as (
      select entry_id, message_id, fee, (sum(fee) over (order by place))::bigint as fee_so_far, place
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (place int, entry_id text, message_id text, fee bigint)
    ), ${wallet} as (
      update wallets
      set balance = balance - total.fee, held = held + total.fee,
        last_entry_at = ${nextEntryAt(now)} + total.n * interval '1 microsecond'
      from (select count(*) as n, sum(fee)::bigint as fee from fee) as total
      where shop_id = ${shopId}
      returning shop_id, balance, held, low_below, balance + total.fee as balance_before,
        held - total.fee as held_before, last_entry_at - total.n * interval '1 microsecond' as entries_from
    ), ${notifyOfLowBalance(shopId, wallet, now)}
    insert into wallet_entries
      (shop_id, id, type, amount, held_change, balance_after, held_after, message_id, created_at)
    select wallet.shop_id, fee.entry_id, 'hold', -fee.fee, fee.fee, wallet.balance_before - fee.fee_so_far,
      wallet.held_before + fee.fee_so_far, fee.message_id, wallet.entries_from + fee.place * interval '1 microsecond'
    from fee
    cross join ${wallet} as wallet`.execute(trx)
}

/**
 * The common table expression that notifies the shop's endpoints when the balance falls below the shop's threshold,
 * once per crossing (G-62). `changed` is the expression with the wallet after its change and `balance_before`.
 */
export function notifyOfLowBalance(
  shopId: ObjectId,
  changed: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> {
  const data = sql`jsonb_build_object('balance', balance, 'held', held, 'lowBelow', low_below)`
  const from = sql`${changed} where balance < low_below and balance_before >= low_below`
  return addShopEvents('wallet_low', shopId, [{ type: 'wallet.low', data, from }], now)
}
