import { type Static, Type } from 'typebox'
import { literals, nameText } from '../../http/validate.ts'
import { TECH_SETTINGS, type TechSetting } from '../../lib/params.ts'

export const TEMPLATE_STATUSES = ['DRAFT', 'PENDING_REVIEW', 'ENABLE', 'DISABLE', 'REJECTED'] as const
const TEMPLATE_TYPES = ['custom', 'voucher', 'rating'] as const
const IMAGE_TYPES = ['logo', 'image'] as const
const TAGS = ['1', '2', '3'] as const
const BUTTON_TYPES = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const
const MAX_ROW_TYPE = 5

const closed = { additionalProperties: false }
const shortText = () => Type.String({ minLength: 1, maxLength: 500 })
const address = () => Type.String({ maxLength: 2_000, description: 'An http or https address' })
const rowType = () =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ROW_TYPE,
      default: 0,
      description:
        'Colour: 0 none, 1 success (green), 2 update (blue), 3 notice (yellow), 4 error (red), 5 basic',
    }),
  )

const voucher = Type.Object(
  {
    code: shortText(),
    title: shortText(),
    condition: Type.String({ minLength: 1, maxLength: 2_000 }),
    startDate: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'dd/mm/yyyy, hh:mm dd/mm/yyyy, hh:mm:ss dd/mm/yyyy, ISO 8601, or a <param>',
      }),
    ),
    expiryDate: Type.String({ minLength: 1, maxLength: 100, description: 'As startDate, and not before it' }),
  },
  closed,
)

const ratingItem = Type.Object(
  {
    star: Type.Integer({ minimum: 1, maximum: 5, description: 'Each star count once' }),
    title: shortText(),
    question: shortText(),
    answers: Type.Optional(Type.Array(shortText(), { maxItems: 20, default: [] })),
    thanks: Type.Optional(Type.String({ maxLength: 500 })),
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  closed,
)

const rating = Type.Object({ items: Type.Array(ratingItem, { minItems: 1, maxItems: 5 }) }, closed)

const row = Type.Object({ label: shortText(), key: shortText(), rowType: rowType() }, closed)

const contentBlock = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100, description: 'A UUID of the caller’s, once a template' }),
    type: literals(['paragraph', 'table', 'voucher', 'rating']),
    value: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 5_000,
        description: 'Required in a paragraph; may hold <param_key>',
      }),
    ),
    rows: Type.Optional(Type.Array(row, { maxItems: 50, description: 'Required in a table' })),
    voucher: Type.Optional(voucher),
    rating: Type.Optional(rating),
  },
  closed,
)

const button = Type.Object(
  {
    label: shortText(),
    type: literals(BUTTON_TYPES),
    value: Type.Optional(
      Type.String({
        maxLength: 2_000,
        default: '',
        description: 'The target; types 3 and 4 do without one, the others need it at publish',
      }),
    ),
  },
  closed,
)

const param = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 100 }),
    label: shortText(),
    techSetting: Type.Optional(
      literals(Object.keys(TECH_SETTINGS) as TechSetting[], {
        description: 'The platform’s technical type; needed at publish',
      }),
    ),
    maxLength: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Must be the technical type’s; that is the default' }),
    ),
    sampleValue: Type.Optional(Type.String({ maxLength: 500 })),
    rowType: rowType(),
    isFixed: Type.Optional(Type.Boolean({ default: false })),
  },
  closed,
)

/** The body of create and of update alike (E1, E2). */
export const templateBody = Type.Object(
  {
    oaId: Type.String({ minLength: 1, maxLength: 64 }),
    name: nameText(500),
    description: Type.Optional(Type.String({ maxLength: 5_000 })),
    title: nameText(500),
    tag: literals(TAGS, { description: 'Content level: 1 transaction, 2 customer care, 3 post-sale' }),
    templateType: literals(TEMPLATE_TYPES),
    imageType: literals(IMAGE_TYPES),
    logoLight: Type.Optional(address()),
    logoDark: Type.Optional(address()),
    images: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: 20 })),
    contentBlocks: Type.Array(contentBlock, { maxItems: 50 }),
    buttons: Type.Array(button, { maxItems: 3 }),
    params: Type.Array(param, { maxItems: 100 }),
    voucher: Type.Optional(voucher),
    rating: Type.Optional(rating),
    isCustomParams: Type.Boolean({
      description: 'false: the system’s own parameters are used, and the record carries those that occur',
    }),
    note: Type.Optional(Type.String({ maxLength: 5_000 })),
    status: Type.Optional(Type.Unknown({ description: 'Ignored' })),
    shopId: Type.Optional(Type.Unknown({ description: 'Ignored: the key names the shop' })),
  },
  closed,
)
export type TemplateBody = Static<typeof templateBody>

export const listQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  status: Type.Optional(literals(TEMPLATE_STATUSES)),
  oaId: Type.Optional(Type.String({ maxLength: 64 })),
  templateType: Type.Optional(literals(TEMPLATE_TYPES)),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Words of the name or title, in any order, accents aside' }),
  ),
})
export type ListQuery = Static<typeof listQuery>

export const templateRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  shopId: Type.String(),
  oaId: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  title: Type.String(),
  tag: literals(TAGS),
  templateType: literals(TEMPLATE_TYPES),
  imageType: literals(IMAGE_TYPES),
  logoLight: Type.Optional(Type.String()),
  logoDark: Type.Optional(Type.String()),
  images: Type.Optional(Type.Array(Type.String())),
  contentBlocks: Type.Optional(Type.Array(contentBlock)),
  tables: Type.Optional(
    Type.Array(Type.Object({ label: Type.String(), key: Type.String() }), {
      description: 'Older templates only, which have no contentBlocks',
    }),
  ),
  paragraphs: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), key: Type.Optional(Type.String()) }), {
      description: 'Older templates only, which have no contentBlocks',
    }),
  ),
  buttons: Type.Array(
    Type.Object({ label: Type.String(), type: Type.String(), value: Type.Optional(Type.String()) }),
  ),
  params: Type.Array(
    Type.Object({
      key: Type.String(),
      label: Type.String(),
      techSetting: Type.Optional(Type.String()),
      maxLength: Type.Optional(Type.Integer()),
      sampleValue: Type.Optional(Type.String()),
      rowType: Type.Optional(Type.Integer()),
      isFixed: Type.Optional(Type.Boolean()),
    }),
  ),
  voucher: Type.Optional(voucher),
  rating: Type.Optional(rating),
  isCustomParams: Type.Boolean(),
  note: Type.Optional(Type.String()),
  status: literals(TEMPLATE_STATUSES),
  rejectReason: Type.Optional(Type.String({ description: 'Only when REJECTED' })),
  isSync: Type.Boolean({ description: 'true once the platform has approved it' }),
  templateId: Type.Optional(Type.String({ description: 'The platform’s number, when isSync' })),
  previewUrl: Type.Optional(Type.String()),
  platform: Type.Optional(Type.String({ description: 'Where it is synchronised with, when isSync' })),
  price: Type.Optional(Type.Integer({ description: 'Đồng a message by phone number, when isSync' })),
  priceUID: Type.Optional(Type.Integer({ description: 'Đồng a message by UID, when isSync' })),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

const lintMessages = Type.Array(
  Type.Object({
    path: Type.String({ description: 'The field, with dots: `contentBlocks.0.value`; empty for the whole' }),
    message: Type.String({ description: 'What is wrong and how to mend it' }),
  }),
)

export const lintAnswer = Type.Object({
  data: Type.Object({ errors: lintMessages, warnings: lintMessages }),
})

export const timelineAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      status: literals(TEMPLATE_STATUSES),
      from: Type.Union([literals(TEMPLATE_STATUSES), Type.Null()], { description: 'null at creation' }),
      source: literals(['shop', 'webhook', 'polling', 'submission', 'import'], {
        description:
          'Who changed it: the shop, the platform by its event or when asked, the submission, which failed or, with the same status as before, waits for the platform’s next day, an import',
      }),
      reason: Type.Union([Type.String(), Type.Null()]),
      at: Type.String(),
    }),
  ),
})

export const previewQuery = Type.Object({
  theme: Type.Optional(literals(['light', 'dark'], { description: 'Otherwise as the device is set' })),
})
