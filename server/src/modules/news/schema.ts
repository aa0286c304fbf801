import { Type } from 'typebox'
import { cursorFields, placeFields } from '../../http/list-place.ts'
import { ignoredShopId, paging, sortType } from '../../http/validation/fields.ts'
import { literals, nameText, pictureAddress, searchText } from '../../http/validation/validate.ts'
import { NEWS_SORTS } from './rules.ts'

const newsFields = {
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  type: Type.Literal('news'),
  title: Type.String(),
  content: Type.String({ description: 'HTML, kept as sent: sanitise it before showing it' }),
  shortContent: Type.String({ description: "The content's text, at most 200 characters" }),
  slug: Type.String(),
  metaDescription: Type.String(),
  status: literals(['active', 'inactive']),
  shopId: Type.String(),
  images: Type.Array(Type.String()),
  cta: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
  itemIds: Type.Array(Type.String(), { description: 'Ids of the attached products' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
}

export const attachedProduct = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  images: Type.Array(Type.String()),
  price: Type.Number(),
  originPrice: Type.Union([Type.Number(), Type.Null()]),
  status: literals(['active', 'inactive']),
})

export const newsRecord = Type.Object(newsFields)

export const newsWithItemsRecord = Type.Object({
  ...newsFields,
  items: Type.Array(attachedProduct, { description: 'The attached products (G-51)' }),
})

export const newsListMeta = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
  ...cursorFields,
})

const title = nameText(500)
const content = Type.String({ minLength: 1, maxLength: 200_000, description: 'HTML of at most 10,000 tags' })
const rest = {
  status: Type.Optional(literals(['active', 'inactive'])),
  slug: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Normalised and made unique in the shop (`-2`, `-3`, …). When absent or empty, the current slug stays; an article without one gets it from its title',
    }),
  ),
  metaDescription: Type.Optional(Type.String({ maxLength: 2000 })),
  images: Type.Optional(
    Type.Array(pictureAddress(), {
      maxItems: 200,
      description: 'URLs; replaces the whole list',
    }),
  ),
  cta: Type.Optional(
    Type.Array(
      Type.Object(
        {
          name: nameText(500),
          url: Type.String({
            minLength: 1,
            maxLength: 2000,
            description: 'https://<link host of the platform>/s/<app-id>/<path>',
          }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 200, description: 'Action buttons; replaces the whole list' },
    ),
  ),
  type: Type.Optional(Type.Unknown({ description: 'Accepted and ignored' })),
  shortContent: Type.Optional(Type.Unknown({ description: 'Accepted and ignored' })),
  shopId: ignoredShopId,
}

export const createNewsBody = Type.Object({ title, content, ...rest }, { additionalProperties: false })

export const updateNewsBody = Type.Object(
  { title: Type.Optional(title), content: Type.Optional(content), ...rest },
  { additionalProperties: false },
)

export const newsItemsBody = Type.Object(
  {
    newsIds: Type.Array(Type.String({ 'x-object-id': true }), {
      maxItems: 1000,
      description: 'Product ids, despite the name; unknown ids are skipped',
    }),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const listNewsQuery = Type.Object({
  ...paging(10, 50),
  ...placeFields,
  status: Type.Optional(literals(['active', 'inactive'])),
  search: Type.Optional(searchText(200, 'Words of the title in any order, ignoring accents and case')),
  sortBy: literals(NEWS_SORTS, { default: 'createdAt' }),
  sortType,
})
