import { Type } from 'typebox'

export const personBody = Type.Object(
  {
    phone: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'In any form, Vietnamese by default; in the body, because URLs are logged',
    }),
  },
  { additionalProperties: false },
)

const step = Type.Object({ kind: Type.String(), detail: Type.Unknown(), at: Type.String() })

export const exportAnswer = Type.Object({
  data: Type.Object({
    phone: Type.String(),
    exportedAt: Type.String(),
    customers: Type.Array(Type.Unknown(), { description: 'As the list of customers shows them' }),
    orders: Type.Array(Type.Unknown(), { description: 'As E13 shows them, each with its `timeline`' }),
    messages: Type.Array(
      Type.Object({
        _id: Type.String(),
        templateId: Type.String(),
        state: Type.String(),
        params: Type.Record(Type.String(), Type.String(), { description: 'One-time passwords masked' }),
        fee: Type.Integer(),
        errorCode: Type.String(),
        createdAt: Type.String(),
        deliveredAt: Type.Union([Type.String(), Type.Null()]),
        timeline: Type.Array(step),
      }),
    ),
    consents: Type.Array(
      Type.Object({
        _id: Type.String(),
        status: Type.String(),
        source: Type.String(),
        at: Type.String(),
        createdAt: Type.String(),
      }),
    ),
    mentions: Type.Array(
      Type.Object({
        place: Type.String({ description: 'Table and column, such as `orders.note`' }),
        key: Type.Array(Type.String(), { description: 'The row’s key in the database' }),
        text: Type.String(),
      }),
      {
        description:
          'Every text that contains the number, including those of the records above; at most 1,000',
      },
    ),
    mentionsCut: Type.Boolean({ description: 'There are more mentions' }),
  }),
})

const counts = {
  customers: Type.Integer(),
  orders: Type.Integer(),
  messages: Type.Integer(),
  consents: Type.Integer(),
  cancelled: Type.Integer({ description: 'Queued messages that were cancelled' }),
  mentions: Type.Record(Type.String(), Type.Integer(), {
    description: 'Other texts that contained the number, by table and column',
  }),
}

export const erasedAnswer = Type.Object({ data: Type.Object(counts) })
export const erasedEverywhereAnswer = Type.Object({ data: Type.Object({ shops: Type.Integer(), ...counts }) })
