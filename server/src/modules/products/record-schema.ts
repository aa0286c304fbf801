import { Type } from 'typebox'
import { literals } from '../../http/validation/validate.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])
const nullableNumber = Type.Union([Type.Number(), Type.Null()])
const status = literals(['active', 'inactive'])
const always = { description: 'Empty on new products' }

const skuDrafts = Type.Object(
  {
    variants: Type.Array(
      Type.Object({
        key: Type.String(),
        name: Type.String(),
        options: Type.Array(
          Type.Object({
            key: Type.String(),
            name: Type.String(),
            itemVariantOptionId: Type.String(),
            active: Type.Boolean(),
          }),
        ),
        itemVarientId: Type.String(),
      }),
    ),
    skus: Type.Array(
      Type.Object({
        key: Type.String({ description: 'The option keys, joined by `/`' }),
        name: Type.String(),
        price: Type.Number(),
        stock_quantity: Type.Number(),
        skuId: Type.String(),
        active: Type.Boolean(),
      }),
    ),
  },
  {
    description:
      'Snapshot of the variants and SKUs sent at creation, with the ids the caller gave as `key`; may not reflect later edits',
  },
)

export const skuRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  originPrice: nullableNumber,
  stock_quantity: Type.Number({ description: 'Quantity less reserved, over all warehouses' }),
  itemId: Type.String(),
  shopId: Type.String(),
  status,
  isActive: Type.Boolean(),
  sku: Type.String(),
  barcode: Type.String(),
  variantOptionIDs: Type.Array(Type.String()),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  images: Type.Optional(Type.Array(Type.String(), { description: 'With `select=skuImages`' })),
  warehouseStock: Type.Optional(
    Type.Object(
      {
        warehouseId: Type.String(),
        quantity: Type.Number(),
        reserved: Type.Number(),
        available: Type.Number(),
      },
      { description: 'Only with `warehouseId`; zeros if the warehouse has none of the SKU' },
    ),
  ),
})

export const itemVariantRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  itemId: Type.String(),
  isActive: Type.Boolean(),
  position: Type.Number(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  itemVariantOptions: Type.Array(
    Type.Object({
      _id: Type.String(),
      id: Type.String(),
      name: Type.String(),
      itemVariantId: Type.String(),
      isActive: Type.Boolean(),
      position: Type.Number(),
      skuIDs: Type.Array(Type.String(), { description: 'The active SKUs with this option' }),
    }),
  ),
})

export const categoryRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Number(),
  shopId: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  image: Type.String(),
  parentId: nullableText,
  sortOrder: Type.Number(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const wholesalePriceRecord = Type.Object({
  _id: Type.String(),
  skuId: Type.String(),
  minQuantity: Type.Number(),
  price: Type.Number(),
})

export const subItemsGroupRecord = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  isRequired: Type.Boolean(),
  maxSelect: Type.Number(),
  subItems: Type.Array(Type.Object({ _id: Type.String(), name: Type.String(), price: Type.Number() })),
})

/** A product on the wire; fields that only some responses have are optional. */
export const productRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Number(),
  type: Type.Literal('product'),
  name: Type.String(),
  description: Type.String({ description: 'May contain HTML; kept as sent' }),
  images: Type.Array(Type.String()),
  price: Type.Number(),
  originPrice: nullableNumber,
  itemSku: Type.String(),
  barcode: Type.String(),
  vat: Type.Number({ description: 'Percent' }),
  status,
  shopId: Type.String(),
  categoryId: nullableText,
  slug: Type.String(),
  aliasName: Type.String(),
  stock_quantity: Type.Number({ description: 'totalQuantity less reservedQuantity, over all warehouses' }),
  totalRating: Type.Number(),
  totalReview: Type.Number(),
  sortOrder: Type.Number(),
  isNullSortOrder: Type.Boolean(),
  reservedQuantity: Type.Number(),
  totalQuantity: Type.Number(),
  virtualSold: Type.Number(),
  canBook: Type.Boolean(),
  isCustomerInquiry: Type.Boolean(),
  platform: Type.String(),
  search: Type.String({ description: 'The name in lower case without accents' }),
  subItemsGroupIds: Type.Array(Type.String(), always),
  configs: Type.Array(Type.Unknown(), always),
  hashtags: Type.Array(Type.Unknown(), always),
  collectionIDs: Type.Array(Type.Unknown(), always),
  brandProductIds: Type.Array(Type.Unknown(), always),
  fakeReviewIds: Type.Array(Type.Unknown(), always),
  comboItems: Type.Array(Type.Unknown(), always),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  sProductId: Type.Optional(Type.String({ description: 'On imported products' })),
  storeId: Type.Optional(Type.String({ description: 'On imported products' })),
  skuDrafts: Type.Optional(skuDrafts),
  skus: Type.Optional(Type.Array(skuRecord)),
  itemVariants: Type.Optional(Type.Array(itemVariantRecord)),
  category: Type.Optional(Type.Union([categoryRecord, Type.Null()])),
  wholesalePrices: Type.Optional(Type.Array(wholesalePriceRecord)),
  subItemsGroups: Type.Optional(Type.Array(subItemsGroupRecord)),
})

/** E10's response. The contract names the groups `variants` here and `itemVariants` elsewhere; both are included. */
export const createdProductRecord = Type.Object({
  ...productRecord.properties,
  variants: Type.Array(itemVariantRecord, { description: 'The same as `itemVariants`' }),
})

/** E11's response. */
export const updatedProductRecord = Type.Object({
  ...productRecord.properties,
  tags: Type.Array(Type.Unknown()),
  customPriceId: nullableText,
  updatedBy: Type.Union([Type.String(), Type.Null()], { description: 'The API key that made the change' }),
})

/** The response to replacing a part of a product. */
export const replacedAnswer = Type.Object({
  success: Type.Boolean(),
  message: Type.String(),
  data: productRecord,
})
