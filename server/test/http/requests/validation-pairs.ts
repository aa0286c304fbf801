import Joi from 'joi'
import { Type } from 'typebox'
import { literals, nameText } from '../../../src/http/validation/validate.ts'

/** One part of a request, described twice: as our modules do and as a celebrate service would. */
export type Pair = { name: string; part: 'body' | 'querystring'; schema: object; joi: Joi.Schema }

const closed = { additionalProperties: false }
const text = Type.String({ minLength: 1 })
const optionalText = Type.Optional(text)
const looseText = Type.Optional(Type.String())
const optionalNumber = Type.Optional(Type.Number({ minimum: 0 }))
const status = ['active', 'inactive'] as const
// Joi has no rule for this, so a custom rule reports Joi's own message.
const joiName = Joi.string().custom((text, { error }) =>
  /^[\s\p{Cf}]*$/u.test(text) ? error('string.empty') : text,
)
const joiPrice = Joi.number().min(0)

const templateRating = {
  schema: Type.Object(
    {
      items: Type.Array(
        Type.Object(
          {
            star: Type.Integer({ minimum: 1, maximum: 5 }),
            title: text,
            answers: Type.Optional(Type.Array(text)),
          },
          closed,
        ),
        { minItems: 1 },
      ),
    },
    closed,
  ),
  joi: Joi.object({
    items: Joi.array()
      .items(
        Joi.object({
          star: Joi.number().integer().min(1).max(5).required(),
          title: Joi.string().required(),
          answers: Joi.array().items(Joi.string()),
        }),
      )
      .min(1)
      .required(),
  }),
}

export const PAIRS: Pair[] = [
  {
    name: 'E16 update news',
    part: 'body',
    schema: Type.Object(
      {
        title: Type.Optional(nameText(300)),
        content: optionalText,
        status: Type.Optional(literals(status)),
        slug: looseText,
        metaDescription: looseText,
        images: Type.Optional(Type.Array(text)),
        cta: Type.Optional(Type.Array(Type.Object({ name: text, url: text }, closed))),
        type: Type.Optional(Type.Any()),
        shortContent: Type.Optional(Type.Any()),
        shopId: Type.Optional(Type.Unknown()),
      },
      closed,
    ),
    joi: Joi.object({
      title: joiName.max(300),
      content: Joi.string(),
      status: Joi.string().valid('active', 'inactive'),
      slug: Joi.string().allow(''),
      metaDescription: Joi.string().allow(''),
      images: Joi.array().items(Joi.string()),
      cta: Joi.array().items(Joi.object({ name: Joi.string().required(), url: Joi.string().required() })),
      type: Joi.any(),
      shortContent: Joi.any(),
      shopId: Joi.any(),
    }),
  },
  {
    name: 'E15 attach related products',
    part: 'body',
    schema: Type.Object({ newsIds: Type.Array(text, { maxItems: 3 }) }, closed),
    joi: Joi.object({ newsIds: Joi.array().items(Joi.string()).max(3).required() }),
  },
  {
    name: 'E10 create product',
    part: 'body',
    schema: Type.Object(
      {
        name: nameText(12),
        price: Type.Number({ minimum: 0 }),
        description: looseText,
        originPrice: optionalNumber,
        status: Type.Optional(literals(status, { default: 'active' })),
        vat: Type.Optional(Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01 })),
        skus: Type.Optional(
          Type.Array(
            Type.Object(
              {
                name: text,
                price: Type.Number({ minimum: 0 }),
                sku: looseText,
                variantOptionIds: Type.Optional(Type.Array(text)),
              },
              closed,
            ),
          ),
        ),
        variants: Type.Optional(
          Type.Array(
            Type.Object(
              { id: text, name: text, options: Type.Array(Type.Object({ id: text, value: text }, closed)) },
              closed,
            ),
          ),
        ),
      },
      closed,
    ),
    joi: Joi.object({
      name: joiName.max(12).required(),
      price: joiPrice.required(),
      description: Joi.string().allow(''),
      originPrice: joiPrice,
      status: Joi.string().valid('active', 'inactive').default('active'),
      vat: Joi.number().min(0).max(100).precision(2),
      skus: Joi.array().items(
        Joi.object({
          name: Joi.string().required(),
          price: joiPrice.required(),
          sku: Joi.string().allow(''),
          variantOptionIds: Joi.array().items(Joi.string()),
        }),
      ),
      variants: Joi.array().items(
        Joi.object({
          id: Joi.string().required(),
          name: Joi.string().required(),
          options: Joi.array()
            .items(Joi.object({ id: Joi.string().required(), value: Joi.string().required() }))
            .required(),
        }),
      ),
    }),
  },
  {
    name: 'E14 create point-of-sale order',
    part: 'body',
    schema: Type.Object(
      {
        userId: Type.Optional(Type.Union([text, Type.Null()])),
        source: Type.Optional(Type.Object({ app: Type.String({ default: 'pos' }) }, closed)),
        orderItems: Type.Array(
          Type.Object(
            {
              id: text,
              quantity: Type.Integer({ minimum: 1 }),
              price: optionalNumber,
              vat: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
            },
            closed,
          ),
          { minItems: 1 },
        ),
        total: Type.Optional(Type.Number()),
        isPaid: Type.Optional(Type.Boolean({ default: false })),
      },
      closed,
    ),
    joi: Joi.object({
      userId: Joi.string().allow(null),
      source: Joi.object({ app: Joi.string().allow('').default('pos') }),
      orderItems: Joi.array()
        .items(
          Joi.object({
            id: Joi.string().required(),
            quantity: Joi.number().integer().min(1).required(),
            price: joiPrice,
            vat: Joi.number().allow(null),
          }),
        )
        .min(1)
        .required(),
      total: Joi.number(),
      isPaid: Joi.boolean().default(false),
    }),
  },
  {
    name: 'E1 create template',
    part: 'body',
    schema: Type.Object(
      {
        oaId: text,
        tag: Type.Enum(['1', '2', '3']),
        templateType: Type.Union([Type.Literal('custom'), Type.Literal('voucher'), Type.Literal('rating')]),
        buttons: Type.Array(Type.Object({ label: looseText, type: looseText, value: looseText }, closed), {
          maxItems: 3,
        }),
        contentBlocks: Type.Array(
          Type.Object(
            { id: text, type: literals(['paragraph', 'table']), rows: Type.Optional(Type.Array(Type.Any())) },
            closed,
          ),
        ),
        rating: Type.Optional(templateRating.schema),
        isCustomParams: Type.Boolean(),
        status: Type.Optional(Type.Any()),
      },
      closed,
    ),
    joi: Joi.object({
      oaId: Joi.string().required(),
      tag: Joi.string().valid('1', '2', '3').required(),
      templateType: Joi.string().valid('custom', 'voucher', 'rating').required(),
      buttons: Joi.array()
        .items(
          Joi.object({
            label: Joi.string().allow(''),
            type: Joi.string().allow(''),
            value: Joi.string().allow(''),
          }),
        )
        .max(3)
        .required(),
      contentBlocks: Joi.array()
        .items(
          Joi.object({
            id: Joi.string().required(),
            type: Joi.string().valid('paragraph', 'table').required(),
            rows: Joi.array().items(Joi.any()),
          }),
        )
        .required(),
      rating: templateRating.joi,
      isCustomParams: Joi.boolean().required(),
      status: Joi.any(),
    }),
  },
  {
    name: 'E5 send to a phone number',
    part: 'body',
    schema: Type.Object(
      {
        templateId: text,
        receiverPhone: text,
        isSample: Type.Optional(Type.Boolean()),
        params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), { maxProperties: 2 }),
      },
      closed,
    ),
    joi: Joi.object({
      templateId: Joi.string().required(),
      receiverPhone: Joi.string().required(),
      isSample: Joi.boolean(),
      params: Joi.object()
        .pattern(Joi.string().allow(''), Joi.alternatives().try(Joi.string().allow(''), Joi.number()))
        .max(2)
        .required(),
    }),
  },
  {
    name: 'E6 send by UID',
    part: 'body',
    schema: Type.Object(
      { userUID: text, templateId: text, templateData: Type.Record(Type.String(), Type.String()) },
      closed,
    ),
    joi: Joi.object({
      userUID: Joi.string().required(),
      templateId: Joi.string().required(),
      templateData: Joi.object().pattern(Joi.string().allow(''), Joi.string().allow('')).required(),
    }),
  },
  {
    name: 'unions, limits and formats',
    part: 'body',
    schema: Type.Object({
      mixed: Type.Optional(
        Type.Union([
          Type.Literal('all'),
          Type.Integer({ exclusiveMinimum: 0, exclusiveMaximum: 9 }),
          Type.Boolean(),
        ]),
      ),
      either: Type.Optional(
        Type.Union([text, Type.Array(text), Type.Object({ id: text }, closed), Type.Null()]),
      ),
      person: Type.Optional(
        Type.Union([
          Type.Object({ id: text }, closed),
          Type.Object({ phone: text, kind: literals(['new']) }, closed),
        ]),
      ),
      one: Type.Optional(Type.Union([Type.Literal('vi'), Type.Null()])),
      only: Type.Optional(Type.Literal(7)),
      nothing: Type.Optional(Type.Null()),
      code: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}/\\d$', minLength: 2, maxLength: 5 })),
      when: Type.Optional(Type.String({ format: 'date-time' })),
      link: Type.Optional(Type.String({ format: 'uri' })),
      bag: Type.Optional(Type.Record(Type.String(), Type.Integer(), { minProperties: 1, maxProperties: 1 })),
    }),
    joi: Joi.object({
      mixed: Joi.alternatives().try(
        Joi.valid('all'),
        Joi.number().integer().greater(0).less(9),
        Joi.boolean(),
      ),
      either: Joi.alternatives()
        .try(Joi.string(), Joi.array().items(Joi.string()), Joi.object({ id: Joi.string().required() }))
        .allow(null),
      person: Joi.alternatives().try(
        Joi.object({ id: Joi.string().required() }),
        Joi.object({ phone: Joi.string().required(), kind: Joi.string().valid('new').required() }),
      ),
      one: Joi.string().valid('vi', null),
      only: Joi.valid(7),
      nothing: Joi.valid(null),
      code: Joi.string()
        .min(2)
        .max(5)
        .pattern(/^[a-z]{2,3}\/\d$/),
      when: Joi.string().isoDate(),
      link: Joi.string().uri(),
      bag: Joi.object().pattern(Joi.string().allow(''), Joi.number().integer()).min(1).max(1),
    }).unknown(),
  },
  {
    name: 'E7 message history',
    part: 'querystring',
    schema: Type.Object({
      page: Type.Integer({ minimum: 1, default: 1 }),
      offset: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    }),
    joi: Joi.object({
      page: Joi.number().integer().min(1).default(1).empty(''),
      offset: Joi.number().integer().min(1).max(100).default(20).empty(''),
    }),
  },
  {
    name: 'E8 list products',
    part: 'querystring',
    schema: Type.Object({
      page: Type.Integer({ minimum: 1, default: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
      select: looseText,
      category: optionalText,
      minPrice: Type.Optional(Type.Number()),
      maxPrice: optionalNumber,
      sortBy: literals(['createdAt', 'price'], { default: 'createdAt' }),
      sortType: literals(['asc', 'desc'], { default: 'desc' }),
      isActive: Type.Optional(Type.Boolean()),
    }),
    joi: Joi.object({
      page: Joi.number().integer().min(1).default(1).empty(''),
      limit: Joi.number().integer().min(1).max(50).default(10).empty(''),
      select: Joi.string().allow('').empty(''),
      category: Joi.string().empty(''),
      minPrice: Joi.number().empty(''),
      maxPrice: joiPrice.empty(''),
      sortBy: Joi.string().valid('createdAt', 'price').default('createdAt').empty(''),
      sortType: Joi.string().valid('asc', 'desc').default('desc').empty(''),
      isActive: Joi.boolean().empty(''),
    }),
  },
  {
    name: 'E12 list orders',
    part: 'querystring',
    schema: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
      status: optionalText,
      startDate: Type.Optional(Type.String({ format: 'date-time' })),
      customerId: Type.String({ minLength: 1 }),
    }),
    joi: Joi.object({
      limit: Joi.number().integer().min(1).max(100).default(10).empty(''),
      status: Joi.string().empty(''),
      // `raw()` would return a text that was emptied.
      startDate: Joi.string()
        .isoDate()
        .raw()
        // biome-ignore lint/suspicious/noThenProperty: the word Joi has for it
        .when('.', { is: '', then: Joi.string().allow('').strip() }),
      customerId: Joi.string().required().empty(''),
    }),
  },
]
