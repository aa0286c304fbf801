import type { NewsRow, NewsWithItemsRow } from './sql.ts'

/** An article as E16 shows it. */
export function presentNews(row: NewsRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    type: 'news' as const,
    title: row.title,
    content: row.content,
    shortContent: row.short_content,
    slug: row.slug,
    metaDescription: row.meta_description,
    status: row.status,
    shopId: row.shop_id,
    images: row.images,
    cta: row.cta.map(({ name, url }) => ({ name, url })),
    itemIds: row.item_ids,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** An article with its attached products, as the list and the single read show it (G-51). */
export function presentNewsWithItems(row: NewsWithItemsRow) {
  return {
    ...presentNews(row),
    items: row.items.map((item) => ({
      _id: item.id,
      id: item.id,
      name: item.name,
      slug: item.slug,
      images: item.images,
      price: item.price,
      originPrice: item.origin_price,
      status: item.status,
    })),
  }
}
