import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'

/** Which rows reserve their slug; the same condition as in the unique index of each table. */
const HOLDS = {
  categories: sql`true`,
  news: sql`x.slug <> ''`,
  products: sql`x.deleted_at is null`,
}

/**
 * The first of `base`, `base-2`, `base-3` … that no other row of the shop has; the row with `ownId` does not count. The
 * candidates are tried one by one in the slugs' unique index, so the cost depends on the number of clashes and not on
 * how many slugs share the beginning. The index decides which of two concurrent writers gets a slug.
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
