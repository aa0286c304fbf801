import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { bodyId, ignoredShopId, paging, queryId, sortType, totalMode } from '../../http/validation/fields.ts'
import { literals, nameText, pictureAddress, searchText, vatPercent } from '../../http/validation/validate.ts'
import { SORT_FIELDS } from './rules.ts'

export const money = (description?: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 9_000_000_000_000,
    ...(description === undefined ? {} : { description }),
  })
const status = literals(['active', 'inactive'])
export const name = nameText(500)
const code = Type.String({ maxLength: 200, description: 'Unique in the shop unless empty' })
const html = Type.String({ maxLength: 100_000, description: 'May contain HTML; kept as sent' })
export const skuImages = Type.Array(pictureAddress(), {
  maxItems: 20,
  description: 'Absent: the SKU keeps those it has',
})
const images = Type.Array(pictureAddress(), { maxItems: 200 })
const vat = vatPercent()
const callersId = Type.String({ minLength: 1, maxLength: 200 })

export const newSku = Type.Object(
  {
    name,
    price: money(),
    originPrice: Type.Optional(money()),
    sku: Type.Optional(code),
    barcode: Type.Optional(code),
    variantOptionIds: Type.Optional(
      Type.Array(callersId, { maxItems: 20, description: 'Ids of options in `variants`, one of each group' }),
    ),
  },
  { additionalProperties: false },
)

export const newVariant = Type.Object(
  {
    id: callersId,
    name,
    options: Type.Array(Type.Object({ id: callersId, value: name }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: 200,
    }),
  },
  { additionalProperties: false },
)

/** Enough for a body with the most variant groups and SKUs. */
export const MOST_VALUES_OF_SKUS = 30_000

export const createProductBody = Type.Object(
  {
    name,
    price: money(),
    description: Type.Optional(html),
    originPrice: Type.Optional(money()),
    categoryId: Type.Optional(bodyId()),
    status: Type.Optional(status),
    vat: Type.Optional(vat),
    images: Type.Optional(images),
    itemSku: Type.Optional(code),
    barcode: Type.Optional(code),
    skus: Type.Optional(Type.Array(newSku, { maxItems: 200 })),
    variants: Type.Optional(Type.Array(newVariant, { maxItems: 20 })),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const updateProductBody = Type.Object(
  {
    shopId: Type.String({ minLength: 1, description: 'The shop of the API key' }),
    name: Type.Optional(name),
    slug: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Normalised and made unique; generated from the name when absent or empty',
      }),
    ),
    aliasName: Type.Optional(Type.String({ maxLength: 500 })),
    description: Type.Optional(html),
    price: Type.Optional(money()),
    originPrice: Type.Optional(Type.Union([money(), Type.Null()], { description: 'Null: none' })),
    vat: Type.Optional(vat),
    categoryId: Type.Optional(Type.Union([bodyId(), Type.Null()], { description: 'Null: none' })),
    status: Type.Optional(status),
    images: Type.Optional(images),
    itemSku: Type.Optional(code),
    barcode: Type.Optional(code),
  },
  { additionalProperties: false },
)

export const select = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      'Comma-separated: `skus`, `variants` (in the field `itemVariants`), `category`, `wholesalePrices`, `subItemsGroups`, `skuImages` (`images` of each SKU that is shown)',
  }),
)

const warehouseId = Type.Optional(queryId('Adds `warehouseStock` to each SKU; includes `skus`'))

export const listProductsQuery = Type.Object({
  ...paging(10, 50, null),
  ...placeFields,
  total: totalMode,
  select,
  search: Type.Optional(
    searchText(
      500,
      'Words of the name in any order, ignoring accents and case; or the start of a code or barcode',
    ),
  ),
  category: Type.Optional(queryId('Only products of this category')),
  minPrice: Type.Optional(Type.Number({ minimum: 0 })),
  maxPrice: Type.Optional(Type.Number({ minimum: 0 })),
  stockAtMost: Type.Optional(
    Type.Integer({
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
      description: 'Only products with this many pieces available, or fewer',
    }),
  ),
  stocked: Type.Optional(
    Type.Boolean({
      description:
        '`true`: only products of which stock was ever entered; `false`: only those that were sold without',
    }),
  ),
  barcode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Exact barcode of a product or one of its SKUs; includes `skus`',
    }),
  ),
  warehouseId,
  sortBy: literals(SORT_FIELDS, { default: 'createdAt' }),
  sortType,
})

export const readProductQuery = Type.Object({ select, warehouseId })

export const keptId = Type.Optional(bodyId('`_id` of an existing SKU of this product, to keep it'))
