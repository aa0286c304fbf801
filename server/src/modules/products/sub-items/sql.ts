import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { NewSubItem, NewSubItemsGroup } from './rules.ts'

/** The ids of a locked product's sub-items groups and of their items. */
export async function findSubItemIds(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
): Promise<{ groupIds: ObjectId[]; itemIds: ObjectId[] }> {
  const { rows } = await sql<{ groupIds: ObjectId[]; itemIds: ObjectId[] }>`
    select (
      select coalesce(json_agg(g.id), '[]')
      from sub_item_groups g
      where g.shop_id = ${shopId} and g.product_id = ${productId}
    ) as "groupIds", (
      select coalesce(json_agg(i.id), '[]')
      from sub_item_groups g
      join sub_items i on i.shop_id = g.shop_id and i.group_id = g.id
      where g.shop_id = ${shopId} and g.product_id = ${productId}
    ) as "itemIds"`.execute(trx)
  return rows[0]!
}

/** Replaces all sub-items groups of a locked product with `groups` and their `items`. */
export async function replaceSubItems(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  groups: NewSubItemsGroup[],
  items: NewSubItem[],
): Promise<void> {
  await sql`
    delete from sub_item_groups
    where shop_id = ${shopId} and product_id = ${productId}`.execute(trx)
  await sql`
    with made as (
      insert into sub_item_groups (shop_id, id, product_id, name, is_required, max_select, position)
      select ${shopId}, n.id, ${productId}, n.name, n.is_required, n.max_select, n.position
      from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb)
        as n (id text, name text, is_required boolean, max_select integer, position integer)
    )
    insert into sub_items (shop_id, id, group_id, name, price, position)
    select ${shopId}, n.id, n.group_id, n.name, n.price, n.position
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      as n (id text, group_id text, name text, price bigint, position integer)`.execute(trx)
}
