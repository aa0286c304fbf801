import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { freeSlug } from '../../db/fragments/free-slug-sql.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { lockShop } from '../shops/sql.ts'

export type CategoryRow = {
  shop_id: ObjectId
  id: ObjectId
  version: number
  name: string
  slug: string
  description: string
  image: string
  parent_id: ObjectId | null
  /** 0 for a root. */
  depth: number
  sort_order: number
  product_count: number
  created_at: Date
  updated_at: Date
}

/** The constraint whose violation means CATEGORY_HAS_PRODUCTS when a product is added while its category is being deleted. */
export const PRODUCT_CONSTRAINT = 'products_shop_id_category_id_fkey'

const columns =
  sql.raw(`c.shop_id, c.id, c.version, c.name, c.slug, c.description, c.image, c.parent_id, c.sort_order,
      c.created_at, c.updated_at`)

const productCount = sql.raw(`coalesce((
        select n.n
        from product_counts n
        where n.shop_id = c.shop_id and n.category_id = c.id
      ), 0) as product_count`)

/**
 * One page of a shop's categories in the order of the tree: a parent before its children, siblings by sort order and name (G-37).
 * One statement; it reads all of the shop's categories, at most MAX_CATEGORIES. A page begins after the place of a category,
 * given as the sort keys of the category and its ancestors. Each key is converted to its rank among all categories, an even
 * number, or the odd number in between if its category was deleted.
 */
export async function listCategories(
  db: Db,
  shopId: ObjectId,
  { limit, offset, after }: Place,
  ids: ObjectId[] | undefined,
): Promise<{ categories: CategoryRow[]; total: number; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and t.id = any(${ids}::text[])`
  const behind =
    after === undefined
      ? sql``
      : sql` and t.path > (
        select array_agg(k.place order by k.n)
        from (
          select given.n, 2 * count(*) filter (where (r.sort_order, r.name, r.id) < ${given})
            + case when bool_or((r.sort_order, r.name, r.id) = ${given}) then 2 else 1 end as place
          from jsonb_array_elements(${treeKeyText(after.key)}::jsonb) with ordinality as given (key, n)
          cross join ranked r
          group by given.n
        ) as k
      )`
  const { rows } = await sql<CategoryRow & { total: number; cursor_key: string }>`
    with recursive ranked as (
      select id, parent_id, sort_order, name, 2 * row_number() over (order by sort_order, name, id) as place
      from categories
      where shop_id = ${shopId}
    ), tree as (
      select id, 0 as depth, array[place] as path
      from ranked
      where parent_id is null
      union all
      select r.id, t.depth + 1, t.path || r.place
      from tree t
      join ranked r on r.parent_id = t.id
    ), page as (
      select t.id, t.depth, t.path
      from tree t
      where true${among}${behind}
      order by t.path
      limit ${limit} offset ${offset}
    )
    select counted.total, listed.*, (
      select jsonb_agg(jsonb_build_array(r.sort_order, r.name, r.id) order by p.n)::text
      from unnest((select max(path) from page)) with ordinality as p (place, n)
      join ranked r on r.place = p.place
    ) as cursor_key
    from (select count(*) as total from tree t where true${among}) as counted
    left join (
      select ${columns}, page.depth, page.path, ${productCount}
      from page
      join categories c on c.shop_id = ${shopId} and c.id = page.id
    ) as listed on true
    order by listed.path`.execute(db)
  const categories = rows.filter((row) => row.id !== null)
  const last = categories.at(-1)
  return { total: rows[0]!.total, categories, last: last && { key: last.cursor_key, id: last.id } }
}

const given = sql.raw('((given.key ->> 0)::integer, given.key ->> 1, given.key ->> 2)')

/** A category's place as the database can read it: JSON also allows 1.0 for the integer 1. */
function treeKeyText(key: string | number): string {
  return JSON.stringify(JSON.parse(String(key)))
}

/** One category (G-37), or undefined. */
export async function findCategory(db: Db, shopId: ObjectId, id: ObjectId): Promise<CategoryRow | undefined> {
  const { rows } = await sql<CategoryRow>`
    select ${columns}, (${levelsAbove(shopId, sql`c.parent_id`)}) as depth, ${productCount}
    from categories c
    where c.shop_id = ${shopId} and c.id = ${id}`.execute(db)
  return rows[0]
}

/** The number of categories from this one up to its root; 0 if there is no such category. */
function levelsAbove(shopId: ObjectId, id: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`
      with recursive line as (
        select a.parent_id
        from categories a
        where a.shop_id = ${shopId} and a.id = ${id}
        union all
        select a.parent_id
        from line
        join categories a on a.shop_id = ${shopId} and a.id = line.parent_id
      )
      select count(*) from line`
}

/**
 * Locks the shop's tree against other changes until the transaction ends: two moves, each valid alone, could form a cycle
 * together. Only the start of an import waits for this lock too. @returns the number of categories.
 */
export async function lockTree(trx: Db, shopId: ObjectId): Promise<number> {
  await lockShop(trx, shopId)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n
    from categories
    where shop_id = ${shopId}`.execute(trx)
  return rows[0]!.n
}

/** A category and its ancestors up to the root, in this order; empty when the shop has no category with this id. */
export async function listLine(trx: Db, shopId: ObjectId, id: ObjectId): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    with recursive line as (
      select id, parent_id, 1 as level
      from categories
      where shop_id = ${shopId} and id = ${id}
      union all
      select a.id, a.parent_id, line.level + 1
      from line
      join categories a on a.shop_id = ${shopId} and a.id = line.parent_id
    )
    select id
    from line
    order by level`.execute(trx)
  return rows.map((row) => row.id)
}

/** The number of levels that a category and those below it take. */
export async function countLevels(trx: Db, shopId: ObjectId, id: ObjectId): Promise<number> {
  const { rows } = await sql<{ levels: number }>`
    with recursive below as (
      select id, 1 as level
      from categories
      where shop_id = ${shopId} and id = ${id}
      union all
      select c.id, below.level + 1
      from below
      join categories c on c.shop_id = ${shopId} and c.parent_id = below.id
    )
    select max(level) as levels
    from below`.execute(trx)
  return rows[0]!.levels
}

export type NewCategory = {
  id: ObjectId
  name: string
  slugBase: string
  description: string
  image: string
  parentId: ObjectId | null
  sortOrder: number
  now: Date
}

/** Adds a category. Its slug is made unique; the lock of the tree keeps it unique. */
export async function insertCategory(trx: Db, shopId: ObjectId, category: NewCategory): Promise<void> {
  const { id, now } = category
  await sql`
    insert into categories
      (shop_id, id, name, slug, description, image, parent_id, sort_order, created_at, updated_at)
    values (${shopId}, ${id}, ${category.name}, ${freeSlug('categories', shopId, id, category.slugBase)},
      ${category.description}, ${category.image}, ${category.parentId}, ${category.sortOrder}, ${now}, ${now})`.execute(
    trx,
  )
}

/** The fields that a change sets; undefined keeps the value, a null parent makes a root. */
export type CategoryChanges = {
  name: string | undefined
  slugBase: string | undefined
  description: string | undefined
  image: string | undefined
  parentId: ObjectId | null | undefined
  sortOrder: number | undefined
  now: Date
  by: ObjectId | null
}

export async function updateCategory(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
  changes: CategoryChanges,
): Promise<void> {
  const { slugBase, parentId } = changes
  await sql`
    update categories c
    set name = coalesce(${changes.name ?? null}::text, c.name),
      slug = ${slugBase === undefined ? sql`c.slug` : freeSlug('categories', shopId, id, slugBase)},
      description = coalesce(${changes.description ?? null}::text, c.description),
      image = coalesce(${changes.image ?? null}::text, c.image),
      parent_id = ${parentId === undefined ? sql`c.parent_id` : sql`${parentId}::text`},
      sort_order = coalesce(${changes.sortOrder ?? null}::integer, c.sort_order),
      version = c.version + 1, updated_at = ${changes.now}, updated_by = ${changes.by}
    where c.shop_id = ${shopId} and c.id = ${id}`.execute(trx)
}

/**
 * How many subcategories and products a category has, which prevent its deletion. Undefined if there is no such
 * category.
 */
export async function countContent(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<{ children: number; products: number } | undefined> {
  const { rows } = await sql<{ children: number; products: number }>`
    select (
      select count(*)
      from categories child
      where child.shop_id = c.shop_id and child.parent_id = c.id
    ) as children, coalesce((
      select n.n
      from product_counts n
      where n.shop_id = c.shop_id and n.category_id = c.id
    ), 0) as products
    from categories c
    where c.shop_id = ${shopId} and c.id = ${id}`.execute(trx)
  return rows[0]
}

/** @throws the foreign key violation {@link PRODUCT_CONSTRAINT} if a product was added in the meantime. */
export async function deleteCategory(trx: Db, shopId: ObjectId, id: ObjectId): Promise<void> {
  await sql`
    delete from categories
    where shop_id = ${shopId} and id = ${id}`.execute(trx)
}
