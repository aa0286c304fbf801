import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'

/** Which rows hold their slug, as the unique index of each table says. */
const HOLDS = {
  categories: sql`true`,
  news: sql`x.slug <> ''`,
  products: sql`x.deleted_at is null`,
}

/**
 * The first of `base`, `base-2`, `base-3` … that no other row of the shop holds; the row of `ownId` does not count. The
 * numbers are made one by one and end at the first free one; each is looked up in the slugs' unique index, so the cost
 * is the number of clashes, not of slugs that begin alike. That index decides who gets a slug that two writers want at
 * once.
 */
export function freeSlug(
  table: keyof typeof HOLDS,
  shopId: ObjectId,
  ownId: ObjectId,
  base: string,
): RawBuilder<string> {
  return sql<string>`(
          select c.slug
          from (
            select case n when 1 then ${base}::text else ${base}::text || '-' || n end as slug
            from (select generate_series(1, 1000000) as n) g
          ) c
          where (
            select true
            from ${sql.table(table)} x
            where x.shop_id = ${shopId} and x.slug = c.slug and x.id <> ${ownId} and ${HOLDS[table]}
          ) is null
          limit 1
        )`
}
