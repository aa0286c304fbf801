import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { type Step, stepNames } from '../../db/fragments/steps-sql.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { newsEvent } from './sql.ts'

const step = stepNames('article', 'known', 'room', 'added', 'removed', 'changed')

/** The most products of an article: its record has all of them. */
export const MOST_NEWS_ITEMS = 1_000

/**
 * Attaches the given products that the shop has, in the order given; one already attached keeps its position (E15). One
 * statement. The article's version changes only if a link was added. If there would be more than {@link MOST_NEWS_ITEMS}, none is.
 * @returns whether they have room; undefined when the shop has no such article.
 */
export async function attachProducts(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  productIds: ObjectId[],
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<boolean | undefined> {
  // The locks prevent the article and the products from being deleted before the links exist.
  const { rows } = await sql<{ has_room: boolean }>`
    with ${lockArticle(shopId, id)}, ${step.known} as (
      select p.id, wanted.place
      from unnest(${productIds}::text[]) with ordinality as wanted (id, place)
      join products p on p.shop_id = ${shopId} and p.id = wanted.id and p.deleted_at is null
      for key share of p
    ), ${step.room} as (
      select count(*) <= ${sql.lit(MOST_NEWS_ITEMS)} as has_room
      from (
        select product_id from news_items where shop_id = ${shopId} and news_id = ${id}
        union
        select id from ${step.known}
      ) as items
    ), ${step.added} as (
      insert into news_items (shop_id, news_id, product_id)
      select ${shopId}, article.id, known.id
      from ${step.article} article, ${step.known} known
      where (select has_room from ${step.room})
      order by known.place
      on conflict (shop_id, news_id, product_id) do nothing
      returning news_id
    ), ${countChange(shopId, step.added, { by, now })}
    select room.has_room from ${step.article} article, ${step.room} room`.execute(db)
  return rows[0]?.has_room
}

/**
 * Detaches products; one that is not attached has no effect (G-50). One statement. The article's version changes only
 * if a link was removed.
 * @returns false when the shop has no such article.
 */
export async function detachProducts(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  productIds: ObjectId[],
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with ${lockArticle(shopId, id)}, ${step.removed} as (
      delete from news_items
      where shop_id = ${shopId} and news_id in (select id from ${step.article}) and product_id = any(${productIds}::text[])
      returning news_id
    ), ${countChange(shopId, step.removed, { by, now })}
    select id from ${step.article}`.execute(db)
  return rows.length > 0
}

/** The article, locked against changes and deletion. */
function lockArticle(shopId: ObjectId, id: ObjectId): Step {
  return sql`${step.article} as (
      select id
      from news
      where shop_id = ${shopId} and id = ${id}
      for no key update
    )`
}

/** Records a change of links as a change of the article, with its event, if the step `links` has a row. */
function countChange(
  shopId: ObjectId,
  links: RawBuilder<unknown>,
  { by, now }: { by: ObjectId | null; now: Date },
): Step {
  return sql`${step.changed} as (
      update news
      set version = version + 1, updated_at = ${now}, updated_by = ${by}
      where shop_id = ${shopId} and id in (select news_id from ${links})
      returning id, title, slug, status
    ), ${newsEvent(shopId, 'changed', 'items', now)}`
}
