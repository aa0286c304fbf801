import { AUDIENCES, batchBody } from '../screens.ts'
import type { Console } from './support.ts'

/** Creates a record of each kind that has a screen and that the demo shop lacks. */
export async function fillScreens(shop: Console): Promise<void> {
  const { templates } = (await shop.api('GET', '/api/external/notify-template?status=ENABLE')).body
  await shop.api('POST', '/api/external/notify-message/batches', batchBody(templates))
  for (const audience of AUDIENCES) await shop.api('POST', '/api/external/v1/audiences', audience)
  await shop.api('POST', '/api/external/v1/shifts', { openingCash: 500_000 })
  await shop.api('POST', '/api/external/v1/news-drafts', { title: 'Khai trương', content: '<p>Mời ghé</p>' })
  const unfinished = { name: 'Viết dở', content: '{}' }
  await shop.api('POST', '/api/external/notify-template/unfinished', unfinished)
  await enterStock(shop)
}

/** Creates a count and a transfer, which the demo lacks. */
async function enterStock(shop: Console): Promise<void> {
  const { warehouses } = (await shop.api('GET', '/api/external/v1/warehouses')).body.data
  const { products } = (await shop.api('GET', '/api/external/v1/products?select=skus&limit=1')).body.data
  const items = [{ skuId: products[0].skus[0]._id, quantity: 1 }]
  const [from, to] = warehouses.map(({ _id }: { _id: string }) => _id)
  for (const more of [{ type: 'count' }, { type: 'transfer', toWarehouseId: to }]) {
    const body = { ...more, warehouseId: from, items }
    if ((await shop.api('POST', '/api/external/v1/inventory/entries', body)).status !== 201)
      throw new Error('no entry')
  }
}
