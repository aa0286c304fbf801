import { Type } from 'typebox'
import { ignoredShopId } from '../../http/validation/fields.ts'
import { literals, nameText } from '../../http/validation/validate.ts'
import { VALUE_NAMES } from './rules.ts'

/** The most audiences of a shop. */
export const MAX_AUDIENCES = 100
/** The most members in one response: as many as a batch has messages. */
const MAX_MEMBERS = 1_000

const ids = (what: string) =>
  Type.Optional(
    Type.Array(Type.String({ pattern: '^[0-9a-fA-F]{24}$' }), {
      minItems: 1,
      maxItems: 50,
      description: `bought, notBought: ${what}`,
    }),
  )

const condition = Type.Object(
  {
    kind: literals(['bought', 'notBought', 'birthday', 'debt'], {
      description:
        'Has an order that is not cancelled; has no such order; has a birthday; owes money. With `productIds` or `categoryIds`, only orders with one of these count',
    }),
    productIds: ids('one or more of these products'),
    categoryIds: ids('one or more products of these categories'),
    days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        description:
          'bought, notBought: in the last `days` days, including today. birthday: today or in the next `days` days',
      }),
    ),
    since: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description: 'bought, notBought: since this day, `2026-11-24`, instead of `days`',
      }),
    ),
    month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12, description: 'birthday: in this month' })),
    atLeast: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'debt: at least this, in đồng',
      }),
    ),
  },
  { additionalProperties: false },
)

const name = nameText(200)
const match = literals(['all', 'any'], {
  description: 'Whether a customer meets all conditions, or any of them',
})
const conditions = Type.Array(condition, { minItems: 1, maxItems: 10 })
const after = Type.String({
  pattern: '^[0-9a-fA-F]{24}$',
  description: 'The `next` of the previous response',
})

export const createAudienceBody = Type.Object(
  { name, match: Type.Optional(match), conditions, shopId: ignoredShopId },
  { additionalProperties: false },
)
export const updateAudienceBody = Type.Object(
  {
    name: Type.Optional(name),
    match: Type.Optional(match),
    conditions: Type.Optional(conditions),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)
export const countAudienceBody = Type.Object(
  { match: Type.Optional(match), conditions, after: Type.Optional(after), shopId: ignoredShopId },
  { additionalProperties: false },
)
export const membersQuery = Type.Object({
  after: Type.Optional(after),
  limit: Type.Integer({ minimum: 1, maximum: MAX_MEMBERS, default: 100 }),
})

const record = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  name: Type.String(),
  match,
  conditions: Type.Array(condition),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

/** Where a response ends. */
const next = Type.Union([Type.String(), Type.Null()], {
  description: 'Where the next call continues, while not all customers have been looked at. Null at the end',
})

export const audienceAnswer = Type.Object({ data: record })
export const audiencesAnswer = Type.Object({
  data: Type.Array(record, { description: `By name, at most ${MAX_AUDIENCES}` }),
})
export const countAnswer = Type.Object({
  data: Type.Object({
    customers: Type.Integer({ description: 'With a phone number' }),
    withoutPhone: Type.Integer({ description: 'Customers who meet the conditions but have no phone number' }),
    next,
  }),
})
export const membersAnswer = Type.Object({
  data: Type.Object({
    customers: Type.Array(
      Type.Object({
        _id: Type.String(),
        fullName: Type.String(),
        phone: Type.String({ description: '`84912345678`' }),
        values: Type.Object(
          Object.fromEntries(VALUE_NAMES.map((value) => [value, Type.String()])) as Record<
            (typeof VALUE_NAMES)[number],
            ReturnType<typeof Type.String>
          >,
          { description: 'As texts for a template’s params; empty where nothing is known' },
        ),
      }),
      { description: 'May be fewer than `limit`, or none, before the end' },
    ),
    next,
  }),
})
