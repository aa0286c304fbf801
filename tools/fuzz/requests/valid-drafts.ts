import type { Json, Operation } from '../document.ts'
import type { Caller, Kind, Shop, World } from '../shapes.ts'
import { batchBody, makeOne, messageBody, templateBody, uidBody } from '../world/makers.ts'
import { makePerson, PASSWORD, tokenIn } from '../world/people.ts'
import { signIn } from '../world/world.ts'
import { daysAhead, phone, validValue } from './generate.ts'
import type { Random } from './random.ts'

/** A request before it is written as bytes, so that its parts can still be changed. */
export type Draft = {
  operation: Operation
  shop: Shop
  as: Caller
  method: string
  params: Record<string, string>
  query: [name: string, value: string][]
  headers: Record<string, string>
  /** A value is sent as JSON, bytes unchanged. */
  body: Json | Buffer | undefined
}

type Parts = Partial<Pick<Draft, 'as' | 'params' | 'query' | 'headers' | 'body'>>
type Given = { world: World; shop: Shop; random: Random }

/** The kind of record that an id in a path names, by the beginning of the path; the first match counts. */
const KINDS_OF_PATHS: [path: RegExp, param: string, kind: Kind][] = [
  [/^(PATCH|PUT|DELETE) \/api\/manage\/v1\/shops\/\{id\}(\/(suspension|deletion))?$/, 'id', 'spareShop'],
  [/notify-template\/unfinished\//, 'id', 'unfinishedTemplate'],
  [/notify-template\//, 'id', 'template'],
  [/notify-message\/messages\//, 'id', 'message'],
  [/notify-message\/batches\//, 'id', 'batch'],
  [/v1\/products\/imports\//, 'id', 'import'],
  [/v1\/products\//, 'id', 'product'],
  [/v1\/categories\//, 'id', 'category'],
  [/v1\/warehouses\//, 'id', 'warehouse'],
  [/v1\/orders\//, 'id', 'order'],
  [/v1\/inventory\/entries\/\{id/, 'id', 'entry'],
  [/v1\/shifts\//, 'id', 'shift'],
  [/v1\/customers\//, 'id', 'customer'],
  [/v1\/audiences\//, 'id', 'audience'],
  [/v1\/news-drafts\//, 'id', 'newsDraft'],
  [/external\/news\//, 'id', 'article'],
  [/external\/webhooks\//, 'id', 'webhook'],
  [/(official-accounts|circuits)\//, 'accountId', 'account'],
  [/keys\//, 'keyId', 'key'],
  [/messages\//, 'messageId', 'message'],
  [/members\//, 'userId', 'member'],
  [/operators\//, 'userId', 'operator'],
  [/invitations\//, 'invitationId', 'invitation'],
]

/** Query parameters with values from earlier responses, or from a list that is not in the schema. */
const IS_FOUND = new Set(['before', 'after', 'cursor', 'ids', 'types'])

/** Operations that use up their record: each gets its own record, so that the others stay. */
const USES_UP = /^DELETE |\/(publish|cancel|rotate|close)$|PATCH .*\/(status|payment)$/

export function kindOfParam(operation: Operation, param: string): Kind | undefined {
  return KINDS_OF_PATHS.find(([path, name]) => name === param && path.test(operation.name))?.[2]
}

function stockEntry(given: Given): Parts['body'] {
  const { random } = given
  const item = { skuId: skuOf(given), quantity: 50 + random.below(50) }
  if (random.below(3) === 0) return { type: 'count', items: [item] }
  const supplier = `Nhà cung cấp ${random.below(5)}`
  return { type: 'receive', supplier, items: [{ ...item, unitCost: random.below(1e6) }] }
}

const skuOf = ({ shop, random }: Given) => random.pick(shop.ids.sku)
const fresh = ({ world, shop }: Given, kind: Kind) => makeOne(world, shop, kind)
const data = async ({ world, shop }: Given, method: string, path: string, body?: unknown) =>
  (await world.call(method, `/api/external${path}`, { shop }, body)).body.data
const order = (given: Given): Parts => ({
  body: {
    orderItems: [{ id: skuOf(given), quantity: 1 + given.random.below(3) }],
    ...(given.random.chance(0.4) ? { discount: 1_000, shippingFee: 15_000, paymentMethod: 'cash' } : {}),
    ...(given.random.chance(0.3) ? { userId: given.random.pick(given.shop.ids.customer) } : {}),
  },
})
const template = ({ shop, random }: Given): Parts => ({
  body: templateBody(shop, `Mẫu ${shop.mark} ${random.below(1e9)}`),
})
const linkFor = async ({ world, shop }: Given) => {
  const body = { email: `moi${Math.random()}@people.example`, role: 'staff' }
  const path = `/api/manage/v1/shops/${shop.id}/invitations`
  return tokenIn((await world.call('POST', path, 'operator', body)).body.data.link)
}

/** The smallest possible PNG, of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** What a valid request needs beyond its schema. */
const FIXTURES: Record<string, (given: Given) => Parts | Promise<Parts>> = {
  'POST /api/external/notify-template/create': template,
  'POST /api/external/notify-template/lint': template,
  'PATCH /api/external/notify-template/{id}': template,
  'POST /api/external/notify-message/send': ({ shop, random }) => ({
    body: { ...messageBody(shop, phone(random)), ...(random.chance(0.2) ? { isSample: true } : {}) },
  }),
  'POST /api/external/chatapp/uid-notify/send-message': ({ shop, random }) => ({
    body: uidBody(shop, `uid${random.below(1e9)}`),
  }),
  'POST /api/external/notify-message/batches': ({ shop, random }) => ({
    body: batchBody(shop, [phone(random), phone(random), phone(random)]),
  }),
  'POST /api/external/notify-message/batches/to-audience': async (given) => ({
    body: { ...(await toAudience(given)), scheduledAt: daysAhead(1) },
  }),
  'POST /api/external/notify-message/batches/to-audience/preview': async (given) => ({
    body: await toAudience(given),
  }),
  'POST /api/external/notify-message/batches/preview': ({ shop, random }) => ({
    body: batchBody(shop, [phone(random), phone(random)]),
  }),
  'POST /api/external/v1/orders/{id}/returns': async (given) => {
    const id = await fresh(given, 'order')
    const { orderItems } = await data(given, 'PATCH', `/v1/orders/${id}/status`, { status: 'completed' })
    return { params: { id }, body: { lines: [{ orderItemId: orderItems[0]._id, quantity: 1 }] } }
  },
  'POST /api/external/v1/consents': ({ random }) => ({
    body: { phone: phone(random), status: random.pick(['granted', 'withdrawn']), source: 'quầy' },
  }),
  'POST /api/external/v1/products': ({ shop, random }) => ({
    body: {
      name: `Áo ${shop.mark}`,
      price: random.below(1e6),
      ...(random.chance(0.3) ? withVariants() : {}),
      ...(random.chance(0.3) ? { categoryId: random.pick(shop.ids.category), vat: 8.5 } : {}),
    },
  }),
  'PUT /api/external/v1/products/{id}/variants': async (given) => ({
    params: { id: await fresh(given, 'product') },
    body: withVariants(),
  }),
  'PUT /api/external/v1/products/{id}/wholesale-prices': async (given) => {
    const product = await data(given, 'POST', '/v1/products', {
      name: `Lụa ${given.shop.mark}`,
      price: 9_000,
    })
    const wholesalePrices = [2, 10].map((minQuantity) => ({
      skuId: product.skus[0]._id,
      minQuantity,
      price: 8_000 - minQuantity,
    }))
    return { params: { id: product._id }, body: { wholesalePrices } }
  },
  'PUT /api/external/v1/products/{id}/sub-items-groups': ({ shop, random }) => ({
    body: {
      subItemsGroups: [
        { name: `Gói ${shop.mark}`, subItems: [{ name: 'Giấy', price: random.below(9_000) }] },
      ],
    },
  }),
  'POST /api/external/v1/products/import': ({ shop, random }) => ({
    headers: { 'content-type': 'text/csv' },
    body: Buffer.from(
      `name,price,itemSku\n${Array.from({ length: 1 + random.below(20) }, (_, n) => `"Nhập ${shop.mark} ${n}",${random.below(1e6)},\n`).join('')}`,
    ),
  }),
  'POST /api/external/v1/audiences': ({ shop, random }) => ({
    body: {
      name: `Khách ${shop.mark} ${random.below(1e6)}`,
      conditions: [{ kind: 'bought', days: 1 + random.below(90) }],
    },
  }),
  'POST /api/external/v1/audiences/count': () => ({ body: { conditions: [{ kind: 'birthday', month: 1 }] } }),
  'PATCH /api/external/v1/audiences/{id}': ({ shop, random }) => ({
    body: { name: `Khách ${shop.mark} ${random.below(1e6)}` },
  }),
  'POST /api/external/v1/news-drafts': ({ shop }) => ({ body: { title: `Tin ${shop.mark}` } }),
  'PUT /api/external/v1/news-drafts/{id}': ({ shop }) => ({
    body: { title: `Tin ${shop.mark}`, content: '<p>x</p>', publishAt: daysAhead(1) },
  }),
  'PATCH /api/external/v1/categories/{id}': ({ shop, random }) => ({
    body: { name: `Loại ${shop.mark}`, sortOrder: random.below(100) },
  }),
  'POST /api/external/v1/categories': ({ shop, random }) => ({
    body: { name: `Loại ${shop.mark} ${random.below(1e6)}`, description: '<p>x</p>' },
  }),
  'POST /api/external/v1/inventory/entries': (given) => ({ body: stockEntry(given) }),
  'POST /api/external/v1/inventory/entries/preview': (given) => ({ body: stockEntry(given) }),
  'POST /api/external/order/pos/create': order,
  'POST /api/external/order/pos/preview': order,
  'PATCH /api/external/v1/orders/{id}/status': ({ random }) => ({
    body: { status: random.pick(['confirmed', 'cancelled']), reasonCancel: 'khách đổi ý' },
  }),
  'PATCH /api/external/v1/orders/{id}/payment': ({ random }) => ({
    body: { paidAmount: random.below(100_000), paymentMethod: 'cash' },
  }),
  'POST /api/external/v1/customers/{id}/payments': async (given) => {
    const userId = await fresh(given, 'customer')
    const body = { userId, orderItems: [{ id: skuOf(given), quantity: 1, price: 90_000 }] }
    await data(given, 'POST', '/order/pos/create', body)
    return { params: { id: userId }, body: { amount: 1 + given.random.below(90_000), paymentMethod: 'cash' } }
  },
  'POST /api/external/v1/shifts': async ({ world, shop, random }) => {
    const path = `/api/manage/v1/shops/${shop.id}/keys`
    const { apiKey } = (await world.call('POST', path, 'operator', { name: 'Quầy' })).body.data
    return { as: { shop: { ...shop, key: apiKey } }, body: { openingCash: random.below(1e6) } }
  },
  'POST /api/external/v1/shifts/{id}/cash': ({ random }) => ({
    body: { amount: random.pick([-1, 1]) * (1 + random.below(1e5)), reason: 'mua túi' },
  }),
  'POST /api/external/v1/shifts/{id}/close': ({ random }) => ({
    body: { countedCash: random.below(1e6), expectedCash: 500_000 },
  }),
  'POST /api/external/webhooks': ({ world, random }) => ({
    body: { url: `${world.webhookUrl}/${random.below(1e6)}`, events: ['order.paid'] },
  }),
  'PATCH /api/external/webhooks/{id}': ({ world }) => ({
    body: { url: `${world.webhookUrl}/changed`, enabled: true },
  }),
  'POST /api/external/webhooks/{id}/replay-missing': () => ({ body: { since: new Date().toISOString() } }),
  'POST /api/external/webhooks/{id}/resend': async (given) => {
    const id = given.shop.ids.webhook[0]!
    return { params: { id }, body: { eventId: (await data(given, 'POST', `/webhooks/${id}/test`)).eventId } }
  },
  'GET /api/external/exports/{id}/file': async (given) => ({
    params: { id: (await data(given, 'POST', '/exports', { type: 'product' }))._id },
  }),
  'POST /api/external/v1/images': () => ({ headers: { 'content-type': 'image/png' }, body: PNG }),
  'GET /images/{shop}/{file}': async (given) => {
    const { url } = await data(given, 'POST', '/v1/images', PNG)
    const [shop, file] = new URL(url).pathname.split('/').slice(2)
    return { as: 'nobody', params: { shop: shop!, file: file! } }
  },
  'POST /api/manage/v1/shops/{id}/wallet/entries': ({ random }) => ({
    body: { amount: 1 + random.below(1e6), note: 'nạp ví' },
  }),
  'POST /api/manage/v1/shops/{id}/official-accounts': ({ shop, random }) => ({
    body: { oaId: `oa${random.below(2 ** 31)}`, name: `OA ${shop.mark}` },
  }),
  'PUT /api/external/notify-template/{id}/sms-text': () => ({ body: { text: 'Don hang da giao' } }),
  'PUT /api/manage/v1/shops/{id}/sms': ({ random }) => ({
    body: { brandname: 'CUAHANG', price: 1 + random.below(1_000), apiKey: 'key', secretKey: 'secret' },
  }),
  'DELETE /api/manage/v1/shops/{id}/sms': async ({ world, shop }) => {
    const body = { brandname: 'CUAHANG', price: 350, apiKey: 'key', secretKey: 'secret' }
    await world.call('PUT', `/api/manage/v1/shops/${shop.id}/sms`, 'operator', body)
    return { params: { id: shop.id } }
  },
  'PUT /api/manage/v1/shops/{id}/deletion': async ({ world }) => {
    const made = await world.call('POST', '/api/manage/v1/shops', 'operator', { name: 'Tiệm đóng cửa' })
    return { params: { id: made.body.data.shop._id }, body: { name: 'Tiệm đóng cửa' } }
  },
  'POST /api/manage/v1/shops/{id}/people/export': ({ random }) => ({ body: { phone: phone(random) } }),
  'POST /api/manage/v1/shops/{id}/people/erase': ({ random }) => ({ body: { phone: phone(random) } }),
  'POST /api/manage/v1/people/erase': ({ random }) => ({ body: { phone: phone(random) } }),
  'GET /api/manage/v1/queues/{queue}/failed-jobs': ({ random }) => ({
    params: { queue: random.pick(['submit-template', 'import-products']) },
  }),
  'POST /api/manage/v1/platform-apps': ({ random }) => ({
    body: { appId: `app${random.below(2 ** 31)}`, name: 'App', appSecret: 'secret', oaSecretKey: 'key' },
  }),
  'POST /api/manage/v1/shops/{id}/official-accounts/connect': async ({ world, shop }) => {
    const app = { appId: 'app-to-connect', name: 'App', appSecret: 'secret', oaSecretKey: 'key' }
    await world.call('POST', '/api/manage/v1/platform-apps', 'operator', app)
    // The first of a shop's sessions is its owner's.
    return { as: { cookie: shop.sessions[0]! }, body: { appId: app.appId } }
  },
  'DELETE /api/manage/v1/platform-apps/{appId}': async ({ world }) => {
    const appId = `app${Math.random()}`
    await world.call('POST', '/api/manage/v1/platform-apps', 'operator', { appId, name: 'App' })
    return { params: { appId } }
  },
  'PATCH /api/manage/v1/shops/{id}/keys/{keyId}': () => ({ body: { maxPerMinute: 1_000_000 } }),
  'POST /api/manage/v1/shops/{id}/keys/{keyId}/rotate': () => ({ body: { overlapSeconds: 60 } }),
  'DELETE /api/manage/v1/shops/{id}/members/{userId}': async (given) => ({
    params: { userId: await fresh(given, 'member') },
  }),
  'POST /api/manage/v1/reset-links': ({ world }) => ({ body: { email: world.emails.resetPassword } }),
  'POST /api/auth/sign-in/email': ({ world }) => ({
    body: { email: world.emails.signIn, password: PASSWORD },
  }),
  'POST /api/auth/sign-out': async ({ world }) => ({
    as: { cookie: await signIn(world.call, world.emails.signIn) },
    body: {},
  }),
  'POST /api/auth/request-password-reset': ({ random }) => ({
    body: { email: `nguoi${random.below(1e9)}@people.example` },
  }),
  'POST /api/auth/reset-password': async ({ world }) => {
    const body = { email: world.emails.resetPassword }
    const { link } = (await world.call('POST', '/api/manage/v1/reset-links', 'operator', body)).body.data
    return { body: { token: tokenIn(link), newPassword: PASSWORD } }
  },
  'POST /api/auth/change-password': async ({ world, shop }) => ({
    // Uses a new person: a fuzzed request may have changed the password of an existing one.
    as: { cookie: await signIn(world.call, await makePerson(world.call, shop, 'viewer', 'change')) },
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  }),
  'GET /api/console/v1/me': ({ shop, random }) => ({ as: { cookie: random.pick(shop.sessions) } }),
  'GET /api/console/v1/saved-views': asMember,
  'PUT /api/console/v1/saved-views': (given) => ({
    ...asMember(given),
    body: {
      list: 'orders',
      views: [{ name: `Đơn ${given.shop.mark}`, search: { status: 'pending' } }],
    },
  }),
  // Leaves out the first day: it may be any day except one in the future.
  'GET /api/external/overview': () => ({ query: [['days', '30']] }),
  'PUT /api/console/v1/visits/{shopId}': asVisitor,
  'DELETE /api/console/v1/visits/{shopId}': asVisitor,
  'GET /api/console/v1/invitations/{token}': async (given) => ({ params: { token: await linkFor(given) } }),
  'POST /api/console/v1/invitations/{token}/accept': async (given) => ({
    params: { token: await linkFor(given) },
    body: { name: `Người ${given.shop.mark}`, password: PASSWORD },
  }),
}

/** A member of the shop, by a session. */
function asMember({ shop, random }: Given): Parts {
  return { as: { cookie: random.pick(shop.sessions) }, headers: { 'x-shop-id': shop.id } }
}

/** An operator who is not a member of the shop. */
async function asVisitor({ world, shop }: Given): Promise<Parts> {
  const home = world.shops.find((one) => one !== shop)!
  const email = await makePerson(world.call, home, 'viewer', 'visitor')
  const { link } = (
    await world.call('POST', '/api/manage/v1/operators', 'operator', { email, name: 'Người vận hành' })
  ).body.data
  const body = { token: tokenIn(link), newPassword: PASSWORD }
  await world.call('POST', '/api/auth/reset-password', 'nobody', body)
  return { params: { shopId: shop.id }, as: { cookie: await signIn(world.call, email) } }
}

function withVariants() {
  const option = (id: string) => ({ id, value: id.toUpperCase() })
  return {
    variants: [{ id: 'size', name: 'Cỡ', options: [option('s'), option('l')] }],
    skus: ['s', 'l'].map((id) => ({ name: id, price: 100_000, variantOptionIds: [id] })),
  }
}

/** A request that should get a 2xx, made from the document and {@link FIXTURES}. */
export async function validDraft(operation: Operation, given: Given): Promise<Draft> {
  const { shop, random, world } = given
  const own = (await FIXTURES[operation.name]?.(given)) ?? {}
  const params: Record<string, string> = {}
  for (const name of operation.params) {
    const kind = kindOfParam(operation, name)
    if (own.params?.[name] !== undefined) params[name] = own.params[name]
    else if (kind === undefined) params[name] = shop.id
    else if (USES_UP.test(operation.name)) params[name] = await makeOne(world, shop, kind)
    else params[name] = random.pick(shop.ids[kind])
  }
  const query: Draft['query'] = operation.query
    .filter(({ name, isRequired }) => isRequired || (!IS_FOUND.has(name) && random.chance(0.25)))
    .map(({ name, schema }) => [name, String(validValue(schema, name, shop, random))])
  const body = operation.body === undefined ? undefined : validValue(operation.body, '', shop, random)
  return {
    operation,
    shop,
    as: /\/external\//.test(operation.path)
      ? { shop }
      : /\/manage\//.test(operation.path)
        ? 'operator'
        : 'nobody',
    method: operation.method,
    headers: {},
    body,
    ...own,
    params,
    query: own.query ?? query,
  }
}

async function toAudience(given: Given) {
  const { templateId, messages } = batchBody(given.shop, [phone(given.random)])
  return { templateId, audienceId: await fresh(given, 'audience'), params: messages[0]!.params }
}
