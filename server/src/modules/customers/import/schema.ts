import { Type } from 'typebox'
import { brokenRule, ignoredShopId } from '../../../http/validation/fields.ts'
import { openingDebt } from '../schema.ts'

/** So that one request is one short transaction. */
export const MOST_CUSTOMERS = 500

const text = (description: string) => Type.Optional(Type.String({ maxLength: 10_000, description }))

export const importCustomersBody = Type.Object(
  {
    customers: Type.Array(
      Type.Object(
        {
          fullName: Type.String({ maxLength: 10_000, description: '1 to 200 characters' }),
          phone: text('As when a customer is created. The customer with this number, if there is one'),
          email: text('At most 254 characters'),
          birthday: text('`1990-11-24`'),
          note: text('At most 5,000 characters'),
          openingDebt: Type.Optional(openingDebt),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_CUSTOMERS },
    ),
    dryRun: Type.Optional(Type.Boolean({ description: '`true`: says what it would do, and does nothing' })),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const importCustomersAnswer = Type.Object({
  data: Type.Object({
    created: Type.Integer(),
    completed: Type.Integer({ description: 'Customers that were known and got fields that were empty' }),
    unchanged: Type.Integer({ description: 'Customers that were known and have all that the row has' }),
    failed: Type.Integer({ description: 'Rows with an error, of which nothing was written' }),
    debts: Type.Integer({ description: 'Opening debts that were recorded' }),
    debtsKept: Type.Integer({
      description: 'Opening debts that were not recorded, because the customer has one already',
    }),
    errors: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'Place in `customers`, from 1' }),
        field: Type.String(),
        message: Type.String(),
        ...brokenRule,
      }),
    ),
  }),
})
