import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { bodyId, ignoredShopId, paging } from '../../http/validation/fields.ts'
import { nameText, pictureAddress } from '../../http/validation/validate.ts'

const fields = {
  name: nameText(500),
  slug: Type.String({
    maxLength: 500,
    description: 'Normalised and made unique; generated from the name at creation when absent or empty',
  }),
  description: Type.String({ maxLength: 100_000, description: 'May contain HTML; kept as sent' }),
  image: pictureAddress({ minLength: 0, description: 'URL of an image' }),
  parentId: Type.Union([bodyId(), Type.Null()]),
  sortOrder: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
}

const optional = {
  slug: Type.Optional(fields.slug),
  description: Type.Optional(fields.description),
  image: Type.Optional(fields.image),
  parentId: Type.Optional(fields.parentId),
  sortOrder: Type.Optional(fields.sortOrder),
  shopId: ignoredShopId,
}

export const createCategoryBody = Type.Object(
  { name: fields.name, ...optional },
  { additionalProperties: false },
)

export const updateCategoryBody = Type.Object(
  { name: Type.Optional(fields.name), ...optional },
  { additionalProperties: false },
)

export const listCategoriesQuery = Type.Object({
  ...paging(100, 500, null),
  ...placeFields,
})

export const categoryRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Number(),
  shopId: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  image: Type.String(),
  parentId: Type.Union([Type.String(), Type.Null()]),
  depth: Type.Number({ description: '0 for a root' }),
  sortOrder: Type.Number(),
  productCount: Type.Number({ description: 'Its own products, without those of its subcategories' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})
