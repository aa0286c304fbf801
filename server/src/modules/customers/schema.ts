import { Type } from 'typebox'
import { labels } from '../../http/formats/csv.ts'
import { exportedIds, placeFields } from '../../http/list-place.ts'
import { ignoredShopId, paging, sortType, totalMode } from '../../http/validation/fields.ts'
import { literals, nameText, searchText } from '../../http/validation/validate.ts'
import { DEBTOR_SORTS } from './rules.ts'

const birthday = Type.String({
  description: 'A date, `1990-11-24`, after 1900 and not in the future. Empty for none',
})
const fields = {
  fullName: nameText(200),
  phone: Type.String({
    maxLength: 40,
    description:
      'In any form, Vietnamese by default; stored and shown as 84…. One customer per number. Empty for none',
  }),
  email: Type.String({ maxLength: 254 }),
  birthday,
  avatar: Type.String({ maxLength: 2000, description: 'URL of an image' }),
  note: Type.String({ maxLength: 5000 }),
}

export const openingDebt = Type.Integer({
  minimum: 0,
  maximum: 9_000_000_000_000,
  description: 'What the customer owed before the first order here, in đồng. Read it at `…/debt`',
})

export const createCustomerBody = Type.Object(
  {
    fullName: fields.fullName,
    phone: Type.Optional(fields.phone),
    email: Type.Optional(fields.email),
    birthday: Type.Optional(fields.birthday),
    avatar: Type.Optional(fields.avatar),
    note: Type.Optional(fields.note),
    openingDebt: Type.Optional(openingDebt),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const updateCustomerBody = Type.Object(
  {
    fullName: Type.Optional(fields.fullName),
    phone: Type.Optional(fields.phone),
    email: Type.Optional(fields.email),
    birthday: Type.Optional(fields.birthday),
    avatar: Type.Optional(fields.avatar),
    note: Type.Optional(fields.note),
    openingDebt: Type.Optional(openingDebt),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

const search = Type.Optional(searchText(200, 'Words of the name in any order, or a phone number'))

const debt = Type.Optional(
  literals(['owed'], {
    description: '`owed`: only customers who owe something, as `GET …/{id}/debt` computes it',
  }),
)

export const listCustomersQuery = Type.Object({
  ...paging(10, 100, null),
  ...placeFields,
  total: totalMode,
  search,
  debt,
  select: Type.Optional(
    literals(['debt'], { description: '`debt`: each customer also has `debt`, what they owe' }),
  ),
  sortBy: literals(DEBTOR_SORTS, {
    default: 'createdAt',
    description: '`debt` only with `debt=owed`: what each owes',
  }),
  sortType,
})

export const exportCustomersQuery = Type.Object({ ids: exportedIds, labels, search, debt })

export const customerRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  shopId: Type.String(),
  fullName: Type.String(),
  phone: Type.String(),
  email: Type.String(),
  birthday: Type.String({ description: '`1990-11-24`; empty for none' }),
  avatar: Type.String(),
  note: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const listedCustomer = Type.Object({
  ...customerRecord.properties,
  debt: Type.Optional(
    Type.Integer({ description: 'Only with `select=debt`. As `GET …/{id}/debt` computes it, in đồng' }),
  ),
})

/** The `meta` fields of a list of those who owe something. */
export const debtorFields = {
  isCut: Type.Optional(
    Type.Boolean({
      description:
        'Only with `debt=owed`: more than 100,000 orders or opening debts are owed, so that not all customers were found',
    }),
  ),
  debt: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'Only with `debt=owed`: what all matches owe together, in đồng; null if `isCut`',
    }),
  ),
}
