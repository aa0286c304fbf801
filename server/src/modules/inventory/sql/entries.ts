import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { EntryType, Movement, MovementType, StockLevel } from '../rules.ts'

/** The SKUs and warehouses that an entry names and the shop has, and whether the shop allows a shortage (G-43). */
export type EntryParties = {
  oversell: 'allow' | 'deny'
  warehouseId: ObjectId | null
  toWarehouseId: ObjectId | null
  skus: { id: ObjectId; productId: ObjectId; name: string; productName: string }[]
}

/** The parties of an entry; without `warehouseId` the default warehouse. Retired SKUs are included. One statement. */
export async function findEntryParties(
  db: Db,
  shopId: ObjectId,
  named: { warehouseId: ObjectId | undefined; toWarehouseId: ObjectId | undefined; skuIds: ObjectId[] },
): Promise<EntryParties> {
  const { warehouseId, toWarehouseId, skuIds } = named
  const { rows } = await sql<EntryParties>`
    select (select oversell from shops where id = ${shopId}) as oversell, (
      select id
      from warehouses
      where shop_id = ${shopId} and ${warehouseId === undefined ? sql`is_default` : sql`id = ${warehouseId}`}
    ) as "warehouseId", (
      select id
      from warehouses
      where shop_id = ${shopId} and id = ${toWarehouseId ?? null}
    ) as "toWarehouseId", (
      select coalesce(json_agg(json_build_object('id', s.id, 'productId', p.id, 'name', s.name, 'productName', p.name)), '[]')
      from skus s
      join products p on p.shop_id = s.shop_id and p.id = s.product_id
      where s.shop_id = ${shopId} and s.id = any (${skuIds}::text[])
    ) as skus`.execute(db)
  return rows[0]!
}

/**
 * The stock of every SKU in each of the warehouses, locked until the transaction ends; missing rows are created. Both statements
 * lock by (SKU, warehouse), like all writers, and the first locks nothing if a row is missing: creating some rows and locking
 * others could deadlock with a writer that waits for a row that was just created. The second writes every row, so it costs more.
 */
export async function lockStock(
  trx: Db,
  shopId: ObjectId,
  skuIds: ObjectId[],
  warehouseIds: ObjectId[],
): Promise<StockLevel[]> {
  const named = sql`shop_id = ${shopId} and sku_id = any (${skuIds}::text[]) and warehouse_id = any (${warehouseIds}::text[])`
  const count = skuIds.length * warehouseIds.length
  const level = sql`t.sku_id as "skuId", t.warehouse_id as "warehouseId", t.quantity, t.reserved`
  const existing = await sql<StockLevel>`
    select ${level}
    from stock t
    where ${named} and (select count(*) from stock where ${named}) = ${count}
    order by t.sku_id, t.warehouse_id
    for no key update`.execute(trx)
  if (existing.rows.length === count) return existing.rows
  const { rows } = await sql<StockLevel>`
    insert into stock as t (shop_id, sku_id, warehouse_id)
    select ${shopId}, s.id, w.id
    from unnest(${skuIds}::text[]) as s (id)
    cross join unnest(${warehouseIds}::text[]) as w (id)
    order by s.id collate "C", w.id collate "C"
    on conflict (shop_id, sku_id, warehouse_id) do update set quantity = t.quantity
    returning ${level}`.execute(trx)
  return rows
}

/** An entry to write; `movements` are its lines in the ledger. */
export type EntryDraft = {
  id: ObjectId
  type: EntryType
  warehouseId: ObjectId
  toWarehouseId: ObjectId | undefined
  supplier: string
  note: string
  /** The key or member that books it. */
  by: ObjectId | null
  movements: (Movement & { id: ObjectId })[]
  now: Date
}

/**
 * Writes an entry, its movements, the stock they change and the products' totals (G-36, G-38). One statement. The stock rows must
 * exist and be locked ({@link lockStock}); totals are locked here, by product. A product's first entry makes it stocked
 * (G-126), also if it was counted as 0.
 */
export async function insertEntry(trx: Db, shopId: ObjectId, entry: EntryDraft): Promise<void> {
  const movements = entry.movements.map(({ id, skuId, warehouseId, quantity, unitCost, counted }) => ({
    id,
    sku_id: skuId,
    warehouse_id: warehouseId,
    quantity,
    unit_cost: unitCost,
    counted,
  }))
  await sql`
    with moving as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(movements)}::jsonb)
        as n (id text, sku_id text, warehouse_id text, quantity bigint, unit_cost bigint, counted bigint)
    ), entry as (
      insert into inventory_entries
        (shop_id, id, type, warehouse_id, to_warehouse_id, supplier, note, recorded_by, created_at)
      values (${shopId}, ${entry.id}, ${entry.type}, ${entry.warehouseId}, ${entry.toWarehouseId ?? null},
        ${entry.supplier}, ${entry.note}, ${entry.by}, ${entry.now})
    ), moved as (
      insert into stock_movements
        (shop_id, id, sku_id, warehouse_id, type, quantity, unit_cost, counted, entry_id, note, created_at)
      select ${shopId}, m.id, m.sku_id, m.warehouse_id, ${entry.type}, m.quantity, m.unit_cost, m.counted, ${entry.id},
        ${entry.note}, ${entry.now}::timestamptz
      from moving m
    ), changed as (
      update stock t
      set quantity = t.quantity + m.quantity
      from moving m
      where t.shop_id = ${shopId} and t.sku_id = m.sku_id and t.warehouse_id = m.warehouse_id and m.quantity <> 0
    ), locked as materialized (
      select t.product_id, part.quantity
      from (
        select s.product_id, sum(m.quantity)::bigint as quantity
        from moving m
        join skus s on s.shop_id = ${shopId} and s.id = m.sku_id
        group by s.product_id
      ) as part
      join product_stock t on t.shop_id = ${shopId} and t.product_id = part.product_id
      where part.quantity <> 0 or not t.is_stocked
      order by t.product_id
      for no key update of t
    )
    update product_stock t
    set total_quantity = t.total_quantity + l.quantity, is_stocked = true
    from locked l
    where t.shop_id = ${shopId} and t.product_id = l.product_id`.execute(trx)
}

export type MovementRow = {
  id: ObjectId
  sku_id: ObjectId
  warehouse_id: ObjectId
  type: MovementType
  quantity: number
  unit_cost: number | null
  counted: number | null
  entry_id: ObjectId | null
  order_id: ObjectId | null
  note: string
  /** ISO 8601 with an offset. */
  created_at: string
}

/** Filters of the ledger, all of which must hold; `from` and `to` are included. */
export type MovementFilter = {
  skuId: ObjectId | undefined
  warehouseId: ObjectId | undefined
  type: MovementType | undefined
  orderId: ObjectId | undefined
  from: Date | undefined
  to: Date | undefined
  ids?: ObjectId[] | undefined
}

/** `isKnown` is false when `before` names no movement of the shop. */
export type MovementPage = {
  movements: MovementRow[]
  isKnown: boolean
  hasMore: boolean
  last: Keyset | undefined
}

/**
 * The shop's movements before the movement `before` or after a cursor, newest first (G-38). One statement: a range of one of the
 * stock_movements indexes that starts where the previous page ended, so that a late page costs as much as the first. Reads one
 * row more than the page, to know whether another page follows.
 */
export async function listMovements(
  db: Db,
  shopId: ObjectId,
  filter: MovementFilter,
  page: { before: ObjectId | undefined; limit: number; after?: Keyset | undefined },
): Promise<MovementPage> {
  const { skuId, warehouseId, type, orderId, from, to, ids } = filter
  const conditions = [
    sql`m.shop_id = ${shopId}`,
    ...(skuId === undefined ? [] : [sql`m.sku_id = ${skuId}`]),
    ...(warehouseId === undefined ? [] : [sql`m.warehouse_id = ${warehouseId}`]),
    ...(type === undefined ? [] : [sql`m.type = ${type}`]),
    ...(orderId === undefined ? [] : [sql`m.order_id = ${orderId}`]),
    ...(from === undefined ? [] : [sql`m.created_at >= ${from.toISOString()}::timestamptz`]),
    ...(to === undefined ? [] : [sql`m.created_at <= ${to.toISOString()}::timestamptz`]),
    ...(page.before === undefined
      ? []
      : [
          sql`(m.created_at, m.id) < (
          select created_at, id
          from stock_movements
          where shop_id = ${shopId} and id = ${page.before}
        )`,
        ]),
  ]
  // `offset 0` stops the planner from walking all movements to find a few ids.
  const picked =
    ids === undefined
      ? sql`stock_movements`
      : sql`(
          select * from stock_movements where shop_id = ${shopId} and id = any(${ids}::text[]) offset 0
        )`
  const { rows } = await sql<{ movements: (MovementRow & { cursor_key: number })[]; isKnown: boolean }>`
    select ${page.before ?? null}::text is null or exists (
      select
      from stock_movements
      where shop_id = ${shopId} and id = ${page.before ?? null}
    ) as "isKnown", (
      select coalesce(json_agg(to_json(listed)), '[]')
      from (
        select m.id, m.sku_id, m.warehouse_id, m.type, m.quantity, m.unit_cost, m.counted, m.entry_id, m.order_id, m.note, m.created_at,
          ${microseconds(sql`m.created_at`)} as cursor_key
        from ${picked} m
        where ${sql.join(conditions, sql` and `)}${rowsAfter(sql`m.created_at`, sql`m.id`, page.after)}
        order by m.created_at desc, m.id desc
        limit ${page.limit + 1}
      ) as listed
    ) as movements`.execute(db)
  const { movements, isKnown } = rows[0]!
  const { page: listed, hasMore, last } = pageOf(movements, page.limit)
  return { movements: listed, isKnown, hasMore, last }
}
