import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../support/invariants.ts'
import { ENTRIES, enter, entry, makeWarehouse, POS, stockedSku, stockOf } from '../support/inventory.ts'
import { type HttpAnswer, http } from '../support/process.ts'
import { makeShop, type Partner, service } from '../support/service.ts'

/** Over HTTP with separate connections, to a service with several database connections: races occur only on PostgreSQL. */
const running = await service()
const { db } = running.database
const { port } = running.app.server.address() as { port: number }

/** On a slow machine the last requests in the queue for a database connection get 503, and retry when the response says so. */
async function post(partner: Partner, path: string, body: unknown): Promise<HttpAnswer> {
  const headers = { 'x-api-key': `service-partner ${partner.apiKey}` }
  for (;;) {
    const answer = await http(`http://127.0.0.1:${port}`, 'POST', path, body, headers)
    if (answer.status !== 503) return answer
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('retry-after')) * 1000))
  }
}

const order = (partner: Partner, lines: [string, number][]) =>
  post(partner, POS, { orderItems: lines.map(([id, quantity]) => ({ id, quantity })) })

const statuses = (answers: HttpAnswer[]) => {
  const of = (status: number) => answers.filter((answer) => answer.status === status)
  expect(of(400).every(({ body }) => body.code === 'OUT_OF_STOCK')).toBe(true)
  return {
    sold: of(200).length,
    refused: of(400).length,
    others: answers.length - of(200).length - of(400).length,
  }
}

/** The quantity and the reserved pieces of a SKU in all warehouses. */
async function levels(partner: Partner, skuId: string): Promise<{ quantity: number; reserved: number }> {
  const stock = await stockOf(db, partner.shopId)
  const own = Object.entries(stock)
    .filter(([place]) => place.startsWith(skuId))
    .map(([, level]) => level.split('/').map(Number) as [number, number])
  return {
    quantity: own.reduce((sum, [quantity]) => sum + quantity, 0),
    reserved: own.reduce((sum, [, reserved]) => sum + reserved, 0),
  }
}

describe('G-43 orders at once for the last pieces, where the shop denies overselling', () => {
  it('200 orders for 50 pieces sell exactly 50', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const skuId = await stockedSku(partner, 50)
    const answers = await Promise.all(Array.from({ length: 200 }, () => order(partner, [[skuId, 1]])))
    expect(statuses(answers)).toEqual({ sold: 50, refused: 150, others: 0 })
    expect(await levels(partner, skuId)).toEqual({ quantity: 50, reserved: 50 })
    const codes = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.code)
    expect(new Set(codes).size).toBe(50)
    await checkInvariants(db, partner.shopId)
  }, 60_000)

  it('200 orders for 50 pieces in two warehouses sell exactly 50', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const second = await makeWarehouse(partner)
    const skuId = await stockedSku(partner, 31)
    await enter(partner, 'receive', [[skuId, 19]], { warehouseId: second })
    const answers = await Promise.all(Array.from({ length: 200 }, () => order(partner, [[skuId, 1]])))
    expect(statuses(answers)).toEqual({ sold: 50, refused: 150, others: 0 })
    expect(await levels(partner, skuId)).toEqual({ quantity: 50, reserved: 50 })
    await checkInvariants(db, partner.shopId)
  }, 60_000)

  it('orders of several SKUs in opposite orders sell out to the piece, without deadlock', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const skus: string[] = []
    for (const name of ['Áo', 'Quần', 'Nón', 'Giày', 'Tất']) skus.push(await stockedSku(partner, 40, name))
    const lines = skus.map((skuId) => [skuId, 1] as [string, number])
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => order(partner, n % 2 === 0 ? lines : [...lines].reverse())),
    )
    expect(statuses(answers)).toEqual({ sold: 40, refused: 80, others: 0 })
    for (const skuId of skus) expect(await levels(partner, skuId)).toEqual({ quantity: 40, reserved: 40 })
    await checkInvariants(db, partner.shopId)
  }, 60_000)

  it('counts between the orders set the stock; no more is sold than the last of them that let it', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const skuId = await stockedSku(partner, 20)
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        n % 20 === 10 ? post(partner, ENTRIES, entry('count', [[skuId, 50]])) : order(partner, [[skuId, 1]]),
      ),
    )
    const counts = answers.filter(({ status }) => status === 201)
    const { sold, others } = statuses(answers)
    expect([counts.length, others]).toEqual([6, 6])
    // Every count enters 50, so at most 50 can be reserved in total after the first count.
    expect(sold).toBeGreaterThanOrEqual(20)
    expect(sold).toBeLessThanOrEqual(50)
    expect(await levels(partner, skuId)).toEqual({ quantity: 50, reserved: sold })
    const rest = await Promise.all(Array.from({ length: 60 }, () => order(partner, [[skuId, 1]])))
    expect(statuses(rest)).toEqual({ sold: 50 - sold, refused: 10 + sold, others: 0 })
    await checkInvariants(db, partner.shopId)
  }, 60_000)

  it('transfers and issues between the orders of two warehouses neither lose nor promise a piece twice', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const second = await makeWarehouse(partner)
    const [shirt, hat] = [await stockedSku(partner, 60, 'Áo'), await stockedSku(partner, 60, 'Nón')]
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => {
        const skus = n % 2 === 0 ? [shirt, hat] : [hat, shirt]
        const lines = skus.map((skuId) => [skuId, 1] as [string, number])
        if (n % 4 === 1) return post(partner, ENTRIES, entry('transfer', lines, { toWarehouseId: second }))
        if (n % 4 === 3) return post(partner, ENTRIES, entry('issue', lines))
        return order(partner, lines)
      }),
    )
    const issued = answers.filter(({ status, body }) => status === 201 && body.data.type === 'issue').length
    const { sold, others } = statuses(answers)
    expect(others).toBe(answers.filter(({ status }) => status === 201).length)
    for (const skuId of [shirt, hat]) {
      expect(await levels(partner, skuId)).toEqual({ quantity: 60 - issued, reserved: sold })
    }
    await checkInvariants(db, partner.shopId)
  }, 60_000)
})

describe('G-38 goods received at once into a warehouse that has none of them yet', () => {
  it('entries of different SKUs in different orders are all booked, whichever creates the rows, without deadlock', async () => {
    const partner = await makeShop(running)
    const warehouseId = await makeWarehouse(partner)
    const skus: string[] = []
    for (const name of ['Áo', 'Quần', 'Nón', 'Giày', 'Tất', 'Khăn'])
      skus.push(await stockedSku(partner, 0, name))
    const wanted = new Map(skus.map((skuId) => [skuId, 0]))
    const entries = Array.from({ length: 60 }, (_, n) => {
      // Each takes a different half of the SKUs, beginning at a different one, forwards or backwards.
      const picked = skus.filter((_, at) => (n >> (at % 5)) % 2 === at % 2)
      const turned = [...picked.slice(n % 3), ...picked.slice(0, n % 3)]
      const ordered = n % 2 === 0 ? turned : turned.reverse()
      for (const skuId of ordered) wanted.set(skuId, wanted.get(skuId)! + 1)
      return ordered.map((skuId) => ({ skuId, quantity: 1, unitCost: 1_000 + n }))
    }).filter((items) => items.length > 0)
    const answers = await Promise.all(
      entries.map((items) => post(partner, ENTRIES, { type: 'receive', warehouseId, items })),
    )
    expect(answers.map(({ status, body }) => (status === 201 ? 201 : body))).toEqual(entries.map(() => 201))
    const stock = await stockOf(db, partner.shopId)
    for (const [skuId, quantity] of wanted) {
      expect(
        Object.entries(stock).find(([place]) => place.startsWith(skuId) && place.includes(warehouseId))?.[1],
      ).toBe(`${quantity}/0`)
    }
    await checkInvariants(db, partner.shopId)
  }, 60_000)
})
