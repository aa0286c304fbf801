import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../../support/invariants.ts'
import {
  ENTRIES,
  enter,
  entry,
  MOVEMENTS,
  makeWarehouse,
  POS,
  stockedSku,
  stockOf,
} from '../../support/inventory.ts'
import { newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const SUPPLIERS = '/api/external/v1/inventory/suppliers'

type Line = { skuId: string; quantity: number; unitCost?: number; expected?: number }
const receive = (shop: Partner, items: Line[], more: Record<string, unknown> = {}, headers = {}) =>
  shop.post(ENTRIES, { type: 'receive', items, ...more }, headers)
const preview = async (shop: Partner, body: object) => (await shop.post(`${ENTRIES}/preview`, body)).body.data
/** The SKU's average cost, from a preview. */
const costOf = async (shop: Partner, skuId: string): Promise<number | null> =>
  (await preview(shop, entry('count', [[skuId, 0]]))).items[0].averageCost
const costRows = async (shop: Partner) =>
  (
    await sql<{ sku_id: string; value: number; pieces: number; unit_cost: number | null }>`
      select sku_id, value, pieces, unit_cost from sku_costs where shop_id = ${shop.shopId} order by sku_id`.execute(
      db,
    )
  ).rows

describe('G-38 goods received with supplier and cost', () => {
  it('201 with the supplier, the costs, their total and who entered it; 200 in the list and by its id', async () => {
    const shop = await makeShop(running)
    const made = (await shop.post(PRODUCTS, newProduct({ ...twoByTwo(), name: 'Áo len' }))).body.data
    const [a, b] = [made.skus[0], made.skus[1]]
    const answer = await receive(
      shop,
      [
        { skuId: a._id, quantity: 10, unitCost: 20_000 },
        { skuId: b._id, quantity: 4 },
      ],
      { supplier: '  Xưởng Bình Minh ', note: 'Đợt một' },
    )
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const { movements, ...summary } = answer.body.data
    expect(summary).toMatchObject({
      type: 'receive',
      supplier: 'Xưởng Bình Minh',
      note: 'Đợt một',
      recordedBy: { type: 'key' },
      itemCount: 2,
      added: 14,
      removed: 0,
      totalCost: 200_000,
    })
    expect(movements).toMatchObject([
      { skuId: a._id, quantity: 10, unitCost: 20_000, counted: null, name: `Áo len - ${a.name}` },
      { skuId: b._id, quantity: 4, unitCost: null, name: `Áo len - ${b.name}` },
    ])
    await enter(shop, 'issue', [[a._id, 2]])
    const listed = (await shop.get(`${ENTRIES}?type=receive`)).body.data
    expect(listed.entries).toEqual([summary])
    expect(listed.meta).toEqual({ page: 1, limit: 20, hasMore: false })
    expect((await shop.get(ENTRIES)).body.data.entries.map((one: { type: string }) => one.type)).toEqual([
      'issue',
      'receive',
    ])
    expect((await shop.get(`${ENTRIES}/${summary._id}`)).body).toEqual({
      success: true,
      data: answer.body.data,
    })
    expect((await shop.get(`${ENTRIES}/${unusedId()}`)).status).toBe(404)
    expect((await shop.get(`${MOVEMENTS}?skuId=${a._id}`)).body.data.movements).toMatchObject([
      { unitCost: null },
      { unitCost: 20_000 },
    ])
  })

  it('moves the average by all warehouses, not by issues, counts, transfers or what came without a cost', async () => {
    const shop = await makeShop(running)
    const second = await makeWarehouse(shop)
    const skuId = await stockedSku(shop, 8)
    expect(await costOf(shop, skuId)).toBe(null)
    await receive(shop, [{ skuId, quantity: 10, unitCost: 20_000 }])
    // The 8 pieces had no cost, so the average is the cost of the first receipt with one.
    expect(await costOf(shop, skuId)).toBe(20_000)
    await enter(shop, 'transfer', [[skuId, 8]], { toWarehouseId: second })
    await enter(shop, 'issue', [[skuId, 4]])
    await enter(shop, 'count', [[skuId, 2]])
    await enter(shop, 'receive', [[skuId, 2]])
    expect(await costOf(shop, skuId)).toBe(20_000)
    // 12 pieces in both warehouses: 12 × 20.000 + 4 × 22.001 over 16.
    const body = { type: 'receive', warehouseId: second, items: [{ skuId, quantity: 4, unitCost: 22_001 }] }
    expect((await preview(shop, body)).items[0]).toMatchObject({
      averageCost: 20_000,
      averageCostAfter: 20_500,
    })
    await shop.post(ENTRIES, body)
    expect(await costRows(shop)).toEqual([{ sku_id: skuId, value: 328_004, pieces: 16, unit_cost: 20_500 }])
    await enter(shop, 'count', [[skuId, 0]])
    await enter(shop, 'count', [[skuId, 0]], { warehouseId: second })
    await receive(shop, [{ skuId, quantity: 1, unitCost: 0 }])
    expect(await costOf(shop, skuId)).toBe(0)
    await checkInvariants(db, shop.shopId)
  })

  it('rounds the average as the rule does, half up, also for the largest values', async () => {
    const shop = await makeShop(running)
    const skuIds = [await stockedSku(shop, 0, 'Áo'), await stockedSku(shop, 0, 'Quần')].sort()
    const [a, b] = skuIds as [string, string]
    await receive(shop, [
      { skuId: a, quantity: 1, unitCost: 10 },
      { skuId: b, quantity: 1, unitCost: 10 },
    ])
    await receive(shop, [
      { skuId: a, quantity: 1, unitCost: 11 },
      { skuId: b, quantity: 2, unitCost: 11 },
    ])
    expect((await costRows(shop)).map(({ unit_cost }) => unit_cost)).toEqual([11, 11])
    const large = await stockedSku(shop, 0, 'Vàng')
    expect((await receive(shop, [{ skuId: large, quantity: 9_007, unitCost: 1e12 }])).status).toBe(201)
    expect(await costOf(shop, large)).toBe(1e12)
    const more = await receive(shop, [{ skuId: large, quantity: 1, unitCost: 1e12 }])
    expect([more.status, more.body.code]).toEqual([400, 'AMOUNT_TOO_LARGE'])
    const all = await receive(shop, [
      { skuId: a, quantity: 5_000, unitCost: 1e12 },
      { skuId: b, quantity: 5_000, unitCost: 1e12 },
    ])
    expect([all.status, all.body.code]).toEqual([400, 'AMOUNT_TOO_LARGE'])
    await checkInvariants(db, shop.shopId)
  })

  it('201 once for a repeated Idempotency-Key, also when the answer was lost: neither stock nor average moves twice', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop)
    await receive(shop, [{ skuId, quantity: 1, unitCost: 30_000 }])
    const send = () =>
      receive(shop, [{ skuId, quantity: 1, unitCost: 10_000 }], {}, { 'idempotency-key': 'phiếu-1' })
    const first = await send()
    await sql`
      update idempotency_keys
      set status = null, body = null, locked_until = '2026-01-01'
      where shop_id = ${shop.shopId}`.execute(db)
    expect((await send()).body).toEqual(first.body)
    expect(Object.values(await stockOf(db, shop.shopId))).toEqual(['2/0'])
    expect(await costOf(shop, skuId)).toBe(20_000)
  })

  it('a note that fails in the middle leaves nothing: no stock, cost, supplier or entry', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop)
    // Makes the last statement of the transaction fail.
    const stop = sql.raw(`stop_${shop.shopId}`)
    await sql`create function ${stop}() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$`.execute(
      db,
    )
    await sql`
      create trigger ${stop} before insert on inventory_entries for each row
      when (new.shop_id = '${sql.raw(shop.shopId)}') execute function ${stop}()`.execute(db)
    const note = () => receive(shop, [{ skuId, quantity: 5, unitCost: 9_000 }], { supplier: 'Vườn' })
    try {
      expect((await note()).status).toBe(500)
    } finally {
      await sql`drop trigger ${stop} on inventory_entries`.execute(db)
      await sql`drop function ${stop}()`.execute(db)
    }
    expect(await stockOf(db, shop.shopId)).toEqual({})
    expect(await costRows(shop)).toEqual([])
    expect((await shop.get(SUPPLIERS)).body.data.suppliers).toEqual([])
    expect((await shop.get(ENTRIES)).body.data.entries).toEqual([])
    expect((await note()).status).toBe(201)
    await checkInvariants(db, shop.shopId)
  })

  it('201 for receipts of the same SKUs at once, in opposite orders and two warehouses, while they are sold: the average is that of some order', async () => {
    const shop = await makeShop(running)
    const second = await makeWarehouse(shop)
    const skus = await Promise.all(Array.from({ length: 6 }, (_, n) => stockedSku(shop, 0, `Áo ${n}`)))
    const lines = skus.map((skuId) => ({ skuId, quantity: 3, unitCost: 0 }))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        if (n % 4 === 3) return shop.post(POS, { orderItems: skus.map((id) => ({ id, quantity: 1 })) })
        const at = n % 2 === 0 ? {} : { warehouseId: second }
        const items = lines.map((line) => ({ ...line, unitCost: 1_000 * (n + 1) }))
        return receive(shop, n % 3 === 0 ? items.toReversed() : items, { ...at, supplier: `Vườn ${n % 2}` })
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
    // Nothing was taken out, so the average contains every đồng of the nine receipts.
    const paid = answers.flatMap(({ status }, n) => (status === 201 ? [3_000 * (n + 1)] : []))
    expect(paid).toHaveLength(9)
    const value = paid.reduce((sum, one) => sum + one, 0)
    for (const row of await costRows(shop)) expect(row).toMatchObject({ value, pieces: 27 })
    expect(await costRows(shop)).toHaveLength(6)
    await checkInvariants(db, shop.shopId)
  })

  it('201 for a thousand lines, the most of one note', async () => {
    const shop = await makeShop(running)
    await sql`
      with made as (
        insert into products (shop_id, id, name, price, slug, search, sku_drafts, created_at, updated_at)
        select ${shop.shopId}, 'feed' || lpad(to_hex(n), 20, '0'), 'Kẹo ' || n, 1000, 'keo-' || n, 'keo ' || n,
          '{"variants": [], "skus": []}', now(), now()
        from generate_series(1, 1000) n
        returning id
      ), totals as (
        insert into product_stock (shop_id, product_id) select ${shop.shopId}, id from made
      )
      insert into skus (shop_id, id, product_id, name, price, created_at, updated_at)
      select ${shop.shopId}, id, id, 'Kẹo', 1000, now(), now() from made`.execute(db)
    const { rows } = await sql<{ id: string }>`select id from skus where shop_id = ${shop.shopId}`.execute(db)
    const items = rows.map(({ id }) => ({ skuId: id, quantity: 2, unitCost: 700 }))
    const answer = await receive(shop, items)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ itemCount: 1_000, added: 2_000, totalCost: 1_400_000 })
    expect(await costRows(shop)).toHaveLength(1_000)
    await checkInvariants(db, shop.shopId)
  })

  it('suppliers are suggested from earlier notes, the last first, found without accents and kept once', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop)
    for (const supplier of ['Chợ Bình Tây', 'Đại lý Hồng Hà', 'CHỢ BÌNH TÂY', '   ']) {
      expect((await receive(shop, [{ skuId, quantity: 1 }], { supplier })).status).toBe(201)
    }
    const names = async (query = '') =>
      (await shop.get(`${SUPPLIERS}${query}`)).body.data.suppliers.map((one: { name: string }) => one.name)
    expect((await names()).toSorted()).toEqual(['CHỢ BÌNH TÂY', 'Đại lý Hồng Hà'])
    expect(await names('?search=dai ly')).toEqual(['Đại lý Hồng Hà'])
    expect(await names('?search=%25')).toEqual([])
    expect(await names('?search=')).toHaveLength(2)
    // Earlier notes keep the name as it was written.
    const { entries } = (await shop.get(ENTRIES)).body.data
    expect(entries.map((one: { supplier: string }) => one.supplier).toSorted()).toEqual([
      '',
      'CHỢ BÌNH TÂY',
      'Chợ Bình Tây',
      'Đại lý Hồng Hà',
    ])
  })

  it('400 for a cost or supplier on anything but a goods received note, and for an invalid cost, naming the field', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop, 5)
    const refusals: [object, string][] = [
      [entry('issue', [[skuId, 1]], { supplier: 'Vườn' }), 'supplier'],
      [{ type: 'count', items: [{ skuId, quantity: 1, unitCost: 5 }] }, 'items.0.unitCost'],
      [{ type: 'receive', items: [{ skuId, quantity: 1, unitCost: -1 }] }, 'items.0.unitCost'],
      [{ type: 'receive', items: [{ skuId, quantity: 1, unitCost: 1.5 }] }, 'items.0.unitCost'],
      [{ type: 'receive', items: [{ skuId, quantity: 1, unitCost: 1e12 + 1 }] }, 'items.0.unitCost'],
      [{ type: 'receive', items: [{ skuId, quantity: 1, expected: 1 }] }, 'items.0.expected'],
      [entry('receive', [[skuId, 1]], { supplier: 'x'.repeat(201) }), 'supplier'],
    ]
    for (const path of [ENTRIES, `${ENTRIES}/preview`]) {
      for (const [body, key] of refusals) {
        const answer = await shop.post(path, body)
        expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, [key]])
      }
    }
  })
})

describe('G-38 the list of average costs', () => {
  it('200 with the SKUs that were received with a cost, all or those that are asked for', async () => {
    const shop = await makeShop(running)
    const [a, b, c] = [
      await stockedSku(shop, 3, 'Áo'),
      await stockedSku(shop, 0, 'Quần'),
      await stockedSku(shop, 0),
    ]
    await receive(shop, [
      { skuId: b, quantity: 2, unitCost: 7_000 },
      { skuId: c, quantity: 1, unitCost: 0 },
    ])
    await receive(shop, [{ skuId: b, quantity: 1, unitCost: 7_001 }])
    const read = async (query = '') =>
      (await shop.get(`/api/external/v1/inventory/costs${query}`)).body.data.costs.map(
        (one: { skuId: string; averageCost: number }) => [one.skuId, one.averageCost],
      )
    expect(await read()).toEqual(
      [
        [b, 7_000],
        [c, 0],
      ].toSorted(),
    )
    expect(await read(`?ids=${a},${b}`)).toEqual([[b, 7_000]])
  })
})

describe('G-38 a count that was shown before it is booked', () => {
  it('200 shows the difference to the stock now, 201 books it, with what was counted', async () => {
    const shop = await makeShop(running)
    const [a, b] = [await stockedSku(shop, 10, 'Áo'), await stockedSku(shop, 0, 'Quần')]
    await shop.post(POS, { orderItems: [{ id: a, quantity: 3 }] })
    const shown = await preview(
      shop,
      entry('count', [
        [a, 8],
        [b, 2],
      ]),
    )
    expect(shown.items).toMatchObject([
      { skuId: a, name: 'Áo', stock: 10, available: 7, change: -2, isShort: false },
      { skuId: b, stock: 0, available: 0, change: 2 },
    ])
    expect(Object.values(await stockOf(db, shop.shopId))).toEqual(['10/3'])
    const items = shown.items.map((one: { skuId: string; quantity: number; stock: number }) => ({
      skuId: one.skuId,
      quantity: one.quantity,
      expected: one.stock,
    }))
    const booked = await shop.post(ENTRIES, { type: 'count', items })
    expect(booked.status, JSON.stringify(booked.body)).toBe(201)
    expect(booked.body.data).toMatchObject({
      added: 2,
      removed: 2,
      movements: [
        { quantity: -2, counted: 8 },
        { quantity: 2, counted: 2 },
      ],
    })
    await checkInvariants(db, shop.shopId)
  })

  it('409 STOCK_CHANGED names every line whose stock moved since, and books nothing', async () => {
    const shop = await makeShop(running)
    const [a, b, c] = [
      await stockedSku(shop, 10, 'Áo'),
      await stockedSku(shop, 5, 'Quần'),
      await stockedSku(shop, 2, 'Nón'),
    ]
    await enter(shop, 'issue', [[a, 1]])
    await enter(shop, 'receive', [[c, 4]])
    const items = [
      { skuId: a, quantity: 9, expected: 10 },
      { skuId: b, quantity: 4, expected: 5 },
      { skuId: c, quantity: 2, expected: 2 },
    ]
    const before = await stockOf(db, shop.shopId)
    const refused = await shop.post(ENTRIES, { type: 'count', items })
    expect([refused.status, refused.body.code]).toEqual([409, 'STOCK_CHANGED'])
    expect(refused.body.message).toContain('Áo: 10 → 9; Nón: 2 → 6')
    expect(await stockOf(db, shop.shopId)).toEqual(before)
    // Without the stock that was shown, a count is never refused.
    expect((await shop.post(ENTRIES, entry('count', [[a, 9]]))).status).toBe(201)
  })

  it('one of two counts at once that were shown the same stock is refused', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop, 10)
    const answers = await Promise.all(
      [7, 8].map((quantity) =>
        shop.post(ENTRIES, { type: 'count', items: [{ skuId, quantity, expected: 10 }] }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    await checkInvariants(db, shop.shopId)
  })
})

describe('G-38 transfers', () => {
  it('400 OUT_OF_STOCK for more than is available, also where overselling is allowed; the preview says so', async () => {
    const shop = await makeShop(running)
    const second = await makeWarehouse(shop)
    const skuId = await stockedSku(shop, 5)
    await shop.post(POS, { orderItems: [{ id: skuId, quantity: 2 }] })
    const asked = entry('transfer', [[skuId, 4]], { toWarehouseId: second })
    expect((await preview(shop, asked)).items).toMatchObject([{ available: 3, change: -4, isShort: true }])
    expect((await shop.post(ENTRIES, asked)).body.code).toBe('OUT_OF_STOCK')
    const moved = await enter(shop, 'transfer', [[skuId, 3]], { toWarehouseId: second })
    expect(moved).toMatchObject({ added: 3, removed: 3, itemCount: 1 })
    await checkInvariants(db, shop.shopId)
  })

  it('of two transfers at once of the whole stock, one is refused and nothing is lost', async () => {
    const shop = await makeShop(running)
    const second = await makeWarehouse(shop)
    const skuId = await stockedSku(shop, 5)
    const answers = await Promise.all(
      [1, 2].map(() => shop.post(ENTRIES, entry('transfer', [[skuId, 5]], { toWarehouseId: second }))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(await stockOf(db, shop.shopId)).toEqual({ [`${skuId} ${second}`]: '5/0' })
    await checkInvariants(db, shop.shopId)
  })
})
