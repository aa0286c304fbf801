import { Type } from 'typebox'
import { cursorFields, placeFields } from '../../http/list-place.ts'
import { ignoredShopId, paging, queryId } from '../../http/validation/fields.ts'
import { literals, nameText } from '../../http/validation/validate.ts'
import { MOVEMENT_TYPES } from './rules.ts'

const fields = {
  name: nameText(200),
  address: Type.String({ maxLength: 500 }),
  isDefault: Type.Boolean({
    description: 'Orders use the stock of the default warehouse first. A shop has exactly one',
  }),
}

export const createWarehouseBody = Type.Object(
  {
    name: fields.name,
    address: Type.Optional(fields.address),
    isDefault: Type.Optional(fields.isDefault),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const updateWarehouseBody = Type.Object(
  {
    name: Type.Optional(fields.name),
    address: Type.Optional(fields.address),
    isDefault: Type.Optional(fields.isDefault),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const listWarehousesQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
})

export const warehouseRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  shopId: Type.String(),
  name: Type.String(),
  address: Type.String(),
  isDefault: Type.Boolean(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const skuStockRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  skuId: Type.String({ description: 'The same as `id`: a SKU has one record of its stock' }),
  itemId: Type.String({ description: 'The SKU’s product' }),
  stock_quantity: Type.Number({ description: 'Quantity less reserved, over all warehouses' }),
  warehouses: Type.Array(
    Type.Object({
      warehouseId: Type.String(),
      quantity: Type.Number(),
      reserved: Type.Number(),
      available: Type.Number(),
    }),
  ),
})

export const movementRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  skuId: Type.String(),
  warehouseId: Type.String(),
  type: literals(MOVEMENT_TYPES),
  quantity: Type.Integer({
    description: 'Change of the stock; 0 if a count found the expected quantity',
  }),
  unitCost: Type.Union([Type.Integer(), Type.Null()], {
    description: 'In đồng, of goods received; null where it was not given, or is not shown to a member',
  }),
  counted: Type.Union([Type.Integer(), Type.Null()], { description: 'The pieces that a count found' }),
  entryId: Type.Union([Type.String(), Type.Null()]),
  orderId: Type.Union([Type.String(), Type.Null()]),
  note: Type.String(),
  createdAt: Type.String(),
})

export const listMovementsQuery = Type.Object({
  ...placeFields,
  skuId: Type.Optional(queryId()),
  warehouseId: Type.Optional(queryId()),
  type: Type.Optional(literals(MOVEMENT_TYPES)),
  orderId: Type.Optional(queryId()),
  from: Type.Optional(
    Type.String({ minLength: 1, description: 'ISO 8601; createdAt at or after it, in UTC' }),
  ),
  to: Type.Optional(
    Type.String({ minLength: 1, description: 'ISO 8601; createdAt at or before it, in UTC' }),
  ),
  before: Type.Optional(queryId("A movement's id: the page starts after it. Use `meta.nextBefore`")),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
})

export const listMovementsAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    movements: Type.Array(movementRecord),
    meta: Type.Object({
      limit: Type.Integer(),
      ...cursorFields,
      nextBefore: Type.Union([Type.String(), Type.Null()], {
        description: 'The next page’s `before`; null on the last page',
      }),
    }),
  }),
})

export const differencesAnswer = Type.Object({
  data: Type.Object({
    total: Type.Integer(),
    differences: Type.Array(
      Type.Object({
        number: literals([
          'stock.quantity',
          'stock.reserved',
          'product.totalQuantity',
          'product.reservedQuantity',
          'product.totals',
          'product.isRetired',
          'product.isStocked',
        ]),
        productId: Type.String(),
        skuId: Type.Union([Type.String(), Type.Null()]),
        warehouseId: Type.Union([Type.String(), Type.Null()]),
        stored: Type.Integer(),
        derived: Type.Integer({
          description:
            'Sum of the movements and reservations; 1 or 0 for whether the totals exist, and whether the product is retired or stocked (G-126)',
        }),
      }),
      { description: 'The first 1,000 errors' },
    ),
  }),
})
