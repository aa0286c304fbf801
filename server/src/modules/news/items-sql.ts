import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { newsEvent } from './sql.ts'

/**
 * Attaches those of the products that the shop has, in the order given; one already attached stays where it is
 * (E15). One statement. The article's version moves only when a link was added.
 * @returns false when the shop has no such article.
 */
export async function attachProducts(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  productIds: ObjectId[],
  now: Date,
): Promise<boolean> {
  // The locks keep the article and the products from being deleted before their links stand.
  const { rows } = await sql`
    with article as (
      select id
      from news
      where shop_id = ${shopId} and id = ${id}
      for no key update
    ), known as (
      select p.id, wanted.place
      from unnest(${productIds}::text[]) with ordinality as wanted (id, place)
      join products p on p.shop_id = ${shopId} and p.id = wanted.id and p.deleted_at is null
      for key share of p
    ), added as (
      insert into news_items (shop_id, news_id, product_id)
      select ${shopId}, article.id, known.id
      from article, known
      order by known.place
      on conflict (shop_id, news_id, product_id) do nothing
      returning news_id
    ), changed as (
      update news
      set version = version + 1, updated_at = ${now}
      where shop_id = ${shopId} and id in (select news_id from added)
      returning id, title, slug, status
    ), ${newsEvent(shopId, 'changed', 'items', now)}
    select id from article`.execute(db)
  return rows.length > 0
}

/**
 * Detaches products; one that is not attached has no effect (G-50). One statement. The article's version moves
 * only when a link was removed.
 * @returns false when the shop has no such article.
 */
export async function detachProducts(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  productIds: ObjectId[],
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with article as (
      select id
      from news
      where shop_id = ${shopId} and id = ${id}
      for no key update
    ), removed as (
      delete from news_items
      where shop_id = ${shopId} and news_id in (select id from article) and product_id = any(${productIds}::text[])
      returning news_id
    ), changed as (
      update news
      set version = version + 1, updated_at = ${now}
      where shop_id = ${shopId} and id in (select news_id from removed)
      returning id, title, slug, status
    ), ${newsEvent(shopId, 'changed', 'items', now)}
    select id from article`.execute(db)
  return rows.length > 0
}
