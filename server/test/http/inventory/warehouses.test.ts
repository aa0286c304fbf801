import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../../support/invariants.ts'
import { ENTRIES, enter, entry, makeWarehouse, POS, stockedSku, WAREHOUSES } from '../../support/inventory.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database

async function list(partner: Partner): Promise<{ _id: string; name: string; isDefault: boolean }[]> {
  return (await partner.get(WAREHOUSES)).body.data.warehouses
}

describe('G-38 GET and POST warehouses', () => {
  it('200 with the default warehouse of a new shop; 201 makes another, listed after it', async () => {
    const partner = await makeShop(running)
    const made = await partner.post(WAREHOUSES, {
      name: ' Kho Thủ Đức ',
      address: '1 Võ Văn Ngân',
      shopId: 5,
    })
    expect(made.status).toBe(201)
    const { _id, createdAt } = made.body.data
    expect(made.body).toEqual({
      success: true,
      message: 'Warehouse created',
      data: {
        _id,
        id: _id,
        __v: 0,
        shopId: partner.shopId,
        name: 'Kho Thủ Đức',
        address: '1 Võ Văn Ngân',
        isDefault: false,
        createdAt,
        updatedAt: createdAt,
      },
    })
    const listed = await partner.get(WAREHOUSES)
    expect(listed.body.data.meta).toEqual({ page: 1, limit: 20, total: 2, totalPages: 1 })
    expect(listed.body.data.warehouses.map((one: { isDefault: boolean }) => one.isDefault)).toEqual([
      true,
      false,
    ])
    expect(listed.body.data.warehouses[1]).toEqual(made.body.data)
    const second = await partner.get(`${WAREHOUSES}?page=2&limit=1`)
    expect(second.body.data).toMatchObject({ warehouses: [{ _id }], meta: { total: 2, totalPages: 2 } })
    expect((await partner.get(`${WAREHOUSES}?page=9`)).body.data.meta.total).toBe(2)
  })

  it('400 for a blank name, and for fields it does not know', async () => {
    const partner = await makeShop(running)
    const blank = await partner.post(WAREHOUSES, { name: '  ' })
    expect(blank.body.validation.body.message).toBe('"name" is not allowed to be empty')
    expect((await partner.post(WAREHOUSES, { name: 'A', phone: '1' })).status).toBe(400)
  })
})

describe('G-38 PATCH warehouses', () => {
  it('200 changes the fields given', async () => {
    const partner = await makeShop(running)
    const id = await makeWarehouse(partner, { address: 'cũ' })
    const answer = await partner.patch(`${WAREHOUSES}/${id}`, { name: 'Kho mới' })
    expect(answer).toMatchObject({ status: 200, body: { data: { name: 'Kho mới', address: 'cũ' } } })
    expect((await partner.patch(`${WAREHOUSES}/${unusedId()}`, {})).status).toBe(404)
  })

  it('exactly one is the default: 200 takes it from the one before, 400 when it would have none', async () => {
    const partner = await makeShop(running)
    const first = (await list(partner))[0]!
    const second = await makeWarehouse(partner)
    expect((await partner.patch(`${WAREHOUSES}/${second}`, { isDefault: true })).status).toBe(200)
    expect((await partner.patch(`${WAREHOUSES}/${second}`, { isDefault: true })).status).toBe(200)
    const third = await makeWarehouse(partner, { isDefault: true })
    expect((await list(partner)).filter((one) => one.isDefault).map((one) => one._id)).toEqual([third])
    const refused = await partner.patch(`${WAREHOUSES}/${third}`, { isDefault: false })
    expect(refused.status).toBe(400)
    expect(refused.body.validation.body.keys).toEqual(['isDefault'])
    expect((await partner.patch(`${WAREHOUSES}/${first._id}`, { isDefault: false })).status).toBe(200)
  })

  it('exactly one is the default when many are made it at once', async () => {
    const partner = await makeShop(running)
    const ids = await Promise.all(Array.from({ length: 6 }, () => makeWarehouse(partner)))
    const answers = await Promise.all([
      ...ids.map((id) => partner.patch(`${WAREHOUSES}/${id}`, { isDefault: true })),
      ...ids.map(() => partner.post(WAREHOUSES, { name: 'Kho', isDefault: true })),
    ])
    expect(answers.map(({ status }) => status)).toEqual([...ids.map(() => 200), ...ids.map(() => 201)])
    expect((await list(partner)).filter((one) => one.isDefault)).toHaveLength(1)
  })

  it('orders of a SKU that the new default warehouse never had take it from where it is', async () => {
    const partner = await makeShop(running, { oversell: 'deny' })
    const skuId = await stockedSku(partner, 2)
    await makeWarehouse(partner, { isDefault: true })
    const order = (quantity: number) => partner.post(POS, { orderItems: [{ id: skuId, quantity }] })
    expect((await order(2)).status).toBe(200)
    expect((await order(1)).body.code).toBe('OUT_OF_STOCK')
    await checkInvariants(db, partner.shopId)
  })
})

describe('G-38 DELETE warehouses', () => {
  it('200 where it was never used, 409 for the default one and for one with stock or movements', async () => {
    const partner = await makeShop(running)
    const main = (await list(partner))[0]!
    const unused = await makeWarehouse(partner)
    const used = await makeWarehouse(partner)
    const skuId = await stockedSku(partner)
    await enter(partner, 'receive', [[skuId, 3]], { warehouseId: used })
    await enter(partner, 'count', [[skuId, 0]], { warehouseId: used })
    const remove = (id: string) => partner.call('DELETE', `${WAREHOUSES}/${id}`)
    expect(await remove(main._id)).toMatchObject({ status: 409, body: { code: 'WAREHOUSE_IS_DEFAULT' } })
    expect(await remove(used)).toMatchObject({ status: 409, body: { code: 'WAREHOUSE_IN_USE' } })
    expect(await remove(unused)).toMatchObject({ status: 200, body: { success: true } })
    expect((await remove(unused)).status).toBe(404)
    expect((await list(partner)).map((one) => one._id)).toEqual([main._id, used])
  })

  it('400 or 409, never a half-written entry, when stock comes in while it is deleted', async () => {
    const partner = await makeShop(running)
    const skuId = await stockedSku(partner)
    for (let round = 0; round < 5; round++) {
      const warehouseId = await makeWarehouse(partner)
      const [entered, removed] = await Promise.all([
        partner.post(ENTRIES, entry('receive', [[skuId, 1]], { warehouseId })),
        partner.call('DELETE', `${WAREHOUSES}/${warehouseId}`),
      ])
      expect([`${entered.status} ${removed.status}`]).toEqual([
        entered.status === 201 ? '201 409' : '400 200',
      ])
    }
    await checkInvariants(db, partner.shopId)
    const { rows } = await sql`
      select id from inventory_entries e
      where e.shop_id = ${partner.shopId}
        and not exists (select from stock_movements m where m.shop_id = e.shop_id and m.entry_id = e.id)`.execute(
      db,
    )
    expect(rows).toEqual([])
  })
})
