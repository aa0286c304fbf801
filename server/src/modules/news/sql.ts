import { type RawBuilder, sql } from 'kysely'
import { type Db, isUniqueViolation } from '../../db/client.ts'
import { copiedOrder, copiedRows } from '../../db/fragments/copied-sql.ts'
import { firstImages } from '../../db/fragments/first-images-sql.ts'
import { freeSlug } from '../../db/fragments/free-slug-sql.ts'
import { type KeyKind, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import { hasValues, type NewValues, setValues } from '../../db/fragments/new-values-sql.ts'
import { MOST_PAGE_BYTES, MOST_PIECE_BYTES, rowsWithin } from '../../db/fragments/rows-within-sql.ts'
import { matchesAll } from '../../db/fragments/search-sql.ts'
import { cursorKey, type Direction, sortKeys } from '../../db/fragments/sort-sql.ts'
import type { Edit } from '../../lib/edit.ts'
import type { Copied } from '../../lib/lists/copied.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { searchPattern } from '../../lib/text/search-pattern.ts'
import { addShopEvents } from '../webhooks/outbox/sql.ts'
import type { NewsSortField } from './rules.ts'

export type NewsStatus = 'active' | 'inactive'
export type Cta = { name: string; url: string }

export type NewsRow = {
  shop_id: ObjectId
  id: ObjectId
  version: number
  title: string
  content: string
  short_content: string
  slug: string
  meta_description: string
  status: NewsStatus
  images: string[]
  cta: Cta[]
  item_ids: ObjectId[]
  created_at: Date
  updated_at: Date
}

export type AttachedProduct = {
  id: ObjectId
  name: string
  slug: string
  images: string[]
  price: number
  origin_price: number | null
  status: NewsStatus
}

export type NewsWithItemsRow = NewsRow & { items: AttachedProduct[] }

/** `words` are folded words that the folded title must contain, in any order. */
export type NewsFilter = { status: NewsStatus | undefined; words: string[]; ids?: ObjectId[] | undefined }

const newsColumns = sql.raw(
  'n.shop_id, n.id, n.version, n.title, n.content, n.short_content, n.slug, n.meta_description, n.status, n.images, n.cta, n.created_at, n.updated_at',
)

const itemIds = sql.raw(`coalesce((
      select jsonb_agg(i.product_id order by i.position)
      from news_items i
      join products p on p.shop_id = i.shop_id and p.id = i.product_id and p.deleted_at is null
      where i.shop_id = n.shop_id and i.news_id = n.id
    ), '[]') as item_ids`)

const items = sql.raw(`lateral (
      select
        coalesce(jsonb_agg(p.id order by p.position), '[]') as item_ids,
        coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'name', p.name, 'slug', p.slug, 'images', ${firstImages('p.images', 'p.attached')},
          'price', p.price, 'origin_price', p.origin_price, 'status', p.status
        ) order by p.position), '[]') as items
      from (
        select p.*, i.position, count(*) over () as attached
        from news_items i
        join products p on p.shop_id = i.shop_id and p.id = i.product_id and p.deleted_at is null
        where i.shop_id = n.shop_id and i.news_id = n.id
      ) as p
    )`)

/** The size of a row `found` with these columns. */
const newsBytes = sql`octet_length(found.content) + octet_length(found.images::text) + octet_length(found.items::text)
      + octet_length(found.cta::text)`

export type NewsSort = { by: NewsSortField; direction: Direction }

/** The search text is the folded title. */
const SORT_KEYS: Record<NewsSortField, { column: RawBuilder<unknown>; kind: KeyKind }> = {
  createdAt: { column: sql`n.created_at`, kind: 'time' },
  updatedAt: { column: sql`n.updated_at`, kind: 'time' },
  title: { column: sql`n.search`, kind: 'text' },
}

/**
 * One page of a shop's articles in the order of `sort`, with their attached products and the filter's total
 * (G-50, G-51). One statement. The total counts an index range of the shop (news_by_created or news_by_status), and the sort by
 * anything but creation reads it: a shop has hundreds of articles, not millions, so no counter and no further index is kept. The page
 * has `found` articles; `rows` are the first of them, as many as fit into a response.
 */
export async function listNews(
  db: Db,
  shopId: ObjectId,
  filter: NewsFilter,
  sort: NewsSort,
  page: Place,
): Promise<{ rows: NewsWithItemsRow[]; total: number; found: number; last: Keyset | undefined }> {
  const matching = sql.join(
    [
      sql`n.shop_id = ${shopId}`,
      ...(filter.status === undefined ? [] : [sql`n.status = ${filter.status}`]),
      ...(filter.ids === undefined ? [] : [sql`n.id = any(${filter.ids}::text[])`]),
      matchesAll(sql`n.search`, filter.words.map(searchPattern)),
    ],
    sql` and `,
  )
  const { by, direction } = sort
  const { column, kind } = SORT_KEYS[by]
  type Listed = { total: number; found: number; cursor_key: unknown } & NewsWithItemsRow
  const row = sql`
      select ${newsColumns}, ${cursorKey(column, kind)} as cursor_key, attached.item_ids, attached.items
      from news n
      cross join ${items} as attached
      where n.shop_id = ${shopId} and n.id = numbered.id
      limit 1`
  const { rows } = await sql<Listed | { total: number; found: number; id: null }>`
    with recursive ids as materialized (
      select n.id, ${column} as key
      from news n
      where ${matching}${rowsAfter(column, sql`n.id`, page.after, { direction, kind })}
      order by ${sortKeys(column, sql`n.id`, direction).forward}
      limit ${page.limit} offset ${page.offset}
    ), ${rowsWithin(sortKeys(sql`ids.key`, sql`ids.id`, direction).forward, row, newsBytes, MOST_PAGE_BYTES)}
    select counted.total, (select count(*) from ids) as found, within.*
    from (
      select count(*) as total
      from news n
      where ${matching}
    ) as counted
    left join within on within.place > 0
    order by within.place`.execute(db)
  const listed = rows.filter((row): row is Listed => row.id !== null)
  const last = listed.at(-1)
  return {
    total: rows[0]!.total,
    found: rows[0]!.found,
    rows: listed,
    last: last && { key: last.cursor_key as Keyset['key'], id: last.id },
  }
}

/** One article with its attached products (G-50, G-51). */
export async function findNews(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<NewsWithItemsRow | undefined> {
  const { rows } = await sql<NewsWithItemsRow>`
    select ${newsColumns}, attached.item_ids, attached.items
    from news n
    cross join ${items} as attached
    where n.shop_id = ${shopId} and n.id = ${id}`.execute(db)
  return rows[0]
}

/** The first of the articles of a shop by id that fit, with their attached products (G-66, G-67). */
export async function listCopiedNews(db: Db, shopId: ObjectId, copied: Copied): Promise<NewsWithItemsRow[]> {
  const row = sql`
      select ${newsColumns}, attached.item_ids, attached.items
      from news n
      cross join ${items} as attached
      where n.shop_id = ${shopId} and n.id = numbered.id
      limit 1`
  const { rows } = await sql<NewsWithItemsRow>`
    with recursive ids as materialized (
      select n.id
      from news n
      where n.shop_id = ${shopId}
      ${copiedRows(sql`n.id`, copied)}
    ), ${rowsWithin(copiedOrder(sql`ids.id`, copied), row, newsBytes, MOST_PIECE_BYTES)}
    select *
    from within
    where place > 0
    order by place`.execute(db)
  return rows
}

/** The fields of an article that its next slug depends on (E16). */
export async function findNewsSlug(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<{ title: string; slug: string } | undefined> {
  const { rows } = await sql<{ title: string; slug: string }>`
    select title, slug
    from news
    where shop_id = ${shopId} and id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Inserts an article; `slugBase` is made unique within the shop, '' stays empty (G-50).
 * @throws a violation of `news_one_per_slug` if another writer took the slug in the meantime: see
 *   {@link retryTakenSlug}.
 */
export async function insertNews(
  db: Db,
  shopId: ObjectId,
  article: {
    id: ObjectId
    title: string
    content: string
    shortContent: string
    search: string
    slugBase: string
    metaDescription: string
    status: NewsStatus
    images: string[]
    cta: Cta[]
    now: Date
  },
): Promise<NewsRow> {
  const { rows } = await sql<NewsRow>`
    with n as (
      insert into news as n
        (shop_id, id, title, content, short_content, search, slug, meta_description, status, images, cta, created_at,
        updated_at)
      values (${shopId}, ${article.id}, ${article.title}, ${article.content}, ${article.shortContent},
        ${article.search}, ${freeSlug('news', shopId, article.id, article.slugBase)}, ${article.metaDescription},
        ${article.status}, ${JSON.stringify(article.images)}::jsonb, ${JSON.stringify(article.cta)}::jsonb,
        ${article.now}, ${article.now})
      returning ${newsColumns}
    ), ${newsEvent(shopId, 'n', 'created', article.now)}
    select ${newsColumns}, '[]'::jsonb as item_ids
    from n`.execute(db)
  return rows[0]!
}

/**
 * Updates an article; `undefined` fields keep their value. `slugBase` is made unique within the shop; the article's own
 * slug does not count as taken (E16). An article that has the sent values already stays as it is (G-00); an update without values
 * counts as a change. `undefined` when the shop has no such article in a version that `edit` knows.
 * @throws a violation of `news_one_per_slug` if another writer took the slug in the meantime: see
 *   {@link retryTakenSlug}.
 */
export async function updateNews(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  change: {
    title: string | undefined
    content: string | undefined
    shortContent: string | undefined
    search: string | undefined
    slugBase: string | undefined
    metaDescription: string | undefined
    status: NewsStatus | undefined
    images: string[] | undefined
    cta: Cta[] | undefined
    now: Date
  },
  edit: Edit,
): Promise<NewsRow | undefined> {
  const knownVersion = edit.known === undefined ? sql`` : sql` and n.version = any(${edit.known}::bigint[])`
  const text = (value: string | undefined) => (value === undefined ? undefined : sql`${value}::text`)
  const json = (value: unknown[] | undefined) =>
    value === undefined ? undefined : sql`${JSON.stringify(value)}::jsonb`
  const { slugBase } = change
  const values: NewValues = {
    title: text(change.title),
    content: text(change.content),
    short_content: text(change.shortContent),
    search: text(change.search),
    slug: slugBase === undefined ? undefined : freeSlug('news', shopId, id, slugBase),
    meta_description: text(change.metaDescription),
    status: text(change.status),
    images: json(change.images),
    cta: json(change.cta),
  }
  const isEmpty = Object.values(values).every((value) => value === undefined)
  const { rows } = await sql<NewsRow>`
    with same as materialized (
      select ${newsColumns}
      from news n
      where n.shop_id = ${shopId} and n.id = ${id}${knownVersion} and not ${isEmpty}::boolean and ${hasValues('n', values)}
    ), changed as (
      update news as n
      set ${setValues({ ...values, version: sql`n.version + 1`, updated_at: sql`${change.now}`, updated_by: sql`${edit.by}` })}
      where n.shop_id = ${shopId} and n.id = ${id}${knownVersion} and not exists (select from same)
      returning ${newsColumns}
    ), ${newsEvent(shopId, 'changed', 'updated', change.now)}
    select ${newsColumns}, ${itemIds}
    from (select * from changed union all select * from same) n`.execute(db)
  return rows[0]
}

/** Removes an article and its links to products; false when the shop has no such article (G-50). */
export async function deleteNews(db: Db, shopId: ObjectId, id: ObjectId, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with n as (
      delete from news
      where shop_id = ${shopId} and id = ${id}
      returning id, title, slug, status
    ), ${newsEvent(shopId, 'n', 'deleted', now)}
    select id from n`.execute(db)
  return rows.length > 0
}

/** The step that records the event of the article in the step named `changed` (G-62). */
export function newsEvent(
  shopId: ObjectId,
  changed: string,
  change: 'created' | 'updated' | 'items' | 'deleted',
  now: Date,
): RawBuilder<unknown> {
  const data = sql`jsonb_build_object('newsId', id, 'title', title, 'slug', slug, 'status', status,
          'change', ${sql.lit(change)})`
  return addShopEvents('news_event', shopId, [{ type: 'news.updated', data, from: sql.ref(changed) }], now)
}

// Each failure means that another writer took the chosen slug, so as many attempts as concurrent writers suffice.
const SLUG_ATTEMPTS = 100

/** Repeats a write while another writer takes the slug that it chose (E16): the unique index decides who gets it. */
export async function retryTakenSlug<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (attempt === SLUG_ATTEMPTS || !isUniqueViolation(error, 'news_one_per_slug')) throw error
    }
  }
}
