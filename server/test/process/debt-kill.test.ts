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

const ROUNDS = 3
const AT_ONCE = 8
const PART = 10_000

describe.runIf(onPostgres)('G-124 SIGKILL while opening debts are recorded and paid', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('each payment is whole or not at all, and once after it is sent again; so is each imported customer', async () => {
    const platform = await keepPlatform(join(folder.path, 'data'))
    const start = () =>
      platform.start({ TIMINGS: JSON.stringify({ ...QUICK_TIMINGS, idempotencyLeaseMs: 1_000 }) })
    let service = await start()
    const shop = await makeSendingShop(service.url, 10_000_000, SIMULATOR_CREDENTIALS)
    const path = '/api/external/v1/customers'
    const openingDebt = ROUNDS * AT_ONCE * PART
    const debtor = (await shop.call('POST', path, { fullName: 'Trần Bưởi', openingDebt })).body.data
    for (let round = 0; round < ROUNDS; round++) {
      const customers = Array.from({ length: 100 }, (_, n) => ({
        fullName: `Khách ${round} ${n}`,
        openingDebt: 1_000,
      }))
      const send = (n: number) =>
        n === 0
          ? shop.call('POST', `${path}/import`, { customers })
          : shop.call(
              'POST',
              `${path}/${debtor._id}/payments`,
              { amount: PART, paymentMethod: 'cash' },
              { 'idempotency-key': `debt ${round} ${n}` },
            )
      const numbers = Array.from({ length: AT_ONCE }, (_, n) => n)
      const sent = numbers.map((n) =>
        send(n).then(
          ({ status }) => status < 300,
          () => false,
        ),
      )
      await Promise.race(sent)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      await Promise.all(sent)

      const between = await platform.open()
      const { rows } = await sql<{ customers: number; debts: number; entries: number }>`
        select (select count(*) from customers where shop_id = ${shop.shopId}) as customers,
          (select count(*) from opening_debts where shop_id = ${shop.shopId}) as debts,
          (select count(*) from opening_debt_entries where shop_id = ${shop.shopId}) as entries`.execute(
        between.db,
      )
      const { customers: stored, debts, entries } = rows[0]!
      expect([debts, entries, (stored - 1) % 100]).toEqual([stored, stored, 0])
      await checkInvariants(between.db)
      await between.close()

      service = await start()
      for (const n of numbers) await eventually(async () => (await send(n)).status < 300, 30_000)
    }
    const { opening } = (await shop.call('GET', `${path}/${debtor._id}/debt`)).body.data
    expect(opening.paidAmount).toBe(ROUNDS * (AT_ONCE - 1) * PART)
    const { meta } = (await shop.call('GET', path)).body.data
    expect(meta.total).toBe(1 + ROUNDS * 100)
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await platform.remove()
  }, 180_000)
})
