import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { bodyId, ignoredShopId, pageMeta, paging, sortType } from '../../http/validation/fields.ts'
import { literals } from '../../http/validation/validate.ts'
import { who } from '../../http/validation/who.ts'
import { ENTRY_TYPES, MAX_PIECES, MOST_UNIT_COST } from './rules.ts'
import { movementRecord } from './schema.ts'

const orNull = (description?: string) =>
  Type.Union([Type.Integer(), Type.Null()], description === undefined ? {} : { description })

export const entryBody = Type.Object(
  {
    type: literals(ENTRY_TYPES, {
      description:
        '`receive` adds stock, `issue` removes it, `count` sets it to the counted quantity, `transfer` moves it to another warehouse',
    }),
    warehouseId: Type.Optional(bodyId("Default: the shop's default warehouse")),
    toWarehouseId: Type.Optional(bodyId('For a transfer only, where it is required')),
    supplier: Type.Optional(
      Type.String({ maxLength: 200, description: 'For goods received only: whom they came from' }),
    ),
    items: Type.Array(
      Type.Object(
        {
          skuId: bodyId('Each SKU once'),
          quantity: Type.Integer({
            minimum: 0,
            maximum: MAX_PIECES,
            description: 'Pieces, at least 1; in a count, the counted quantity, which may be 0',
          }),
          unitCost: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: MOST_UNIT_COST,
              description:
                'For goods received only: what a piece cost, in đồng. It changes the average cost; without it, the average stays the same',
            }),
          ),
          expected: Type.Optional(
            Type.Integer({
              minimum: -Number.MAX_SAFE_INTEGER,
              maximum: Number.MAX_SAFE_INTEGER,
              description:
                'For a count only: the stock that was shown. If it has changed since, 409 STOCK_CHANGED and nothing is booked',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 1000 },
    ),
    note: Type.Optional(Type.String({ maxLength: 1000 })),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

const entryFields = {
  _id: Type.String(),
  id: Type.String(),
  shopId: Type.String(),
  type: literals(ENTRY_TYPES),
  warehouseId: Type.String(),
  toWarehouseId: Type.Union([Type.String(), Type.Null()]),
  supplier: Type.String(),
  note: Type.String(),
  recordedBy: who('Null if it was not recorded, or if the id no longer exists'),
  createdAt: Type.String(),
  itemCount: Type.Integer({ description: 'How many SKUs' }),
  added: Type.Integer({ description: 'The pieces of all movements above 0' }),
  removed: Type.Integer({ description: 'The pieces of all movements below 0, as a positive number' }),
  totalCost: orNull(
    'What the lines with a cost came to, in đồng; null if none has one, and for staff and viewers if somebody else recorded it',
  ),
}

export const entryAnswer = Type.Object({
  success: Type.Boolean(),
  message: Type.String(),
  data: Type.Object({
    ...entryFields,
    movements: Type.Array(
      Type.Object({
        ...movementRecord.properties,
        name: Type.String({ description: 'The product’s name, and the SKU’s if it adds to that' }),
        code: Type.String({ description: 'The SKU’s barcode, or else its code' }),
      }),
    ),
  }),
})

export const entryDetailAnswer = Type.Object({
  success: Type.Boolean(),
  data: entryAnswer.properties.data,
})

export const listEntriesQuery = Type.Object({
  ...paging(20, 50),
  ...placeFields,
  type: Type.Optional(literals(ENTRY_TYPES)),
  sortBy: literals(['createdAt'], { default: 'createdAt' }),
  sortType,
})

export const listEntriesAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({ entries: Type.Array(Type.Object(entryFields)), meta: pageMeta }),
})

export const entryPreviewAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    warehouseId: Type.String(),
    toWarehouseId: Type.Union([Type.String(), Type.Null()]),
    totalCost: orNull('What the lines with a cost come to, in đồng; null if none has one'),
    items: Type.Array(
      Type.Object({
        skuId: Type.String(),
        name: Type.String({ description: 'The product’s name, and the SKU’s if it adds to that' }),
        code: Type.String({ description: 'The SKU’s barcode, or else its code' }),
        quantity: Type.Integer({ description: 'As requested' }),
        stock: Type.Integer({ description: 'In `warehouseId` now; of a count, what to send as `expected`' }),
        available: Type.Integer({ description: 'Of these, the pieces that no order has reserved' }),
        change: Type.Integer({ description: 'What would be added there; below 0: removed' }),
        isShort: Type.Boolean({ description: 'Whether it would be refused with OUT_OF_STOCK' }),
        averageCost: orNull(
          'What a piece costs on average now, in đồng; null if no cost is known, and for staff and viewers',
        ),
        averageCostAfter: orNull('The same once this is booked'),
      }),
    ),
  }),
})

export const listSuppliersQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the name, ignoring case and accents' }),
  ),
})

export const suppliersAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    suppliers: Type.Array(
      Type.Object({
        _id: Type.String(),
        id: Type.String(),
        name: Type.String({ description: 'As last entered' }),
        lastReceivedAt: Type.String(),
      }),
    ),
    meta: pageMeta,
  }),
})

export const listCostsQuery = Type.Object({ ...paging(20, 100), ...placeFields })

export const costsAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    costs: Type.Array(
      Type.Object({
        _id: Type.String(),
        id: Type.String(),
        skuId: Type.String({ description: 'The same as `id`: a SKU has one average cost' }),
        averageCost: Type.Integer({ description: 'What a piece costs on average, in đồng, rounded half up' }),
        updatedAt: Type.String(),
      }),
    ),
    meta: pageMeta,
  }),
})
