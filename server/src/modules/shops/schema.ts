import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { pageMeta, paging } from '../../http/validation/fields.ts'
import { literals, nameText, searchText } from '../../http/validation/validate.ts'
import { profileFields } from './profile-schema.ts'

const unknownPolicy = Type.Union([literals(['release', 'resend-once']), Type.Null()], {
  description: 'What happens to a message whose outcome stays unknown; null: the service’s default',
})

const lowStockAt = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'A stocked product with this many pieces available, or fewer, is low on stock (G-126)',
})

export const shopRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  name: Type.String(),
  language: literals(['vi', 'en']),
  oversell: literals(['allow', 'deny']),
  unknownPolicy,
  lowStockAt,
  ...profileFields,
  suspendedAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When the shop was suspended (G-69); null: it is not suspended',
  }),
  suspensionReason: Type.Union([Type.String(), Type.Null()]),
  deletion: Type.Union(
    [
      Type.Object({
        askedAt: Type.String(),
        dueAt: Type.String({ description: 'It is erased after this time, if it has been exported' }),
        exportedAt: Type.Union([Type.String(), Type.Null()], {
          description:
            'When its export was last read to the end since then; null: not yet, so it is not erased',
        }),
        erasingSince: Type.Union([Type.String(), Type.Null()], {
          description: 'When its erasure began, which cannot be withdrawn',
        }),
      }),
      Type.Null(),
    ],
    { description: 'The deletion that the operator requested; null: none' },
  ),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const createShopBody = Type.Object(
  {
    name: nameText(200),
    language: Type.Optional(literals(['vi', 'en'])),
    oversell: Type.Optional(
      literals(['allow', 'deny'], {
        description: 'Whether an order may exceed the available stock (G-43)',
      }),
    ),
    unknownPolicy: Type.Optional(unknownPolicy),
  },
  { additionalProperties: false },
)

export const updateShopBody = Type.Object(
  {
    name: Type.Optional(nameText(200)),
    language: Type.Optional(literals(['vi', 'en'])),
    oversell: Type.Optional(literals(['allow', 'deny'])),
    unknownPolicy: Type.Optional(unknownPolicy),
    lowStockAt: Type.Optional(lowStockAt),
    ...Type.Partial(Type.Object(profileFields)).properties,
  },
  { additionalProperties: false },
)

export const suspendShopBody = Type.Object(
  {
    reason: Type.Optional(
      Type.String({ maxLength: 500, description: 'For the audit log and other operators' }),
    ),
  },
  { additionalProperties: false },
)

export const shopsQuery = Type.Object({
  ...paging(20, 100),
  ...placeFields,
  search: Type.Optional(searchText(200, 'Words of the name, in any order')),
  sortBy: literals(['createdAt', 'name', 'balance'], {
    default: 'createdAt',
    description: 'Newest first, by name, or lowest balance first',
  }),
})

export const shopsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      ...shopRecord.properties,
      summary: Type.Object({
        balance: Type.Integer(),
        held: Type.Integer(),
        isWalletLow: Type.Boolean({ description: 'Below the shop’s own threshold, else below 50,000 đồng' }),
        messagesIn30Days: Type.Integer({
          description: 'Messages that the platform accepted, including today’s',
        }),
        lastActivityAt: Type.Union([Type.String(), Type.Null()], {
          description: 'Time of its newest order or sent message',
        }),
        accounts: Type.Integer({ description: 'Official accounts' }),
        disconnectedAccounts: Type.Integer(),
        disabledWebhooks: Type.Integer({ description: 'Endpoints that were disabled after failures' }),
      }),
    }),
  ),
  meta: pageMeta,
})

export const walletEntryBody = Type.Object(
  {
    type: Type.Optional(
      literals(['top_up', 'correction'], {
        description: 'Default: by the sign of the amount; a top-up is positive',
      }),
    ),
    amount: Type.Integer({
      minimum: -1_000_000_000_000,
      maximum: 1_000_000_000_000,
      description: 'Whole đồng; a negative amount corrects',
    }),
    note: Type.String({ minLength: 1, maxLength: 500 }),
  },
  { additionalProperties: false },
)
