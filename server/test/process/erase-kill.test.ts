import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
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

const folder = temporaryFolder()
afterAll(folder.remove)
const PRODUCTS = 60

describe('G-69 a process that is killed while it erases a shop', () => {
  it('leaves the rest to the next one: the shop goes once, its closing has its sums, its neighbour nothing missing', async () => {
    const made = onPostgres ? await makeDatabase() : undefined
    const env = {
      DATA_DIR: folder.path,
      SHOP_DELETION_DAYS: '0',
      // A round soon after the start, so that kills fall before, in and after it.
      TIMINGS: JSON.stringify({ ...QUICK_TIMINGS, retentionEveryMs: 30 }),
      ...(made?.url === undefined ? {} : { DATABASE_URL: made.url }),
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
    // Each life is twice as long as the one before: also a slow machine gets to the end.
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
    await made?.remove()
  }, 120_000)
})
