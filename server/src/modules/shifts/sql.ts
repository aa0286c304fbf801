import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import { whoOf } from '../../db/fragments/who-sql.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Who } from '../../lib/who.ts'
import type { MethodSum } from './rules.ts'

/** A shift with the sums of its payments and movements of cash, in đồng. */
export type ShiftRow = {
  shop_id: ObjectId
  id: ObjectId
  opened_by: Who | null
  opened_at: Date
  opening_cash: number
  note: string
  closed_by: Who | null
  closed_at: Date | null
  expected_cash: number | null
  counted_cash: number | null
  closing_note: string
  methods: MethodSum[]
  cash_in: number
  cash_out: number
}

/** Cash put into the drawer, or, if negative, taken out, in đồng. */
export type CashRow = {
  id: ObjectId
  amount: number
  reason: string
  recorded_by: Who | null
  /** ISO 8601 with an offset. */
  created_at: string
}

/** The constraint whose violation means SHIFT_OPEN. */
export const ONE_OPEN_CONSTRAINT = 'shifts_one_open'

const who = (column: string) => whoOf(sql`s.shop_id`, sql.ref(column))

/** Indexes gateway_payments_by_shift and the primary key of shift_cash. */
const shown = sql`s.shop_id, s.id, ${who('s.opened_by')} as opened_by, s.opened_at, s.opening_cash, s.note,
      ${who('s.closed_by')} as closed_by, s.closed_at, s.expected_cash, s.counted_cash, s.closing_note, (
        select coalesce(json_agg(json_build_object('method', m.method, 'taken', m.taken, 'refunded', m.refunded,
          'payments', m.payments) order by m.method), '[]')
        from (
          select g.method, count(*) as payments, coalesce(sum(g.amount) filter (where g.amount > 0), 0)::bigint as taken,
            coalesce(-sum(g.amount) filter (where g.amount < 0), 0)::bigint as refunded
          from gateway_payments g
          where g.shop_id = s.shop_id and g.shift_id = s.id
          group by g.method
        ) as m
      ) as methods, (
        select coalesce(sum(c.amount), 0)::bigint
        from shift_cash c
        where c.shop_id = s.shop_id and c.shift_id = s.id and c.amount > 0
      ) as cash_in, (
        select coalesce(-sum(c.amount), 0)::bigint
        from shift_cash c
        where c.shop_id = s.shop_id and c.shift_id = s.id and c.amount < 0
      ) as cash_out`

/**
 * The open shift of a key or a member, locked against closing until the transaction ends: closing waits, and includes
 * this sale. If it is being closed, this waits and finds none. `soldAt` is given if the sale was made earlier: a shift
 * that was opened after it is left out, because its opening cash already includes that sale's cash.
 */
export function openShiftOf(
  shopId: ObjectId,
  by: ObjectId | null,
  soldAt: Date | undefined,
): RawBuilder<unknown> {
  const wasOpen = soldAt === undefined ? sql`` : sql` and s.opened_at <= ${soldAt}`
  return sql`
      select s.id
      from shifts s
      where s.shop_id = ${shopId} and s.opened_by = ${by} and s.closed_at is null${wasOpen}
      for key share`
}

/**
 * Inserts an open shift. @throws the unique violation {@link ONE_OPEN_CONSTRAINT}; of `shifts_pkey` for an id in use.
 */
export async function insertShift(
  db: Db,
  shopId: ObjectId,
  shift: { id: ObjectId; openedBy: ObjectId; openingCash: number; note: string; now: Date },
): Promise<void> {
  await sql`
    insert into shifts (shop_id, id, opened_by, opened_at, opening_cash, note)
    values (${shopId}, ${shift.id}, ${shift.openedBy}, ${shift.now}, ${shift.openingCash}, ${shift.note})`.execute(
    db,
  )
}

export async function findShift(db: Db, shopId: ObjectId, id: ObjectId): Promise<ShiftRow | undefined> {
  const { rows } = await sql<ShiftRow>`
    select ${shown}
    from shifts s
    where s.shop_id = ${shopId} and s.id = ${id}`.execute(db)
  return rows[0]
}

/** The most movements of cash that a shift shows. */
const MOST_CASH = 1000

/** A shift's movements of cash, oldest first. */
export async function listShiftCash(db: Db, shopId: ObjectId, shiftId: ObjectId): Promise<CashRow[]> {
  const { rows } = await sql<{ movement: CashRow }>`
    select to_json(movement) as movement
    from (
      select c.id, c.amount, c.reason, ${whoOf(sql`c.shop_id`, sql`c.recorded_by`)} as recorded_by, c.created_at
      from shift_cash c
      where c.shop_id = ${shopId} and c.shift_id = ${shiftId}
      order by c.id
      limit ${MOST_CASH}
    ) as movement`.execute(db)
  return rows.map(({ movement }) => movement)
}

/** A payment record of a shift; `customer` is null for a walk-in, `order_id` for what was paid of an opening debt (G-124). */
export type ShiftPaymentRow = {
  id: ObjectId
  amount: number
  method: string
  note: string
  order_id: ObjectId | null
  code: string | null
  customer: { _id: ObjectId; fullName: string } | null
  created_at: Date
}

/** The newest payment records of a shift. Index gateway_payments_by_shift. */
export async function listShiftPayments(
  db: Db,
  shopId: ObjectId,
  shiftId: ObjectId,
  limit: number,
): Promise<ShiftPaymentRow[]> {
  const { rows } = await sql<ShiftPaymentRow>`
    with newest as materialized (
      select g.id, g.amount, g.method, g.note, g.order_id, g.debt_payment_id, g.created_at
      from gateway_payments g
      where g.shop_id = ${shopId} and g.shift_id = ${shiftId}
      order by g.created_at desc, g.id desc
      limit ${limit}
    )
    select n.id, n.amount, n.method, n.note, n.order_id, o.code, n.created_at,
      case when c.id is not null then json_build_object('_id', c.id, 'fullName', c.full_name) end as customer
    from newest n
    left join orders o on o.shop_id = ${shopId} and o.id = n.order_id
    left join debt_payments d on d.shop_id = ${shopId} and d.id = n.debt_payment_id
    left join customers c on c.shop_id = ${shopId} and c.id = coalesce(o.customer_id, d.customer_id)
    order by n.created_at desc, n.id desc`.execute(db)
  return rows
}

export type ShiftFilter = {
  isOpen: boolean | undefined
  openedBy: ObjectId | undefined
  ids: ObjectId[] | undefined
}

/** One page of a shop's shifts, the newest first. Index shifts_by_opened or shifts_by_opener. */
export async function listShifts(
  db: Db,
  shopId: ObjectId,
  { isOpen, openedBy, ids }: ShiftFilter,
  { limit, offset, after }: Place,
): Promise<{ shifts: ShiftRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const state =
    isOpen === undefined ? sql`` : isOpen ? sql` and s.closed_at is null` : sql` and s.closed_at is not null`
  const by = openedBy === undefined ? sql`` : sql` and s.opened_by = ${openedBy}`
  const among = ids === undefined ? sql`` : sql` and s.id = any(${ids}::text[])`
  const { rows } = await sql<ShiftRow & { cursor_key: number }>`
    select ${shown}, ${microseconds(sql`s.opened_at`)} as cursor_key
    from shifts s
    where s.shop_id = ${shopId}${state}${by}${among}${rowsAfter(sql`s.opened_at`, sql`s.id`, after)}
    order by s.opened_at desc, s.id desc
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page: shifts, hasMore, last } = pageOf(rows, limit)
  return { shifts, hasMore, last }
}

/** Locks the shift until the transaction ends: whoever takes a payment in it waits. */
export async function lockShift(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<{ closed_at: Date | null } | undefined> {
  const { rows } = await sql<{ closed_at: Date | null }>`
    select s.closed_at
    from shifts s
    where s.shop_id = ${shopId} and s.id = ${id}
    for update`.execute(trx)
  return rows[0]
}

/** Closes a locked shift. */
export async function updateClosed(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
  closing: { by: ObjectId; expectedCash: number; countedCash: number; note: string; now: Date },
): Promise<void> {
  await sql`
    update shifts
    set closed_by = ${closing.by}, closed_at = ${closing.now}, expected_cash = ${closing.expectedCash},
      counted_cash = ${closing.countedCash}, closing_note = ${closing.note}
    where shop_id = ${shopId} and id = ${id}`.execute(trx)
}

/**
 * Adds a movement of cash to an open shift, which cannot be closed until the transaction ends. @returns whether it was
 * added.
 */
export async function insertShiftCash(
  db: Db,
  shopId: ObjectId,
  shiftId: ObjectId,
  movement: { id: ObjectId; amount: number; reason: string; by: ObjectId; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: ObjectId }>`
    with shift as materialized (
      select s.id
      from shifts s
      where s.shop_id = ${shopId} and s.id = ${shiftId} and s.closed_at is null
      for key share
    )
    insert into shift_cash (shop_id, shift_id, id, amount, reason, recorded_by, created_at)
    select ${shopId}, shift.id, ${movement.id}, ${movement.amount}::bigint, ${movement.reason}, ${movement.by},
      ${movement.now}::timestamptz
    from shift
    returning id`.execute(db)
  return rows.length > 0
}

/** Whether this cash movement is recorded in the shift, so that a repeated request can be told from a first one. */
export async function hasShiftCash(
  db: Db,
  shopId: ObjectId,
  shiftId: ObjectId,
  id: ObjectId,
): Promise<boolean> {
  const { rows } = await sql<{ id: ObjectId }>`
    select c.id
    from shift_cash c
    where c.shop_id = ${shopId} and c.shift_id = ${shiftId} and c.id = ${id}`.execute(db)
  return rows.length > 0
}
