import { describe, expect, it } from 'vitest'
import { ENTRIES, MOVEMENTS, stockedSku } from '../../support/inventory.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { makeShop, service } from '../../support/service.ts'

const running = await service()
const PROFIT = '/api/external/v1/reports/profit?days=1'
const WITHOUT_COST = '/api/external/v1/reports/profit/without-cost'
const COSTS = '/api/external/v1/inventory/costs'

type Role = 'owner' | 'staff' | 'viewer'

/** Goods received at 12,000 đồng with a key, and a person with the role in the same shop. */
async function shopWith(role: Role) {
  const shop = await makeShop(running)
  const skuId = await stockedSku(shop, 0, 'Áo')
  const entry = receipt(skuId, 12_000)
  const noted = (await shop.post(ENTRIES, entry)).body.data
  const person = await makePerson(running.deps, { shopId: shop.shopId, role })
  const cookie = await signIn(running, person.email)
  const send = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const headers = { cookie, 'x-shop-id': shop.shopId }
    const response = await running.app.inject({ method, url, headers, ...(body && { payload: body }) })
    return { status: response.statusCode, body: response.json(), text: response.body }
  }
  return { shop, skuId, noted, get: (url: string) => send('GET', url), send }
}

const receipt = (skuId: string, unitCost: number) => ({
  type: 'receive',
  items: [{ skuId, quantity: 4, unitCost }],
})

describe('G-38 what goods cost, and what sales brought', () => {
  it('200 for an owner and for a key, with the costs', async () => {
    const { shop, skuId, noted, get, send } = await shopWith('owner')
    const askers = [
      { get, preview: () => send('POST', `${ENTRIES}/preview`, receipt(skuId, 20_000)) },
      { get: shop.get, preview: () => shop.post(`${ENTRIES}/preview`, receipt(skuId, 20_000)) },
    ]
    for (const asker of askers) {
      expect((await asker.get(PROFIT)).status).toBe(200)
      expect((await asker.get(COSTS)).body.data.costs[0].averageCost).toBe(12_000)
      expect((await asker.get(`${MOVEMENTS}?skuId=${skuId}`)).body.data.movements[0].unitCost).toBe(12_000)
      expect((await asker.get(ENTRIES)).body.data.entries[0].totalCost).toBe(48_000)
      expect((await asker.get(`${ENTRIES}/${noted._id}`)).body.data.totalCost).toBe(48_000)
      const [item] = (await asker.preview()).body.data.items
      expect([item.averageCost, item.averageCostAfter]).toEqual([12_000, 16_000])
    }
  })

  it.each(['staff', 'viewer'] as const)(
    '403 COSTS_FOR_OWNERS of the reports for a %s, and null of entries and movements',
    async (role) => {
      const { skuId, noted, get } = await shopWith(role)
      for (const path of [PROFIT, WITHOUT_COST, COSTS]) {
        const { status, body } = await get(path)
        expect([path, status, body.code]).toEqual([path, 403, 'COSTS_FOR_OWNERS'])
      }
      for (const path of [`${MOVEMENTS}?skuId=${skuId}`, ENTRIES, `${ENTRIES}/${noted._id}`]) {
        const { status, text } = await get(path)
        expect([path, status]).toEqual([path, 200])
        expect(text).toMatch(/"(unitCost|totalCost)":null/)
        expect(text).not.toMatch(/\b(12000|48000)\b/)
      }
    },
  )

  it('staff receive goods at a cost, see it in their own entry, and do not see the average that it moves', async () => {
    const { skuId, send, get } = await shopWith('staff')
    const preview = await send('POST', `${ENTRIES}/preview`, receipt(skuId, 20_000))
    expect(preview.body.data.totalCost).toBe(80_000)
    expect(preview.body.data.items[0]).toMatchObject({ averageCost: null, averageCostAfter: null })
    const own = await send('POST', ENTRIES, receipt(skuId, 20_000))
    expect([own.status, own.body.data.totalCost]).toEqual([201, 80_000])
    const { entries } = (await get(ENTRIES)).body.data
    expect(entries.map(({ totalCost }: { totalCost: number | null }) => totalCost)).toEqual([80_000, null])
    const { data } = (await get(`${ENTRIES}/${own.body.data._id}`)).body
    expect(data.movements[0].unitCost).toBe(20_000)
    expect((await get(`${MOVEMENTS}?skuId=${skuId}`)).text).not.toMatch(/\b(20000|12000)\b/)
  })
})
