import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Db, openPostgres } from '../../src/db/client.ts'
import {
  FIRST_KEY,
  LAST_KEY,
  lockWaitingEndpoints,
  releaseExpiredLeases,
  takeDeliveries,
} from '../../src/modules/webhooks/delivery/take-sql.ts'
import { recordEvent } from '../../src/modules/webhooks/outbox/sql.ts'
import { buildDeps } from '../../src/process/build-deps.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { eventually, makeShop, type Service, separateService, unusedId } from '../support/service.ts'
import { makeReceiver, type Receiver, register, sendTest, whenAttempts } from '../support/webhooks.ts'

const EVENTS = 60
const ENDPOINTS = 5

/** A second process on the service's database. */
async function secondProcess(running: Service): Promise<void> {
  const { config, log } = running.deps
  const database = openPostgres(config.databaseUrl!, { max: 6 })
  const url = running.simulatorUrl
  const deps = await buildDeps(config, {
    database,
    log,
    clock: { now: () => new Date() },
    platformUrls: { businessUrl: url, openapiUrl: url, oauthUrl: url },
  })
  onTestFinished(async () => {
    await deps.stop()
    await database.close()
  })
}

/** A receiver that responds slowly, and the most requests that it had at the same time. */
async function makeCounting(status = 200): Promise<Receiver & { most(): number }> {
  let now = 0
  let most = 0
  const receiver = await makeReceiver((reply) => {
    now += 1
    most = Math.max(most, now)
    setTimeout(() => {
      now -= 1
      reply.writeHead(status).end()
    }, 40)
  })
  return { ...receiver, most: () => most }
}

describe.runIf(onPostgres)('two processes that deliver (only on PostgreSQL)', () => {
  it('G-62 an endpoint that one process looks at is left out by the other, then has the room that is left', async () => {
    const { database, remove } = await makeDatabase()
    onTestFinished(remove)
    const { db } = database
    const id = unusedId()
    await sql`insert into shops (id, name, created_at, updated_at) values (${id}, 'Tiệm', now(), now())`.execute(
      db,
    )
    await sql`
      insert into webhook_endpoints (shop_id, id, url, events, secret, created_at, updated_at)
      values (${id}, ${id}, 'https://hooks.example.com/', '{*}', '', now(), now())`.execute(db)
    await sql`
      with event as (
        insert into shop_events (shop_id, id, type, data, created_at)
        select ${id}, lpad(n::text, 24, '0'), 'webhook.test', '{}', now() from generate_series(1, 9) n
        returning shop_id, id
      )
      insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, created_at)
      select shop_id, ${id}, id, 'pending', now(), now() from event`.execute(db)
    const all = { after: FIRST_KEY, upTo: LAST_KEY }
    const look = (trx: Db) =>
      lockWaitingEndpoints(trx, all, { isFailing: false, room: 4, limit: 32, full: [] })
    const take = async (trx: Db, limit: number) => {
      const taken = await takeDeliveries(
        trx,
        (await look(trx)).map((one) => ({ ...one, ofShop: limit })),
        { room: 4, limit, leaseMs: 60_000 },
      )
      return taken.length
    }
    await db.transaction().execute(async (one) => {
      expect(await take(one, 3)).toBe(3)
      expect(await db.transaction().execute(look)).toEqual([])
    })
    expect(await db.transaction().execute((two) => take(two, 32))).toBe(1)
    expect(await db.transaction().execute(look)).toEqual([])
    await sql`update webhook_deliveries set lease_until = now() where state = 'leased'`.execute(db)
    expect(await releaseExpiredLeases(db)).toBe(4)
    expect(await db.transaction().execute((two) => take(two, 32))).toBe(4)
  })

  it('G-62 each event goes to each endpoint once, and no endpoint has more than its room over both', async () => {
    const running = await separateService({ outboundAllowPrivate: true })
    await secondProcess(running)
    const shop = await makeShop(running)
    const receivers = await Promise.all(Array.from({ length: ENDPOINTS }, () => makeCounting()))
    for (const { url } of receivers) await register(shop, url)
    await Promise.all(
      Array.from({ length: EVENTS }, (_, n) =>
        recordEvent(running.deps.db, shop.shopId, {
          type: 'order.paid',
          data: { orderId: unusedId(), code: `DH${n}`, price: 5, paidAmount: 5, paymentMethod: 'cash' },
          at: new Date(),
        }),
      ),
    )
    await eventually(async () => receivers.every(({ deliveries }) => deliveries.length >= EVENTS), 60_000)
    await pause(1_500)
    for (const { ids, most } of receivers) {
      expect([ids().length, new Set(ids()).size]).toEqual([EVENTS, EVENTS])
      expect(most()).toBeLessThanOrEqual(4)
    }
    const { rows } = await sql<{ state: string; attempts: number; n: number }>`
      select state, attempts, count(*) as n
      from webhook_deliveries
      where shop_id = ${shop.shopId}
      group by state, attempts`.execute(running.deps.db)
    expect(rows).toEqual([{ state: 'delivered', attempts: 1, n: EVENTS * ENDPOINTS }])
  }, 90_000)

  it('G-62 one that fails gets one request at a time, from either', async () => {
    const running = await separateService({ outboundAllowPrivate: true })
    await secondProcess(running)
    const shop = await makeShop(running)
    const receiver = await makeCounting(500)
    const endpoint = await register(shop, receiver.url)
    await sendTest(shop, endpoint._id)
    await whenAttempts(shop, endpoint._id, 1)
    const first = receiver.most()
    for (let n = 0; n < 20; n++) await sendTest(shop, endpoint._id)
    await whenAttempts(shop, endpoint._id, 21, 30_000)
    expect([first, receiver.most()]).toEqual([1, 1])
  }, 60_000)
})
