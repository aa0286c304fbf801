import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { checkInvariants } from '../support/invariants.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import { temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { makeSendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const ENTRIES = '/api/external/v1/inventory/entries'
const ROUNDS = 3
const SKUS = 40
const NOTES = 8

describe.runIf(onPostgres)('G-38 SIGKILL while goods received are booked', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('each note is whole or not at all, and once after it is sent again: stock and average cost add up', async () => {
    const platform = await keepPlatform(join(folder.path, 'data'))
    const quick = { ...QUICK_TIMINGS, idempotencyLeaseMs: 1_000 }
    const start = () => platform.start({ TIMINGS: JSON.stringify(quick) })
    let service = await start()
    const shop = await makeSendingShop(service.url, 10_000_000, SIMULATOR_CREDENTIALS)
    const skuIds: string[] = []
    for (let n = 0; n < SKUS; n++) {
      const made = await shop.call('POST', '/api/external/v1/products', { name: `Chén ${n}`, price: 20_000 })
      skuIds.push(made.body.data.skus[0]._id)
    }
    let paid = 0
    for (let round = 0; round < ROUNDS; round++) {
      const send = (n: number) => {
        const unitCost = 1_000 * round + n
        const items = skuIds.map((skuId) => ({ skuId, quantity: 1, unitCost }))
        const headers = { 'idempotency-key': `note ${round} ${n}` }
        return shop.call('POST', ENTRIES, { type: 'receive', supplier: 'Lò gốm', items }, headers)
      }
      const notes = Array.from({ length: NOTES }, (_, n) => n)
      const sent = notes.map((n) =>
        send(n).then(
          (answer) => answer.status === 201,
          () => false,
        ),
      )
      await Promise.race(sent)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100))
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      await Promise.all(sent)

      const between = await platform.open()
      const { rows } = await sql<{ lines: number }>`
        select count(m.id)::integer as lines
        from inventory_entries e
        left join stock_movements m on m.shop_id = e.shop_id and m.entry_id = e.id
        where e.shop_id = ${shop.shopId}
        group by e.id`.execute(between.db)
      expect(rows.filter(({ lines }) => lines !== SKUS)).toEqual([])
      await checkInvariants(between.db)
      await between.close()

      service = await start()
      for (const n of notes) {
        await eventually(async () => (await send(n)).status === 201, 30_000)
        paid += 1_000 * round + n
      }
    }
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })

    const database = await platform.open()
    const { rows } = await sql<{ value: number; pieces: number; quantity: number; n: number }>`
      select c.value, c.pieces, t.quantity, count(*)::integer as n
      from sku_costs c
      join stock t on t.shop_id = c.shop_id and t.sku_id = c.sku_id
      where c.shop_id = ${shop.shopId}
      group by c.value, c.pieces, t.quantity`.execute(database.db)
    const pieces = ROUNDS * NOTES
    expect(rows).toEqual([{ value: paid, pieces, quantity: pieces, n: SKUS }])
    await checkInvariants(database.db)
    await database.close()
    await platform.remove()
  }, 180_000)
})
