import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { microseconds, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

export type WarehouseRow = {
  id: ObjectId
  version: number
  name: string
  address: string
  is_default: boolean
  created_at: Date
  updated_at: Date
}

const columns = sql`w.id, w.version, w.name, w.address, w.is_default, w.created_at, w.updated_at`

/**
 * One page of a shop's warehouses, the oldest first, and how many there are (G-38). One statement. The total counts
 * the shop's range of the primary key: a shop has a few warehouses, so no counter is kept.
 */
export async function listWarehouses(
  db: Db,
  shopId: ObjectId,
  { limit, offset, after }: Place,
  ids: ObjectId[] | undefined,
): Promise<{ warehouses: WarehouseRow[]; total: number; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and w.id = any(${ids}::text[])`
  const { rows } = await sql<WarehouseRow & { total: number; cursor_key: number }>`
    select page.*, counted.total, ${microseconds(sql`page.created_at`)} as cursor_key
    from (select count(*) as total from warehouses w where w.shop_id = ${shopId}${among}) as counted
    left join (
      select ${columns}
      from warehouses w
      where w.shop_id = ${shopId}${among}${rowsAfter(sql`w.created_at`, sql`w.id`, after, { direction: 'asc' })}
      order by w.created_at, w.id
      limit ${limit}
      offset ${offset}
    ) as page on true
    order by page.created_at, page.id`.execute(db)
  const warehouses = rows.filter((row) => row.id !== null)
  const last = warehouses.at(-1)
  return { warehouses, total: rows[0]!.total, last: last && { key: last.cursor_key, id: last.id } }
}

export async function findWarehouse(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<WarehouseRow | undefined> {
  const { rows } = await sql<WarehouseRow>`
    select ${columns}
    from warehouses w
    where w.shop_id = ${shopId} and w.id = ${id}`.execute(db)
  return rows[0]
}

/** The shop's warehouses by id, locked against other changes until the transaction ends; stock may still move. */
export async function lockWarehouses(trx: Db, shopId: ObjectId): Promise<WarehouseRow[]> {
  const { rows } = await sql<WarehouseRow>`
    select ${columns}
    from warehouses w
    where w.shop_id = ${shopId}
    order by w.id
    for no key update`.execute(trx)
  return rows
}

export async function insertWarehouse(
  trx: Db,
  shopId: ObjectId,
  warehouse: { id: ObjectId; name: string; address: string; isDefault: boolean; now: Date },
): Promise<WarehouseRow> {
  const { rows } = await sql<WarehouseRow>`
    insert into warehouses as w (shop_id, id, name, address, is_default, created_at, updated_at)
    values (${shopId}, ${warehouse.id}, ${warehouse.name}, ${warehouse.address}, ${warehouse.isDefault},
      ${warehouse.now}, ${warehouse.now})
    returning ${columns}`.execute(trx)
  return rows[0]!
}

/** Undefined fields keep their value. */
export async function updateWarehouse(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
  changes: {
    name: string | undefined
    address: string | undefined
    isDefault: boolean
    by: ObjectId | null
    now: Date
  },
): Promise<WarehouseRow> {
  const { rows } = await sql<WarehouseRow>`
    update warehouses w
    set name = coalesce(${changes.name ?? null}, w.name), address = coalesce(${changes.address ?? null}, w.address),
      is_default = ${changes.isDefault}, version = w.version + 1, updated_at = ${changes.now}, updated_by = ${changes.by}
    where w.shop_id = ${shopId} and w.id = ${id}
    returning ${columns}`.execute(trx)
  return rows[0]!
}

/** Leaves the shop without a default warehouse: the caller must make another one the default in the same transaction. */
export async function clearDefault(
  trx: Db,
  shopId: ObjectId,
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<void> {
  await sql`
    update warehouses
    set is_default = false, version = version + 1, updated_at = ${now}, updated_by = ${by}
    where shop_id = ${shopId} and is_default`.execute(trx)
}

/** @throws a foreign key violation when the warehouse has stock rows, movements or entries. */
export async function deleteWarehouse(trx: Db, shopId: ObjectId, id: ObjectId): Promise<void> {
  await sql`delete from warehouses where shop_id = ${shopId} and id = ${id}`.execute(trx)
}
