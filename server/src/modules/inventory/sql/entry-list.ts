import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import { type Direction, sortKeys } from '../../../db/fragments/sort-sql.ts'
import { whoOf } from '../../../db/fragments/who-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Who } from '../../../lib/who.ts'
import type { EntryType } from '../rules.ts'
import type { MovementRow } from './entries.ts'

/** An entry with the sums of its movements. */
export type EntryRow = {
  id: ObjectId
  type: EntryType
  warehouse_id: ObjectId
  to_warehouse_id: ObjectId | null
  supplier: string
  note: string
  recorded_by: Who | null
  /** ISO 8601 with an offset. */
  created_at: string
  item_count: number
  added: number
  removed: number
  total_cost: number | null
}

/** A movement with the name and code of its SKU. */
export type EntryMovementRow = MovementRow & { name: string; product_name: string; code: string }

export type EntryDetailRow = EntryRow & {
  /** In the order in which they were entered. */
  movements: EntryMovementRow[]
}

/**
 * The sums of an entry's at most 2,000 movements, from index stock_movements_by_entry. A transfer's pieces are removed from one
 * warehouse and added to the other.
 */
const summed = sql`e.id, e.type, e.warehouse_id, e.to_warehouse_id, e.supplier, e.note,
        ${whoOf(sql`e.shop_id`, sql`e.recorded_by`)} as recorded_by, e.created_at, sums.item_count, sums.added,
        sums.removed, sums.total_cost`
const sumsOf: RawBuilder<unknown> = sql`cross join lateral (
        select count(distinct m.sku_id) as item_count,
          coalesce(sum(m.quantity) filter (where m.quantity > 0), 0)::bigint as added,
          coalesce(-sum(m.quantity) filter (where m.quantity < 0), 0)::bigint as removed,
          sum(m.quantity * m.unit_cost)::bigint as total_cost
        from stock_movements m
        where m.shop_id = e.shop_id and m.entry_id = e.id
      ) as sums`

/** One entry with its movements. One statement. */
export async function findEntry(db: Db, shopId: ObjectId, id: ObjectId): Promise<EntryDetailRow | undefined> {
  const { rows } = await sql<{ document: EntryDetailRow }>`
    select to_json(found) as document
    from (
      select ${summed}, (
        select coalesce(json_agg(to_json(line) order by line.id), '[]')
        from (
          select m.id, m.sku_id, m.warehouse_id, m.type, m.quantity, m.unit_cost, m.counted, m.entry_id, m.order_id, m.note,
            m.created_at, s.name, p.name as product_name, coalesce(nullif(s.barcode, ''), s.code) as code
          from stock_movements m
          join skus s on s.shop_id = m.shop_id and s.id = m.sku_id
          join products p on p.shop_id = s.shop_id and p.id = s.product_id
          where m.shop_id = e.shop_id and m.entry_id = e.id
        ) as line
      ) as movements
      from inventory_entries e
      ${sumsOf}
      where e.shop_id = ${shopId} and e.id = ${id}
    ) as found`.execute(db)
  return rows[0]?.document
}

/** One page of a shop's entries by creation. Index inventory_entries_by_created or inventory_entries_by_type. */
export async function listEntries(
  db: Db,
  shopId: ObjectId,
  { type, ids }: { type: EntryType | undefined; ids: ObjectId[] | undefined },
  direction: Direction,
  { limit, offset, after }: Place,
): Promise<{ entries: EntryRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const ofType = type === undefined ? sql`` : sql` and e.type = ${type}`
  const among = ids === undefined ? sql`` : sql` and e.id = any(${ids}::text[])`
  const order = sortKeys(sql`e.created_at`, sql`e.id`, direction).forward
  const { rows } = await sql<{ document: EntryRow & { cursor_key: number } }>`
    select to_json(listed) as document
    from (
      select ${summed}, ${microseconds(sql`e.created_at`)} as cursor_key
      from (
        select *
        from inventory_entries e
        where e.shop_id = ${shopId}${ofType}${among}${rowsAfter(sql`e.created_at`, sql`e.id`, after, { direction })}
        order by ${order}
        limit ${limit + 1}
        offset ${offset}
      ) as e
      ${sumsOf}
      order by ${order}
    ) as listed`.execute(db)
  const { page, hasMore, last } = pageOf(
    rows.map(({ document }) => document),
    limit,
  )
  return { entries: page, hasMore, last }
}
