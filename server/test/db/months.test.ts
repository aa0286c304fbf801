import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { dropOldParts, makeParts } from '../../src/db/parts/keep-parts.ts'
import { boundAt, monthOf } from '../../src/db/parts/months.ts'
import { DIVIDED, type Divided, listParts } from '../../src/db/parts/parts-sql.ts'
import { keepMonths } from '../../src/process/retention/months.ts'
import { onPostgres } from '../support/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { insertMessageOf, insertOrderOf, insertStepOf, stepsOf, timelinesOf } from '../support/months.ts'
import { makeShop, type Partner, separateService } from '../support/service.ts'
import { insertShopRecords, type ShopRecords } from '../support/shop-records.ts'

const running = await separateService()
const { deps } = running
const { db } = deps
const never = { aborted: false }
const base = new Date()
/**
 * A moment in the middle of a month, `months` from now. The first part, which the migration created, ends at most two
 * months from now.
 */
const inMonth = (months: number) => new Date(monthOf(base, months).getTime() + 10 * 86_400_000)
const later = (at: Date, months: number | undefined) => ({
  ...deps,
  clock: { ...deps.clock, now: () => at },
  config: {
    ...deps.config,
    retention: { ...deps.config.retention, messageEventsMonths: months, orderEventsMonths: months },
  },
})
let shop: Partner
let ids: ShopRecords
beforeAll(async () => {
  shop = await makeShop(running)
  ids = await insertShopRecords(running, shop.shopId)
})

const sent = (months: number, steps = 1) =>
  insertMessageOf(db, shop.shopId, ids.approvedTemplate, { at: inMonth(months), steps })
const sold = (months: number) => insertOrderOf(db, shop.shopId, inMonth(months))
const partOf = async (messageId: string) => {
  const { rows } = await sql<{ part: string }>`
    select tableoid::regclass::text as part
    from message_events
    where shop_id = ${shop.shopId} and message_id = ${messageId}`.execute(db)
  return rows[0]?.part
}
const nameOf = (months: number) =>
  `message_events_${inMonth(months).toISOString().slice(0, 7).replace('-', '_')}`

describe('tables that are divided by month', () => {
  it('months are made ahead, once, however many processes begin together; the parts have no gap', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => makeParts(db, base)))
    const names = made.flat()
    expect(names.length).toBeGreaterThan(0)
    expect(new Set(names).size).toBe(names.length)
    expect(await makeParts(db, base)).toEqual([])
    for (const table of Object.keys(DIVIDED) as Divided[]) {
      const parts = await listParts(db, table)
      expect(parts[0]).toMatchObject({ name: `${table}_start`, from: null })
      expect(parts.slice(1).map(({ from }) => from)).toEqual(parts.slice(0, -1).map(({ to }) => to))
      expect(parts.at(-1)!.to).toBe(boundAt(monthOf(base, 4)))
    }
  })

  it('what no month is made for is written all the same, and is in its month once that is made', async () => {
    const early = await sent(7, 2)
    expect(await partOf(early)).toBe('message_events_other')
    await makeParts(db, inMonth(5))
    expect(await partOf(early)).toBe(nameOf(7))
    expect((await stepsOf(db, shop.shopId))[early]).toBe(2)
    const { rows } = await sql`select from message_events_other`.execute(db)
    expect(rows).toEqual([])
  })

  it('steps stay appended to only, in every part', async () => {
    await sent(-40)
    await sent(3)
    await sent(30)
    for (const change of [
      sql`update message_events set kind = 'late' where shop_id = ${shop.shopId}`,
      sql`delete from message_events where shop_id = ${shop.shopId}`,
      sql`delete from ${sql.table(nameOf(3))} where shop_id = ${shop.shopId}`,
    ])
      await expect(change.execute(db)).rejects.toThrow('append-only')
  })

  it('G-105 by default all months are kept; with a retention, those that ended before it are dropped, and so are rows that arrive for them later', async () => {
    const [old, young] = [await sent(3, 2), await sent(10, 3)]
    const [oldOrder, youngOrder] = [await sold(3), await sold(10)]
    const before = await stepsOf(db, shop.shopId)
    expect(await keepMonths(later(inMonth(12), undefined), never)).toEqual([])
    expect(await stepsOf(db, shop.shopId)).toEqual(before)
    const dropped = await keepMonths(later(inMonth(12), 2), never)
    expect(dropped).toEqual(expect.arrayContaining(['message_events_start', nameOf(3), nameOf(9)]))
    expect(dropped).not.toContain(nameOf(10))
    const after = await stepsOf(db, shop.shopId)
    expect(after[old]).toBeUndefined()
    expect(after[young]).toBe(3)
    const orders = await timelinesOf(db, shop.shopId)
    expect(orders[oldOrder]).toBeUndefined()
    expect(orders[youngOrder]).toBe(1)
    const message = await shop.get(`/api/external/notify-message/messages/${old}`)
    expect(message).toMatchObject({ status: 200, body: { data: { _id: old, events: [] } } })
    const timeline = await shop.get(`/api/external/v1/orders/${oldOrder}/timeline`)
    expect(timeline).toMatchObject({ status: 200, body: { data: [] } })
    // A receipt that arrives after its message's month was dropped.
    await insertStepOf(db, shop.shopId, old, base)
    expect((await stepsOf(db, shop.shopId))[old]).toBe(1)
    expect(await keepMonths(later(inMonth(12), 2), never)).toEqual([])
    expect(await stepsOf(db, shop.shopId)).toEqual(after)
    await checkInvariants(db, shop.shopId)
  })

  it.runIf(onPostgres)('a reader is waited for, and keeps no other one waiting for long', async () => {
    const gone = await sent(11)
    await makeParts(db, inMonth(12))
    let end = () => {}
    const reading = db.transaction().execute(async (trx) => {
      await sql`select from message_events limit 1`.execute(trx)
      await new Promise<void>((resolve) => {
        end = resolve
      })
    })
    const dropping = dropOldParts(deps.database.slow, 'message_events', { now: inMonth(13), months: 1 })
    const waits: number[] = []
    for (let n = 0; n < 20; n++) {
      const from = performance.now()
      await stepsOf(db, shop.shopId)
      waits.push(performance.now() - from)
      await new Promise((resolve) => setTimeout(resolve, 70))
    }
    expect((await stepsOf(db, shop.shopId))[gone]).toBe(1)
    end()
    await reading
    expect((await dropping).dropped).toContain(nameOf(11))
    expect(Math.max(...waits)).toBeLessThan(1_500)
  })

  it.runIf(onPostgres)(
    'a process that dies while it drops a month leaves it whole, and the next one drops it',
    async () => {
      const kept = await sent(12, 2)
      await makeParts(db, inMonth(13))
      const dying = openPostgres(deps.config.databaseUrl!, { max: 1 })
      let end = () => {}
      const reading = db.transaction().execute(async (trx) => {
        await sql`select from message_events limit 1`.execute(trx)
        await new Promise<void>((resolve) => {
          end = resolve
        })
      })
      const retention = { now: inMonth(14), months: 1 }
      const dropping = dropOldParts(dying.db, 'message_events', retention).catch((error: unknown) => error)
      await lockWaits(db, 1)
      await sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      end()
      await reading
      expect(await dropping).toBeInstanceOf(Error)
      await dying.close()
      expect((await stepsOf(db, shop.shopId))[kept]).toBe(2)
      const { dropped } = await dropOldParts(deps.database.slow, 'message_events', retention)
      expect(dropped).toContain(nameOf(12))
    },
  )

  it('for random histories and drops, of what is kept every timeline is as it was', async () => {
    let month = 20
    const message = fc.record({
      ahead: fc.integer({ min: 0, max: 5 }),
      steps: fc.integer({ min: 1, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3 }),
        async (messages, kept, step) => {
          await makeParts(db, inMonth(month))
          for (const { ahead, steps } of messages) {
            await sent(month + ahead, steps)
            await sold(month + ahead)
          }
          month += step
          const from = boundAt(monthOf(inMonth(month), -kept))
          const keptOf = (all: Record<string, number>) =>
            Object.fromEntries(Object.entries(all).filter(([id]) => id >= from))
          const before = [await stepsOf(db, shop.shopId), await timelinesOf(db, shop.shopId)]
          await keepMonths(later(inMonth(month), kept), never)
          const after = [await stepsOf(db, shop.shopId), await timelinesOf(db, shop.shopId)]
          expect(after).toEqual(before.map(keptOf))
          await checkInvariants(db, shop.shopId)
        },
      ),
      { numRuns: 15 },
    )
  }, 60_000)
})
