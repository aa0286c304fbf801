import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { ignoredShopId, pageMeta, paging } from '../../http/validation/fields.ts'
import { literals } from '../../http/validation/validate.ts'
import { who } from '../../http/validation/who.ts'
import { MOST_PAYMENTS } from './rules.ts'

/** The most cash that a drawer can be given at once, in đồng. With payments it can have more, so closing has no such limit. */
const MOST_CASH = 1_000_000_000_000
const note = Type.Optional(Type.String({ maxLength: 1000 }))
const strict = { additionalProperties: false }

export const openShiftBody = Type.Object(
  {
    openingCash: Type.Integer({
      minimum: 0,
      maximum: MOST_CASH,
      description: 'The cash in the drawer, in đồng',
    }),
    note,
    shopId: ignoredShopId,
  },
  strict,
)

export const shiftCashBody = Type.Object(
  {
    amount: Type.Integer({
      minimum: -MOST_CASH,
      maximum: MOST_CASH,
      description: 'In đồng: above 0 for cash put into the drawer, below 0 for cash taken out; never 0',
    }),
    reason: Type.String({ minLength: 1, maxLength: 500, 'x-not-blank': true }),
    shopId: ignoredShopId,
  },
  strict,
)

export const closeShiftBody = Type.Object(
  {
    countedCash: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The cash in the drawer, as it was counted',
    }),
    expectedCash: Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The expected cash that the count was compared with; if it has changed since, 409 SHIFT_CASH_CHANGED',
    }),
    note,
    shopId: ignoredShopId,
  },
  strict,
)

export const getShiftQuery = Type.Object({
  select: Type.Optional(
    literals(['payments'], { description: '`payments`: also the payment records of the shift' }),
  ),
})

export const listShiftsQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
  state: Type.Optional(literals(['open', 'closed'])),
  mine: Type.Optional(Type.Boolean({ description: 'Only those of the member or the key that asks' })),
})

const shiftFields = {
  _id: Type.String(),
  id: Type.String(),
  shopId: Type.String(),
  openedBy: who('Whose shift it is; null if the id no longer exists'),
  openedAt: Type.String(),
  openingCash: Type.Integer(),
  note: Type.String(),
  methods: Type.Array(
    Type.Object({
      method: Type.String({
        description: 'As in the payments; `cash` and `tiền mặt` are in the drawer',
      }),
      taken: Type.Integer(),
      refunded: Type.Integer(),
      payments: Type.Integer({ description: 'How many payment records, including refunds' }),
    }),
  ),
  cashIn: Type.Integer({ description: 'Cash put into the drawer other than by payments' }),
  cashOut: Type.Integer(),
  expectedCash: Type.Integer({
    description: 'openingCash + cashIn − cashOut + cash taken − cash refunded; for an open shift, up to now',
  }),
  closedBy: who('Null while it is open'),
  closedAt: Type.Union([Type.String(), Type.Null()]),
  countedCash: Type.Union([Type.Integer(), Type.Null()]),
  difference: Type.Union([Type.Integer(), Type.Null()], { description: 'countedCash − expectedCash' }),
  closingNote: Type.String(),
}

const shiftRecord = Type.Object(shiftFields)

const shiftDetail = Type.Object({
  ...shiftFields,
  movements: Type.Array(
    Type.Object({
      _id: Type.String(),
      id: Type.String(),
      amount: Type.Integer(),
      reason: Type.String(),
      recordedBy: who('Null if the id no longer exists'),
      createdAt: Type.String(),
    }),
    { description: 'Cash put into the drawer or taken out, oldest first' },
  ),
  payments: Type.Optional(
    Type.Array(
      Type.Object({
        _id: Type.String(),
        id: Type.String(),
        amount: Type.Integer({ description: 'In đồng, below 0 for a refund' }),
        paymentMethod: Type.String(),
        note: Type.String(),
        orderId: Type.Union([Type.String(), Type.Null()], {
          description: 'Null for what was paid of an opening debt',
        }),
        code: Type.Union([Type.String(), Type.Null()], { description: "The order's" }),
        customer: Type.Union([Type.Object({ _id: Type.String(), fullName: Type.String() }), Type.Null()], {
          description: 'Null for a walk-in',
        }),
        createdAt: Type.String(),
      }),
      { description: `With \`select=payments\`: the newest ${MOST_PAYMENTS}, newest first` },
    ),
  ),
})

export const shiftAnswer = Type.Object({ data: shiftDetail })

export const shiftsAnswer = Type.Object({
  data: Type.Array(shiftRecord),
  meta: pageMeta,
})
