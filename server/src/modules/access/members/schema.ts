import { Type } from 'typebox'
import { placeFields } from '../../../http/list-place.ts'
import { pageMeta, paging } from '../../../http/validation/fields.ts'
import { literals, nameText } from '../../../http/validation/validate.ts'
import { ROLES } from './rules.ts'

const role = literals(ROLES)
const email = Type.String({ minLength: 1, maxLength: 254 })
const name = nameText(200)
const password = Type.String({ minLength: 10, maxLength: 128 })

export const memberRecord = Type.Object({
  _id: Type.String(),
  __v: Type.Integer({ description: 'Counts the changes of the role' }),
  name: Type.String(),
  email: Type.String(),
  role,
  createdAt: Type.String(),
})

export const invitationRecord = Type.Object({
  _id: Type.String(),
  email: Type.String(),
  role,
  expiresAt: Type.String(),
  createdAt: Type.String(),
})

export const issuedKeyRecord = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  lastUsedAt: Type.Union([Type.String(), Type.Null()]),
})

export const operatorRecord = Type.Object({ _id: Type.String(), name: Type.String(), email: Type.String() })

export const membersQuery = Type.Object({
  ...paging(1000, 1000),
  ...placeFields,
})

export const membersAnswer = Type.Object({
  data: Type.Object({
    members: Type.Array(memberRecord),
    invitations: Type.Array(invitationRecord, {
      description: 'All pending ones, up to 1,000, on the first page; none on the others',
    }),
    meta: pageMeta,
  }),
})

export const operatorsAnswer = Type.Object({
  data: Type.Array(operatorRecord),
  meta: pageMeta,
})

export const memberBody = Type.Object({ role }, { additionalProperties: false })

export const invitationBody = Type.Object({ email, role }, { additionalProperties: false })

export const operatorBody = Type.Object({ email, name }, { additionalProperties: false })

export const resetLinkBody = Type.Object({ email }, { additionalProperties: false })

export const acceptBody = Type.Object(
  {
    name: Type.Optional(name),
    password: Type.Optional(
      Type.String({
        ...password,
        description: 'Required if `hasAccount` is false; at least 10 characters',
      }),
    ),
  },
  { additionalProperties: false },
)

export const resetPasswordBody = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }), newPassword: password },
  { additionalProperties: false },
)

export const changePasswordBody = Type.Object(
  { currentPassword: Type.String({ minLength: 1, maxLength: 128 }), newPassword: password },
  { additionalProperties: false },
)

/** What a shop's counter prints and shows; `bank` is the account for bank transfers. */
const profile = Type.Object(
  {
    address: Type.String(),
    phone: Type.String(),
    taxCode: Type.String(),
    printNote: Type.String(),
    printPaper: literals(['58', '80', 'a5']),
    bank: Type.Union([
      Type.Object({ bin: Type.String(), number: Type.String(), holder: Type.String() }),
      Type.Null(),
    ]),
  },
  { description: 'What the counter prints and shows' },
)

export const meAnswer = Type.Object({
  data: Type.Object({
    user: Type.Object({
      _id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      isOperator: Type.Boolean(),
    }),
    operatorContact: Type.Union([Type.String(), Type.Null()], {
      description: 'How to reach the operator, from the setting OPERATOR_CONTACT',
    }),
    shops: Type.Array(
      Type.Object({
        _id: Type.String(),
        name: Type.String(),
        role,
        language: literals(['vi', 'en']),
        lowStockAt: Type.Integer(),
        profile,
        visitUntil: Type.Union([Type.String(), Type.Null()], {
          description: 'When an operator’s visit to the shop ends; null for a member',
        }),
      }),
    ),
  }),
})

export const openInvitationAnswer = Type.Object({
  data: Type.Object({
    shopName: Type.String(),
    email: Type.String(),
    role,
    hasAccount: Type.Boolean({
      description:
        'Whether the email has an account; it accepts the invitation by signing in, without a name or password here',
    }),
    mustProve: Type.Boolean({
      description:
        'Whether that account must first set its password, with a link that is emailed or comes from the operator',
    }),
  }),
})
