import { randomBytes } from 'node:crypto'
import { daysAhead } from '../requests/generate.ts'
import type { Call, Kind, Shop, World } from '../shapes.ts'
import { makePerson } from './people.ts'

type Needed = Pick<World, 'call' | 'webhookUrl'>
// biome-ignore lint/suspicious/noExplicitAny: the `data` of answers of every shape
type Data = any

const EXTERNAL = '/api/external'

/** Creates a record of the kind in the shop through the API; nothing else depends on it. @returns its id. */
export async function makeOne(world: Needed, shop: Shop, kind: Kind): Promise<string> {
  const post = async (path: string, body?: unknown): Promise<Data> =>
    (await world.call('POST', EXTERNAL + path, { shop }, body)).body.data
  const manage = async (path: string, body?: unknown): Promise<Data> =>
    (await world.call('POST', `/api/manage/v1/shops/${shop.id}${path}`, 'operator', body)).body.data
  const unique = randomBytes(6).toString('hex')
  const name = `Hoa ${shop.mark} ${unique}`

  switch (kind) {
    case 'product':
      return (await post('/v1/products', { name, price: 50_000 }))._id
    case 'sku':
      return (await post('/v1/products', { name, price: 60_000 })).skus[0]._id
    case 'category':
      return (await post('/v1/categories', { name }))._id
    case 'warehouse':
      return (await post('/v1/warehouses', { name }))._id
    case 'customer':
      return (await post('/v1/customers', { fullName: name }))._id
    case 'order':
      return (
        await post('/order/pos/create', { orderItems: [{ id: await skuOf(shop, world), quantity: 2 }] })
      )._id
    case 'entry':
      return (
        await post('/v1/inventory/entries', {
          type: 'receive',
          supplier: name,
          items: [{ skuId: await skuOf(shop, world), quantity: 2, unitCost: 50_000 }],
        })
      )._id
    case 'shift': {
      // A key can have only one open shift.
      const { apiKey } = await manage('/keys', { name })
      const as = { shop: { ...shop, key: apiKey } }
      return (await world.call('POST', `${EXTERNAL}/v1/shifts`, as, { openingCash: 500_000 })).body.data._id
    }
    case 'article':
      return (await post('/news', { title: name, content: `<p>${name}</p>` }))._id
    case 'template':
    case 'approvedTemplate': {
      const path = `${EXTERNAL}/notify-template/create`
      return (await world.call('POST', path, { shop }, templateBody(shop, name))).body.template._id
    }
    case 'unfinishedTemplate':
      return (await post('/notify-template/unfinished', { name, content: name }))._id
    case 'audience':
      return (await post('/v1/audiences', { name, conditions: [{ kind: 'debt', atLeast: 1 }] }))._id
    case 'newsDraft':
      return (await post('/v1/news-drafts', { title: name, content: `<p>${name}</p>` }))._id
    case 'message':
      await post('/notify-message/send', messageBody(shop, '0912345678'))
      return (await world.call('GET', `${EXTERNAL}/notify-message/history`, { shop })).body.histories[0]._id
    case 'batch':
      return (await post('/notify-message/batches', batchBody(shop, ['0912345678'], daysAhead(1))))._id
    case 'import': {
      const file = Buffer.from(`name,price\n"${name}",1000\n`)
      return (await post('/v1/products/import?dryRun=true', file))._id
    }
    case 'webhook':
      return (await post('/webhooks', { url: `${world.webhookUrl}/${unique}`, events: ['order.created'] }))
        ._id
    case 'event': {
      const webhook = shop.ids.webhook[0] ?? (await makeOne(world, shop, 'webhook'))
      return (await post(`/webhooks/${webhook}/test`)).eventId
    }
    case 'account':
      return (await manage('/official-accounts', { oaId: `oa-${unique}`, name }))._id
    case 'key':
      return (await manage('/keys', { name })).key._id
    case 'member': {
      const email = await makePerson(world.call, shop, 'viewer', 'fresh')
      const path = `/api/manage/v1/shops/${shop.id}/members`
      const { members } = (await world.call('GET', path, 'operator')).body.data
      return members.find((member: Data) => member.email === email)._id
    }
    case 'operator':
      return makeOperator(world.call, unique)
    case 'invitation': {
      const body = { email: `${unique}@people.example`, role: 'staff' }
      return (await manage('/invitations', body)).invitation._id
    }
    case 'spareShop':
      return (await world.call('POST', '/api/manage/v1/shops', 'operator', { name: `Tiệm ${unique}` })).body
        .data.shop._id
  }
}

async function makeOperator(call: Call, unique: string): Promise<string> {
  const email = `${unique}@people.example`
  const path = '/api/manage/v1/operators'
  await call('POST', path, 'operator', { email, name: 'Người vận hành' })
  const { data } = (await call('GET', path, 'operator')).body
  return data.find((one: Data) => one.email === email)._id
}

/** A SKU that no request removes, so that orders can contain it. */
async function skuOf(shop: Shop, world: Needed): Promise<string> {
  return shop.ids.sku[0] ?? makeOne(world, shop, 'sku')
}

/** An order confirmation that passes the simulator's review (E1). */
export function templateBody(shop: Shop, name: string) {
  return {
    oaId: shop.oaId,
    name,
    title: 'Đơn hàng <order_code> đã được xác nhận',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    logoLight: 'https://images.example/logo-light.png',
    logoDark: 'https://images.example/logo-dark.png',
    contentBlocks: [
      {
        id: '3f0c2a50-6f0e-4c3b-9a53-0a4a1b2c3d4e',
        type: 'paragraph',
        value: 'Cảm ơn <customer_name> đã đặt hàng.',
      },
    ],
    buttons: [],
    params: [
      { key: 'customer_name', label: 'Tên khách hàng', techSetting: '1', sampleValue: 'Nguyễn Văn An' },
      { key: 'order_code', label: 'Mã đơn hàng', techSetting: '4', sampleValue: 'DH1024' },
    ],
    isCustomParams: true,
  }
}

const VALUES = { customer_name: 'Trần Bình', order_code: 'DH7' }

export function messageBody(shop: Shop, receiverPhone: string) {
  return { templateId: shop.ids.approvedTemplate[0]!, receiverPhone, params: VALUES }
}

export function uidBody(shop: Shop, userUID: string) {
  return { templateId: shop.ids.approvedTemplate[0]!, userUID, templateData: VALUES }
}

export function batchBody(shop: Shop, phones: string[], scheduledAt?: string) {
  return {
    templateId: shop.ids.approvedTemplate[0]!,
    messages: phones.map((receiverPhone) => ({ receiverPhone, params: VALUES })),
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
  }
}
