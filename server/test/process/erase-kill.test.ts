import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import {
  freePorts,
  http,
  manageOver,
  OPERATOR_TOKEN,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { makeSendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
const PRODUCTS = 60

describe.runIf(onPostgres)('G-69 a process that is killed while it erases a shop', () => {
  it('leaves the rest to the next one: the shop goes once, its closing has its sums, its neighbour nothing missing', async () => {
    const database = await makeDatabase()
    const env = {
      DATA_DIR: folder.path,
      SHOP_DELETION_DAYS: '0',
      // A round soon after the start, so that kills happen before, during and after it.
      TIMINGS: JSON.stringify({ ...QUICK_TIMINGS, retentionEveryMs: 30 }),
      DATABASE_URL: database.url!,
      ...(await freePorts()),
    }
    let service = await startService(env)
    const shops: { id: string; key: Record<string, string> }[] = []
    for (const name of ['Đi', 'Ở']) {
      const { shop, apiKey } = (await manageOver(service.url, 'POST', '/shops', { name })).body.data
      const key = { 'x-api-key': `service-partner ${apiKey}` }
      const money = { amount: 250_000, note: 'Nạp' }
      await manageOver(service.url, 'POST', `/shops/${shop._id}/wallet/entries`, money)
      for (let n = 0; n < PRODUCTS; n++)
        await http(service.url, 'POST', '/api/external/v1/products', { name: `Hoa ${n}`, price: 1000 }, key)
      shops.push({ id: shop._id, key })
    }
    const [gone, kept] = [shops[0]!, shops[1]!]
    await manageOver(service.url, 'PUT', `/shops/${gone.id}/deletion`, { name: 'Đi' })
    const exported = await run(['--url', service.url, 'shop', 'export', gone.id, `${folder.path}/x`], {
      OPERATOR_TOKEN,
    })
    expect(exported.code).toBe(0)
    const closings = async () => (await manageOver(service.url, 'GET', '/closed-shops')).body.data
    let kills = 0
    // Each process lives twice as long as the one before, so that even a slow machine completes the work.
    for (let afterMs = 0; ; afterMs = Math.max(60, afterMs * 2)) {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      const [closing] = await closings()
      if (closing !== undefined && closing.erasedAt !== null) break
      await service.end('SIGKILL')
      kills += 1
      service = await startService(env)
    }
    expect(kills).toBeGreaterThan(0)
    await eventually(async () => (await manageOver(service.url, 'GET', `/shops/${gone.id}`)).status === 404)
    expect(await closings()).toMatchObject([{ id: gone.id, toppedUp: 250_000, balance: 250_000, charged: 0 }])
    const list = await http(service.url, 'GET', '/api/external/v1/products?limit=1', undefined, kept.key)
    expect(list.body.data.meta.total).toBe(PRODUCTS)
    const again = await manageOver(service.url, 'GET', `/shops/${kept.id}/wallet`)
    expect(again.body.data).toEqual({ balance: 250_000, held: 0 })
    await service.end('SIGTERM')
    await database.remove()
  }, 120_000)
})

describe.runIf(onPostgres)('G-78 a process that is killed while it erases a person', () => {
  it('erases the rest when it is asked again: nothing has the number, sums and ledger are as before', async () => {
    const n = '912345678'
    const platform = await keepPlatform(`${folder.path}/person`)
    let service = await platform.start()
    const { shopId, call, templateId } = await makeSendingShop(service.url, 1_000_000, SIMULATOR_CREDENTIALS)
    const customer = { fullName: 'Lan', phone: `0${n}`, note: `Zalo +84${n}` }
    const { _id: userId } = (await call('POST', '/api/external/v1/customers', customer)).body.data
    const product = { name: 'Hoa', price: 1000 }
    const { skus } = (await call('POST', '/api/external/v1/products', product)).body.data
    for (let k = 0; k < 30; k++) {
      const orderItems = [{ id: skus[0]._id, quantity: 1 + k }]
      await call('POST', '/api/external/order/pos/create', { orderItems, userId, note: `gọi 0${n}` })
      await call('POST', '/api/external/notify-message/send', {
        templateId,
        receiverPhone: `0${n}`,
        params: { customer_name: 'Lan', order_code: `DH${k}` },
      })
      await call('POST', '/api/external/news', { title: `Tin ${k}`, content: `<p>Hotline 0${n}</p>` })
    }
    const person = async (what: string) =>
      await manageOver(service.url, 'POST', `/shops/${shopId}/people/${what}`, { phone: n })
    const export_ = async () => (await person('export')).body.data
    const isOpen = ({ state }: { state: string }) => state !== 'RECEIVED' && state !== 'ERROR'
    await eventually(async () => !(await export_()).messages.some(isOpen), 20_000)
    const sums = async () => {
      const orders = (await call('GET', '/api/external/v1/orders?limit=100')).body.data
      const prices = orders.orders.map(({ _id, price }: { _id: string; price: number }) => [_id, price])
      const ledger = (await manageOver(service.url, 'GET', `/shops/${shopId}/wallet/entries?limit=100`)).body
        .data
      return { prices, ledger }
    }
    const before = await sums()
    expect([before.prices.length, (await export_()).orders.length]).toEqual([30, 30])

    let kills = 0
    for (let afterMs = 10; ; afterMs *= 2) {
      const answer = person('erase').catch(() => undefined)
      const done = await Promise.race([
        answer,
        new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), afterMs)),
      ])
      if (done?.status === 200) break
      await service.end('SIGKILL')
      await answer
      kills += 1
      service = await platform.start()
    }
    expect(kills).toBeGreaterThan(1)
    expect(await export_()).toMatchObject({
      customers: [],
      orders: [],
      messages: [],
      consents: [],
      mentions: [],
    })
    expect(await sums()).toEqual(before)
    await service.end('SIGTERM')
    await platform.remove()
  }, 120_000)
})
