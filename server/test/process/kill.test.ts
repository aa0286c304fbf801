import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { checkInvariants } from '../support/invariants.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import { manageOver, temporaryFolder } from '../support/process.ts'
import { makeSendingShop, type SendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const ROUNDS = 4
const WRITERS_PER_KIND = 2
const WRITES_BEFORE_KILL = 3

type Acknowledged = { products: string[]; orders: string[]; messages: string[] }

describe('SIGKILL at random moments during writes and sends', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('the next start needs no help, no acknowledged write is missing, and money and counters add up', async () => {
    const platform = await keepPlatform(join(folder.path, 'data'))
    let service = await platform.start()
    const shop = await makeSendingShop(service.url, 10_000_000, SIMULATOR_CREDENTIALS)
    const product = await shop.call('POST', '/api/external/v1/products', { name: 'Bình gốm', price: 250_000 })
    const productId: string = product.body.data._id
    const acknowledged: Acknowledged = { products: [], orders: [], messages: [] }

    for (let round = 0; round < ROUNDS; round++) {
      let killed = false
      const writers = Array.from({ length: WRITERS_PER_KIND }).flatMap(() => [
        write(
          () => killed,
          async (n) => {
            const made = await shop.call('POST', '/api/external/v1/products', {
              name: `Chén ${round}-${n}`,
              price: n,
            })
            if (made.status === 200) acknowledged.products.push(made.body.data._id)
          },
        ),
        write(
          () => killed,
          async () => {
            const made = await shop.call('POST', '/api/external/order/pos/create', {
              orderItems: [{ id: productId, quantity: 1 }],
            })
            if (made.status === 200) acknowledged.orders.push(made.body.data._id)
          },
        ),
        write(
          () => killed,
          async (n) => {
            const made = await shop.call('POST', '/api/external/notify-message/send', {
              templateId: shop.templateId,
              receiverPhone: `09${String(10_000_000 + Math.floor(Math.random() * 80_000_000))}`,
              params: { customer_name: 'An', order_code: `DH${n}` },
            })
            if (made.status === 200 || made.status === 202)
              acknowledged.messages.push(made.body.data.message_id)
          },
        ),
      ])
      await eventually(async () => fewestOf(acknowledged) >= (round + 1) * WRITES_BEFORE_KILL, 30_000)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 400))
      killed = true
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      await Promise.all(writers)
      service = await platform.start()
    }

    await expectAllThere(shop, acknowledged)
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })

    const database = await platform.open()
    const kept = await sql<{ id: string }>`select id from messages where shop_id = ${shop.shopId}`.execute(
      database.db,
    )
    const ids = new Set(kept.rows.map((row) => row.id))
    expect(acknowledged.messages.filter((id) => !ids.has(id))).toEqual([])
    await checkInvariants(database.db)
    await database.close()
    await platform.remove()
  }, 120_000)
})

const fewestOf = (acknowledged: Acknowledged) =>
  Math.min(...Object.values(acknowledged).map((ids) => ids.length))

/** Repeats a write until the process has ended. A missing response is no acknowledgement. */
async function write(isOver: () => boolean, once: (n: number) => Promise<void>): Promise<void> {
  for (let n = 1; !isOver(); n++) {
    try {
      await once(n)
    } catch {
      if (!isOver()) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function expectAllThere(shop: SendingShop, acknowledged: Acknowledged): Promise<void> {
  for (const id of acknowledged.products) {
    expect((await shop.call('GET', `/api/external/v1/products/${id}`)).status).toBe(200)
  }
  for (const id of acknowledged.orders) {
    expect((await shop.call('GET', `/api/external/v1/orders/${id}`)).status).toBe(200)
  }
}

describe('SIGTERM', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('answers the send in flight, then ends with 0', async () => {
    const platform = await keepPlatform(join(folder.path, 'data'))
    const service = await platform.start()
    const shop = await makeSendingShop(service.url, 10_000_000, SIMULATOR_CREDENTIALS)
    await platform.setFaults([{ kind: 'latency', endpoint: '/message/template', share: 1, latencyMs: 1_500 }])
    const answer = shop.call('POST', '/api/external/notify-message/send', {
      templateId: shop.templateId,
      receiverPhone: '0912345678',
      params: { customer_name: 'An', order_code: 'DH1' },
    })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const ended = service.end('SIGTERM')
    expect((await answer).status).toBe(200)
    expect(await ended).toEqual({ code: 0, signal: null })
    await expect(manageOver(service.url, 'GET', '/shops')).rejects.toThrow()
    await platform.remove()
  }, 60_000)
})
