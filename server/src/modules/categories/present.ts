import type { CategoryRow } from './sql.ts'

export function presentCategory(row: CategoryRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    shopId: row.shop_id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    image: row.image,
    parentId: row.parent_id,
    depth: row.depth,
    sortOrder: row.sort_order,
    productCount: row.product_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
