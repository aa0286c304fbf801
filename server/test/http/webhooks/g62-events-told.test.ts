import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { type EventType, eventData } from '../../../src/modules/webhooks/outbox/event-types.ts'
import { BATCHES, batchTo, makeBatchShop, phones } from '../../support/batches.ts'
import { enter } from '../../support/inventory.ts'
import { makeArticle } from '../../support/news.ts'
import { newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { eventually, makeShop, manage, type Partner, service } from '../../support/service.ts'
import {
  createTemplate,
  makeShopWithOa,
  publish,
  templateBody,
  whenStatus,
} from '../../support/template-shop.ts'
import { control, insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'
import { eventsOf, listen, type StoredEvent } from '../../support/webhooks.ts'

const running = await service()
const POS = '/api/external/order/pos/create'

/** The shop's events in order. Each must have the documented shape of its type. */
async function told(shop: Partner, ...types: EventType[]): Promise<StoredEvent[]> {
  const events = await eventsOf(running, shop.shopId)
  for (const { type, data } of events) {
    const problems = [...Value.Errors(eventData[type], data)].map((one) => one.message)
    expect([type, data, problems]).toEqual([type, data, []])
  }
  return types.length === 0 ? events : events.filter(({ type }) => types.includes(type))
}

async function makeListener(): Promise<Partner> {
  const shop = await makeShop(running)
  await listen(running, shop.shopId)
  return shop
}

describe('G-62 the catalogue’s events', () => {
  it('E10 emits product.created and E11 product.updated, a refused one nothing', async () => {
    const shop = await makeListener()
    const made = await shop.post(PRODUCTS, newProduct({ ...twoByTwo(), itemSku: 'AO' }))
    const { id } = made.body.data
    await shop.patch(`${PRODUCTS}/${id}`, { shopId: shop.shopId, price: 5 })
    expect((await shop.post(PRODUCTS, newProduct({ itemSku: 'AO' }))).status).toBe(409)
    const common = { productId: id, name: 'Áo thun', slug: 'ao-thun', itemSku: 'AO', status: 'active' }
    expect(await told(shop)).toMatchObject([
      { type: 'product.created', data: { ...common, price: 100000 } },
      { type: 'product.updated', data: { ...common, price: 5 } },
    ])
  })

  it('G-37 each replaced part and the retirement emit product.updated, a refused one nothing', async () => {
    const shop = await makeListener()
    const { id } = (await shop.post(PRODUCTS, newProduct())).body.data
    const path = `${PRODUCTS}/${id}`
    await shop.put(`${path}/variants`, twoByTwo())
    await shop.put(`${path}/variants`, { variants: [], skus: [{ _id: id, name: 'x', price: 1 }] })
    await shop.put(`${path}/wholesale-prices`, { wholesalePrices: [] })
    await shop.put(`${path}/sub-items-groups`, { subItemsGroups: [] })
    await shop.call('DELETE', path)
    const events = await told(shop, 'product.updated')
    expect(events.map(({ data }) => data.productId)).toEqual([id, id, id, id])
  })

  it('news.updated names what happened to an article; attaching nothing new emits nothing', async () => {
    const shop = await makeListener()
    const product = (await shop.post(PRODUCTS, newProduct())).body.data.id
    const { _id } = await makeArticle(shop)
    const path = `/api/external/news/${_id}`
    await shop.put(path, { status: 'inactive' })
    await shop.post(`${path}/items`, { newsIds: [product] })
    await shop.post(`${path}/items`, { newsIds: [product] })
    await shop.call('DELETE', `${path}/items`, { newsIds: [product] })
    await shop.call('DELETE', path)
    const events = await told(shop, 'news.updated')
    expect(events.map(({ data }) => data.change).toSorted()).toEqual(
      ['created', 'updated', 'items', 'items', 'deleted'].toSorted(),
    )
    expect(events.every(({ data }) => data.newsId === _id)).toBe(true)
  })
})

describe('G-62 the sales’ events', () => {
  it('E14 emits order.created, order.paid when it is paid, and one stock.changed for all of its lines', async () => {
    const shop = await makeListener()
    const made = await shop.post(PRODUCTS, newProduct(twoByTwo()))
    const skus: { id: string }[] = made.body.data.skus
    const orderItems = skus.slice(0, 2).map(({ id }) => ({ id, quantity: 3 }))
    const unpaid = (await shop.post(POS, { orderItems })).body.data
    const paid = (await shop.post(POS, { orderItems: [orderItems[0]], isPaid: true, paymentMethod: 'cash' }))
      .body.data
    const created = await told(shop, 'order.created')
    expect(created.map(({ data }) => data.orderId).toSorted()).toEqual([unpaid.id, paid.id].toSorted())
    expect(created.find(({ data }) => data.orderId === unpaid.id)!.data).toMatchObject({
      code: unpaid.code,
      status: 'pending',
      price: 630000,
      paidAmount: 0,
      customerId: null,
    })
    expect(await told(shop, 'order.paid')).toMatchObject([
      { data: { orderId: paid.id, price: 300000, paidAmount: 300000, paymentMethod: 'cash' } },
    ])
    const moved = await told(shop, 'stock.changed')
    expect(moved.find(({ data }) => data.orderId === unpaid.id)!.data).toMatchObject({
      reason: 'reserve',
      items: [
        { skuId: skus[0]!.id, quantity: 0, reserved: 3 },
        { skuId: skus[1]!.id, quantity: 0, reserved: 3 },
      ],
    })
    expect(moved).toHaveLength(2)
  })

  it('a refused order emits nothing, goods received emit stock.changed', async () => {
    const shop = await makeShop(running, { oversell: 'deny' })
    const made = await shop.post(PRODUCTS, newProduct())
    const skuId = made.body.data.skus[0].id
    await listen(running, shop.shopId)
    expect((await shop.post(POS, { orderItems: [{ id: skuId, quantity: 1 }] })).status).toBe(400)
    expect(await told(shop)).toEqual([])
    await enter(shop, 'receive', [[skuId, 7]])
    expect(await told(shop)).toMatchObject([
      { type: 'stock.changed', data: { reason: 'receive', orderId: null, items: [{ skuId, quantity: 7 }] } },
    ])
  })
})

describe('G-62 the messages’ events', () => {
  const send = (shop: Partner, templateId: string, receiverPhone: string) =>
    shop.post('/api/external/notify-message/send', { templateId, receiverPhone, params: VALUES })

  it('message.received and message.delivered of a message that arrives, without its phone and values', async () => {
    const shop = await makeListener()
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 1000)
    const messageId = (await send(shop, template.id, '0901234567')).body.data.message_id
    const delivered = await eventually(async () => (await told(shop, 'message.delivered'))[0])
    const common = { messageId, templateId: template.id, channel: 'phone', isSample: false }
    expect(delivered.data).toMatchObject({ ...common, deliveredAt: expect.stringMatching(/\.\d{3}Z$/) })
    expect(await told(shop, 'message.received')).toMatchObject([
      { data: { ...common, fee: 200, isLate: false } },
    ])
    expect(JSON.stringify(await told(shop))).not.toMatch(/901234567|246810|Trần/)
  })

  it('message.failed of one that the platform refuses, and of each that is cancelled with its batch', async () => {
    const shop = await makeListener()
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 1000)
    await send(shop, template.id, '0901230001')
    expect(await told(shop)).toMatchObject([{ type: 'message.failed', data: { errorCode: '-118' } }])
    const sender = await makeBatchShop(running)
    await listen(running, sender.shop.shopId)
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const batch = await sender.shop.post(BATCHES, batchTo(sender, phones(3), { scheduledAt }))
    await sender.shop.post(`${BATCHES}/${batch.body.data.id}/cancel`)
    const cancelled = await told(sender.shop, 'message.failed')
    expect(cancelled.map(({ data }) => data.errorCode)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED'])
    expect(new Set(cancelled.map(({ id }) => id)).size).toBe(3)
  })

  it('template.status_changed at each step of a review', async () => {
    const shop = await makeShopWithOa(running)
    await listen(running, shop.shopId)
    const { _id } = await createTemplate(shop, templateBody(shop.oaId))
    await publish(shop, _id)
    await whenStatus(shop, _id, 'ENABLE')
    const { platformTemplateId } = (await told(shop)).find(({ data }) => data.to === 'ENABLE')!.data
    await control(running, `/templates/${platformTemplateId}/status`, { status: 'DISABLE' })
    await whenStatus(shop, _id, 'DISABLE')
    const steps = (await told(shop, 'template.status_changed')).map(({ data }) => `${data.from} ${data.to}`)
    expect(steps.toSorted()).toEqual(
      ['DRAFT PENDING_REVIEW', 'PENDING_REVIEW ENABLE', 'ENABLE DISABLE'].toSorted(),
    )
  })
})

describe('G-62 wallet.low', () => {
  const ALERT = '/api/external/wallet/alert'

  it('once per crossing, whatever takes the money; without a threshold nothing is emitted', async () => {
    const shop = await makeListener()
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 1000)
    expect((await shop.get(ALERT)).body).toEqual({ __v: 0, lowBelow: null })
    expect(await shop.put(ALERT, { lowBelow: 700 })).toMatchObject({ status: 200, body: { lowBelow: 700 } })
    const send = () =>
      shop.post('/api/external/notify-message/send', {
        templateId: template.id,
        receiverPhone: '0901230003',
        params: VALUES,
      })
    const crossings = async () => (await told(shop, 'wallet.low')).map(({ data }) => data.balance)
    await send()
    expect(await crossings()).toEqual([])
    await send()
    await send()
    expect(await crossings()).toEqual([600])
    await topUp(running, shop.shopId, 1000)
    await manage(running, 'POST', `/shops/${shop.shopId}/wallet/entries`, { amount: -1300, note: 'sửa' })
    expect((await crossings()).toSorted()).toEqual([100, 600].toSorted())
    await shop.put(ALERT, { lowBelow: null })
    await topUp(running, shop.shopId, 1000)
    await manage(running, 'POST', `/shops/${shop.shopId}/wallet/entries`, { amount: -1000, note: 'sửa' })
    expect(await crossings()).toHaveLength(2)
  })

  it.each([
    [{}, 'lowBelow'],
    [{ lowBelow: 0 }, 'lowBelow'],
    [{ lowBelow: 1.5 }, 'lowBelow'],
    [{ lowBelow: 1, x: 1 }, 'x'],
  ])('400 for %j', async (body, key) => {
    const shop = await makeShop(running)
    const answer = await shop.put(ALERT, body)
    expect(answer).toMatchObject({ status: 400, body: { validation: { body: { keys: [key] } } } })
  })
})
