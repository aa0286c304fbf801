import { describe, expect, it } from 'vitest'
import { enter, MOVEMENTS, makeWarehouse, stockedSku } from '../../support/inventory.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()

async function quantities(partner: Partner, query: string): Promise<number[]> {
  const { body } = await partner.get(`${MOVEMENTS}?${query}`)
  return body.data.movements.map((movement: { quantity: number }) => movement.quantity)
}

describe('G-38 GET inventory movements', () => {
  it('200 newest first, page after page without gap or repetition', async () => {
    const partner = await makeShop(running)
    const skuId = await stockedSku(partner)
    for (let n = 1; n <= 5; n++) await enter(partner, 'receive', [[skuId, n]])
    const seen: number[] = []
    let before: string | null = ''
    while (before !== null) {
      const { body } = await partner.get(`${MOVEMENTS}?limit=2${before === '' ? '' : `&before=${before}`}`)
      seen.push(...body.data.movements.map((movement: { quantity: number }) => movement.quantity))
      before = body.data.meta.nextBefore
    }
    expect(seen).toEqual([5, 4, 3, 2, 1])
  })

  it('200 filtered by SKU, warehouse, type, order and time', async () => {
    const partner = await makeShop(running)
    const second = await makeWarehouse(partner)
    const [shirt, hat] = [await stockedSku(partner, 9, 'Áo'), await stockedSku(partner, 8, 'Nón')]
    await enter(partner, 'transfer', [[shirt, 2]], { toWarehouseId: second })
    const counted = await enter(partner, 'count', [[hat, 5]])
    expect(await quantities(partner, `skuId=${shirt}`)).toEqual([2, -2, 9])
    expect(await quantities(partner, `warehouseId=${second}`)).toEqual([2])
    expect(await quantities(partner, 'type=count')).toEqual([-3])
    expect(await quantities(partner, `skuId=${hat}&type=receive`)).toEqual([8])
    expect(await quantities(partner, `orderId=${unusedId()}`)).toEqual([])
    expect(await quantities(partner, `from=${counted.createdAt}&type=count`)).toEqual([-3])
    expect(await quantities(partner, 'to=2020-01-01')).toEqual([])
    expect(await quantities(partner, `to=${counted.createdAt}&limit=1`)).toEqual([-3])
  })

  it('400 for a page after an unknown movement and for an invalid type or time; 500 for a malformed id', async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const foreign = await enter(other, 'receive', [[await stockedSku(other), 1]])
    for (const query of [
      `before=${unusedId()}`,
      `before=${foreign.movements[0]._id}`,
      'type=x',
      'from=x',
      'limit=0',
      'limit=101',
    ]) {
      expect((await partner.get(`${MOVEMENTS}?${query}`)).status, query).toBe(400)
    }
    expect((await partner.get(`${MOVEMENTS}?skuId=x`)).status).toBe(500)
  })
})
