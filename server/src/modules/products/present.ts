import { toPercent } from '../../lib/amounts/vat.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Selected } from './rules.ts'
import type {
  CategoryRow,
  ChildRows,
  GroupRow,
  ProductRow,
  SkuRow,
  SubItemGroupRow,
  WholesalePriceRow,
} from './sql/columns.ts'
import type { UpdateColumns } from './sql/write.ts'

/** The parts that a response shows in addition to the product's own fields. */
export type Shown = { select: Selected; skuDrafts: boolean; warehouseId: ObjectId | undefined }

/** A product with the parts shown (E8, E9). `row` must have been read with the same parts. */
export function presentProduct(row: ProductRow & ChildRows, shown: Shown) {
  const { select } = shown
  return {
    ...presentOwnFields(row),
    ...(shown.skuDrafts && { skuDrafts: row.sku_drafts }),
    ...(select.skus && { skus: (row.skus ?? []).map((sku) => presentSku(sku, row, shown)) }),
    ...(select.variants && { itemVariants: presentVariants(row) }),
    ...(select.category && { category: row.category ? presentCategory(row.category, row.shop_id) : null }),
    ...(select.wholesalePrices && {
      wholesalePrices: (row.wholesale_prices ?? []).map(presentWholesalePrice),
    }),
    ...(select.subItemsGroups && { subItemsGroups: (row.sub_item_groups ?? []).map(presentSubItemGroup) }),
  }
}

/** A product just created, with its new SKUs and variants (E10). */
export function presentCreatedProduct(row: ProductRow & ChildRows) {
  const variants = presentVariants(row)
  return {
    ...presentOwnFields(row),
    skuDrafts: row.sku_drafts,
    skus: (row.skus ?? []).map((sku) => presentSku(sku, row)),
    variants,
    itemVariants: variants,
  }
}

/** A product after an update (E11). */
export function presentUpdatedProduct(row: ProductRow & UpdateColumns) {
  return {
    ...presentOwnFields(row),
    tags: row.tags,
    customPriceId: row.custom_price_id,
    updatedBy: row.updated_by,
    skuDrafts: row.sku_drafts,
  }
}

function presentOwnFields(row: ProductRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    type: 'product' as const,
    name: row.name,
    description: row.description,
    images: row.images,
    price: row.price,
    originPrice: row.origin_price,
    itemSku: row.item_sku,
    barcode: row.barcode,
    vat: toPercent(row.vat_basis_points),
    status: row.status,
    shopId: row.shop_id,
    categoryId: row.category_id,
    slug: row.slug,
    aliasName: row.alias_name,
    stock_quantity: row.stock_quantity,
    totalRating: row.total_rating,
    totalReview: row.total_review,
    sortOrder: row.sort_order ?? 0,
    isNullSortOrder: row.sort_order === null,
    reservedQuantity: row.reserved_quantity,
    totalQuantity: row.total_quantity,
    virtualSold: row.virtual_sold,
    canBook: row.can_book,
    isCustomerInquiry: row.is_customer_inquiry,
    platform: row.platform,
    ...(row.s_product_id !== null && { sProductId: row.s_product_id }),
    ...(row.store_id !== null && { storeId: row.store_id }),
    search: row.search,
    subItemsGroupIds: row.sub_item_group_ids ?? [],
    configs: row.configs,
    hashtags: row.hashtags,
    collectionIDs: row.collection_ids,
    brandProductIds: row.brand_product_ids,
    fakeReviewIds: row.fake_review_ids,
    comboItems: row.combo_items,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The fields that the contract lists (E8), and the extra ones that were requested. */
function presentSku(row: SkuRow, product: ProductRow, shown?: Shown) {
  const warehouseId = shown?.warehouseId
  return {
    _id: row.id,
    id: row.id,
    name: row.name,
    price: row.price,
    originPrice: row.origin_price,
    stock_quantity: row.stock_quantity,
    itemId: product.id,
    shopId: product.shop_id,
    status: row.is_active ? ('active' as const) : ('inactive' as const),
    isActive: row.is_active,
    sku: row.code,
    barcode: row.barcode,
    variantOptionIDs: row.variant_option_ids,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    ...(shown?.select.skuImages && { images: row.images }),
    ...(warehouseId !== undefined && { warehouseStock: presentWarehouseStock(warehouseId, row.warehouse) }),
  }
}

function presentWarehouseStock(warehouseId: ObjectId, stock: SkuRow['warehouse']) {
  const { quantity, reserved } = stock ?? { quantity: 0, reserved: 0 }
  return { warehouseId, quantity, reserved, available: quantity - reserved }
}

function presentVariants(row: ProductRow & ChildRows) {
  const skuIds = skuIdsByOption(row.skus ?? [])
  return (row.variant_groups ?? []).map((group) => presentVariant(group, row.id, skuIds))
}

function skuIdsByOption(skus: SkuRow[]): Map<ObjectId, ObjectId[]> {
  const byOption = new Map<ObjectId, ObjectId[]>()
  for (const sku of skus) {
    for (const optionId of sku.variant_option_ids) {
      const ids = byOption.get(optionId)
      if (ids === undefined) byOption.set(optionId, [sku.id])
      else ids.push(sku.id)
    }
  }
  return byOption
}

function presentVariant(row: GroupRow, productId: ObjectId, skuIds: Map<ObjectId, ObjectId[]>) {
  return {
    _id: row.id,
    id: row.id,
    name: row.name,
    itemId: productId,
    isActive: true,
    position: row.position,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    itemVariantOptions: (row.options ?? []).map((option) => ({
      _id: option.id,
      id: option.id,
      name: option.name,
      itemVariantId: row.id,
      isActive: true,
      position: option.position,
      skuIDs: skuIds.get(option.id) ?? [],
    })),
  }
}

export function presentCategory(row: CategoryRow, shopId: ObjectId) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    shopId,
    name: row.name,
    slug: row.slug,
    description: row.description,
    image: row.image,
    parentId: row.parent_id,
    sortOrder: row.sort_order,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }
}

function presentWholesalePrice(row: WholesalePriceRow) {
  return { _id: row.id, skuId: row.sku_id, minQuantity: row.min_quantity, price: row.price }
}

function presentSubItemGroup(row: SubItemGroupRow) {
  return {
    _id: row.id,
    name: row.name,
    isRequired: row.is_required,
    maxSelect: row.max_select,
    subItems: (row.items ?? []).map((item) => ({ _id: item.id, name: item.name, price: item.price })),
  }
}

function isoTime(text: string): string {
  return new Date(text).toISOString()
}
