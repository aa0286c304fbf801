import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { recordEntry } from '../../../src/modules/inventory/record-entry.ts'
import { failingTransactions } from '../../support/failing-transactions.ts'
import { checkInvariants } from '../../support/invariants.ts'
import {
  ENTRIES,
  enter,
  entry,
  makeWarehouse,
  POS,
  stockedSku,
  stockOf,
  WAREHOUSES,
} from '../../support/inventory.ts'
import { newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { eventsOf, listen } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.database

async function defaultOf(partner: Partner): Promise<string> {
  return (await partner.get(WAREHOUSES)).body.data.warehouses[0]._id
}

function order(partner: Partner, skuId: string, quantity: number) {
  return partner.post(POS, { orderItems: [{ id: skuId, quantity }] })
}

describe('G-38 POST inventory entries', () => {
  it('201 receives into the default warehouse, with a movement a SKU, and shows in the product', async () => {
    const partner = await makeShop(running)
    const warehouseId = await defaultOf(partner)
    const skuId = await stockedSku(partner)
    const answer = await partner.post(ENTRIES, entry('receive', [[skuId, 7]], { note: 'Nhập', shopId: 'x' }))
    expect(answer.status).toBe(201)
    const { _id, createdAt, movements } = answer.body.data
    const movement = {
      _id: movements[0]._id,
      id: movements[0]._id,
      skuId,
      warehouseId,
      type: 'receive',
      quantity: 7,
      unitCost: null,
      counted: null,
      entryId: _id,
      orderId: null,
      note: 'Nhập',
      createdAt,
      name: 'Áo thun',
      code: '',
    }
    expect(answer.body).toEqual({
      success: true,
      message: 'Stock entered',
      data: {
        _id,
        id: _id,
        shopId: partner.shopId,
        type: 'receive',
        warehouseId,
        toWarehouseId: null,
        supplier: '',
        note: 'Nhập',
        recordedBy: { type: 'key', id: expect.any(String), name: expect.any(String) },
        createdAt,
        itemCount: 1,
        added: 7,
        removed: 0,
        totalCost: null,
        movements: [movement],
      },
    })
    const [product] = (await partner.get(PRODUCTS)).body.data.products
    expect(product).toMatchObject({ totalQuantity: 7, stock_quantity: 7 })
    await checkInvariants(db, partner.shopId)
  })

  it('201 issues, counts and transfers: a count moves the difference, also to 0', async () => {
    const partner = await makeShop(running)
    const main = await defaultOf(partner)
    const second = await makeWarehouse(partner)
    const { skus } = (await partner.post(PRODUCTS, newProduct(twoByTwo()))).body.data
    const [a, b] = [skus[0]._id, skus[1]._id]
    await enter(partner, 'receive', [
      [b, 10],
      [a, 10],
    ])
    await enter(partner, 'issue', [[a, 4]])
    const counted = await enter(partner, 'count', [
      [b, 13],
      [a, 6],
    ])
    expect(counted.movements.map((one: { quantity: number }) => one.quantity)).toEqual([3, 0])
    const moved = await enter(partner, 'transfer', [[b, 5]], { warehouseId: main, toWarehouseId: second })
    expect(moved).toMatchObject({
      toWarehouseId: second,
      movements: [
        { warehouseId: main, quantity: -5 },
        { warehouseId: second, quantity: 5 },
      ],
    })
    await enter(partner, 'count', [[a, 0]])
    expect(await stockOf(db, partner.shopId)).toEqual({ [`${b} ${main}`]: '8/0', [`${b} ${second}`]: '5/0' })
    await checkInvariants(db, partner.shopId)
  })

  it('400 OUT_OF_STOCK names every short SKU and enters nothing, where the shop denies overselling', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const second = await makeWarehouse(partner)
    const [shirt, hat, shoe] = [
      await stockedSku(partner, 5, 'Áo'),
      await stockedSku(partner, 5, 'Nón'),
      await stockedSku(partner, 1, 'Giày'),
    ]
    await enter(partner, 'receive', [[shirt, 100]], { warehouseId: second })
    expect((await order(partner, shirt, 2)).status).toBe(200)
    const before = await stockOf(db, partner.shopId)
    for (const [type, more] of [
      ['issue', {}],
      ['transfer', { toWarehouseId: second }],
    ] as const) {
      const refused = await partner.post(
        ENTRIES,
        entry(
          type,
          [
            [shirt, 4],
            [hat, 5],
            [shoe, 2],
          ],
          more,
        ),
      )
      expect(refused).toMatchObject({ status: 400, body: { code: 'OUT_OF_STOCK' } })
      expect(refused.body.message).toBe('Not enough stock (requested / available). Áo: 4 / 3; Giày: 2 / 1')
    }
    expect(await stockOf(db, partner.shopId)).toEqual(before)
    expect((await partner.post(ENTRIES, entry('issue', [[shirt, 3]]))).status).toBe(201)
    await checkInvariants(db, partner.shopId)
  })

  it('201 below 0 where the shop allows overselling; a count below what orders reserved in either', async () => {
    const allows = await makeShop(running)
    const skuId = await stockedSku(allows, 1)
    await enter(allows, 'issue', [[skuId, 3]])
    expect(Object.values(await stockOf(db, allows.shopId))).toEqual(['-2/0'])
    const denies = await makeShop(running, { oversell: 'deny' })
    const other = await stockedSku(denies, 5)
    expect((await order(denies, other, 4)).status).toBe(200)
    await enter(denies, 'count', [[other, 1]])
    expect(Object.values(await stockOf(db, denies.shopId))).toEqual(['1/4'])
    expect((await order(denies, other, 1)).body.code).toBe('OUT_OF_STOCK')
    await checkInvariants(db, allows.shopId)
    await checkInvariants(db, denies.shopId)
  })

  it('400 naming the item for an unknown SKU, one named twice or one without pieces; nothing is entered', async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const skuId = await stockedSku(partner)
    const foreign = await stockedSku(other)
    const warehouseId = await makeWarehouse(other)
    const refusals: [object, string][] = [
      [
        entry('receive', [
          [skuId, 1],
          [foreign, 1],
        ]),
        'items.1.skuId',
      ],
      [
        entry('receive', [
          [skuId, 1],
          [unusedId(), 1],
        ]),
        'items.1.skuId',
      ],
      [
        entry('receive', [
          [skuId, 1],
          ['áo', 1],
        ]),
        'items.1.skuId',
      ],
      [
        entry('receive', [
          [skuId, 1],
          [skuId.toUpperCase(), 1],
        ]),
        'items.1.skuId',
      ],
      [entry('receive', [[skuId, 0]]), 'items.0.quantity'],
      [entry('count', [[skuId, -1]]), 'items.0.quantity'],
      [entry('receive', [[skuId, 1.5]]), 'items.0.quantity'],
      [entry('receive', []), 'items'],
      [entry('receive', Array(1001).fill([skuId, 1])), 'items'],
      [entry('order', [[skuId, 1]]), 'type'],
      [entry('receive', [[skuId, 1]], { warehouseId }), 'warehouseId'],
      [entry('receive', [[skuId, 1]], { toWarehouseId: warehouseId }), 'toWarehouseId'],
      [entry('transfer', [[skuId, 1]]), 'toWarehouseId'],
      [entry('transfer', [[skuId, 1]], { toWarehouseId: warehouseId }), 'toWarehouseId'],
      [entry('transfer', [[skuId, 1]], { toWarehouseId: await defaultOf(partner) }), 'toWarehouseId'],
    ]
    for (const [body, key] of refusals) {
      const answer = await partner.post(ENTRIES, body)
      expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, [key]])
    }
    expect(await stockOf(db, partner.shopId)).toEqual({})
    expect(await stockOf(db, other.shopId)).toEqual({})
  })

  it('201 once for a repeated Idempotency-Key, also when the answer was lost', async () => {
    const partner = await makeShop(running)
    const skuId = await stockedSku(partner)
    const send = () => partner.post(ENTRIES, entry('receive', [[skuId, 2]]), { 'idempotency-key': 'nhập-1' })
    const first = await send()
    await sql`
      update idempotency_keys
      set status = null, body = null, locked_until = '2026-01-01'
      where shop_id = ${partner.shopId}`.execute(db)
    expect((await send()).body).toEqual(first.body)
    expect(Object.values(await stockOf(db, partner.shopId))).toEqual(['2/0'])
  })

  it('G-62 notifies an endpoint of the resulting stock, and of nothing where nothing moved', async () => {
    const partner = await makeShop(running)
    await listen(running, partner.shopId, ['stock.changed'])
    const second = await makeWarehouse(partner)
    const warehouseId = await defaultOf(partner)
    const skuId = await stockedSku(partner, 5)
    await enter(partner, 'count', [[skuId, 5]])
    await enter(partner, 'transfer', [[skuId, 2]], { toWarehouseId: second })
    const events = (await eventsOf(running, partner.shopId)).map(({ data }) => data)
    const at = { productId: events[0].items[0].productId, skuId, reserved: 0 }
    const told = { orderId: null, isCut: false }
    const moved = [
      { ...at, warehouseId, quantity: 3 },
      { ...at, warehouseId: second, quantity: 2 },
    ]
    expect(events).toHaveLength(2)
    expect(events).toEqual(
      expect.arrayContaining([
        { ...told, reason: 'receive', items: [{ ...at, warehouseId, quantity: 5 }] },
        { ...told, reason: 'transfer', items: moved },
      ]),
    )
  })

  it('books into the new default warehouse, if the previous one is deleted between its check and the booking', async () => {
    const partner = await makeShop(running)
    const next = await defaultOf(partner)
    const skuId = await stockedSku(partner)
    const unused = await makeWarehouse(partner, { isDefault: true })
    const beforeBegin = async () => {
      await partner.patch(`${WAREHOUSES}/${next}`, { isDefault: true })
      expect((await partner.call('DELETE', `${WAREHOUSES}/${unused}`)).status).toBe(200)
    }
    const once = failingTransactions(db, (n) => (n === 0 ? { beforeBegin } : undefined))
    const received = { type: 'receive' as const, items: [{ skuId, quantity: 7 }] }
    await recordEntry({ ...running.deps, db: once }, partner.shopId, received, unusedId(), null)
    expect(await stockOf(db, partner.shopId)).toEqual({ [`${skuId} ${next}`]: '7/0' })
    await checkInvariants(db, partner.shopId)
  })

  it('201 for entries and orders at once, of the same SKUs in opposite orders, without deadlock or loss', async () => {
    const partner = await makeShop(running)
    const second = await makeWarehouse(partner)
    const skus = await Promise.all(Array.from({ length: 12 }, (_, n) => stockedSku(partner, 0, `Áo ${n}`)))
    const items = skus.map((skuId) => [skuId, 3] as [string, number])
    await enter(
      partner,
      'receive',
      skus.map((skuId) => [skuId, 24]),
    )
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const ordered = n % 2 === 0 ? items : [...items].reverse()
        if (n % 3 === 0) return partner.post(ENTRIES, entry('receive', ordered, { warehouseId: second }))
        if (n % 3 === 1) return partner.post(ENTRIES, entry('transfer', ordered, { toWarehouseId: second }))
        return partner.post(POS, { orderItems: ordered.map(([id, quantity]) => ({ id, quantity })) })
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
    await checkInvariants(db, partner.shopId)
  })
})
