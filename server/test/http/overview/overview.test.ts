import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../../support/invariants.ts'
import { makeShop, service } from '../../support/service.ts'
import { insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'
import { makeProduct } from '../orders/order-fixtures.ts'

const running = await service()
const NO_STEPS = {
  products: false,
  stock: false,
  account: false,
  template: false,
  money: false,
  sale: false,
  message: false,
}
const ZERO = { orders: 0, revenue: 0, accepted: 0, delivered: 0, failed: 0, spend: 0 }

describe('overview', () => {
  it('200 with every day of the shop’s zone, the oldest first, zeros for a new shop', async () => {
    const shop = await makeShop(running)
    const { body } = await shop.get('/api/external/overview?days=7')
    const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
    expect(body.data.days).toHaveLength(7)
    expect(body.data.days.at(-1)).toEqual({ day: today, ...ZERO })
    expect(body.data).toMatchObject({
      templates: { waiting: 0, rejected: 0 },
      wallet: { balance: 0, held: 0, lowBelow: null },
      disabledWebhooks: 0,
      pendingOrders: 0,
      owed: { orders: 0, isCut: false, amount: 0 },
      firstSteps: NO_STEPS,
    })
  })

  it('a new shop’s steps, each done by what the shop does, and the orders that wait for it', async () => {
    const shop = await makeShop(running)
    const read = async () => (await shop.get('/api/external/overview')).body.data
    const steps = async () =>
      Object.entries((await read()).firstSteps).flatMap(([name, done]) => (done ? [name] : []))
    const { skuIds } = await makeProduct(running, shop, { skus: [{ price: 120_000 }] })
    expect(await steps()).toEqual(['products'])
    const items = [{ skuId: skuIds[0], quantity: 3 }]
    expect((await shop.post('/api/external/v1/inventory/entries', { type: 'receive', items })).status).toBe(
      201,
    )
    expect(await steps()).toEqual(['products', 'stock'])
    await insertEnabledTemplate(running, shop.shopId)
    expect(await steps()).toEqual(['products', 'stock', 'account', 'template'])
    await topUp(running, shop.shopId, 1_000)
    expect(await steps()).toEqual(['products', 'stock', 'account', 'template', 'money'])
    expect((await read()).pendingOrders).toBe(0)
    const sale = await shop.post('/api/external/order/pos/create', {
      orderItems: [{ id: skuIds[0], quantity: 2 }],
    })
    expect(await steps()).toEqual(['products', 'stock', 'account', 'template', 'money', 'sale'])
    expect(sale.body.data.status).toBe('pending')
    expect((await read()).pendingOrders).toBe(1)
    await shop.patch(`/api/external/v1/orders/${sale.body.data._id}/status`, { status: 'confirmed' })
    expect((await read()).pendingOrders).toBe(0)
  })

  it('today’s orders and revenue, without an order once it is cancelled', async () => {
    const shop = await makeShop(running)
    const { skuIds } = await makeProduct(running, shop, { skus: [{ price: 120_000 }] })
    const sale = { orderItems: [{ id: skuIds[0], quantity: 2 }] }
    const first = await shop.post('/api/external/order/pos/create', sale)
    await shop.post('/api/external/order/pos/create', sale)
    const today = async () => (await shop.get('/api/external/overview')).body.data.days.at(-1)
    expect(await today()).toMatchObject({ orders: 2, revenue: 480_000 })
    const path = `/api/external/v1/orders/${first.body.data._id}/status`
    expect((await shop.patch(path, { status: 'cancelled', reasonCancel: 'Khách đổi ý' })).status).toBe(200)
    expect(await today()).toMatchObject({ orders: 1, revenue: 240_000 })
  })

  it('today’s messages with what they cost; those of another shop stay out', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 1_000)
    const message = { templateId: template.id, receiverPhone: '0901234567', params: VALUES }
    expect((await shop.post('/api/external/notify-message/send', message)).status).toBe(200)
    const today = async () => (await shop.get('/api/external/overview')).body.data.days.at(-1)
    await expect.poll(async () => (await today()).delivered).toBe(1)
    expect(await today()).toMatchObject({ accepted: 1, failed: 0, spend: 200 })
    const { data } = (await other.get('/api/external/overview')).body
    expect(data.days.at(-1)).toMatchObject(ZERO)
    expect(data.firstSteps).toMatchObject({ message: false })
    expect((await shop.get('/api/external/overview')).body.data.firstSteps).toMatchObject({ message: true })
    await checkInvariants(running.deps.db, shop.shopId)
  })

  it('400 for more days than a quarter', async () => {
    const shop = await makeShop(running)
    expect((await shop.get('/api/external/overview?days=93')).status).toBe(400)
  })
})
