import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { recordEvent } from '../../src/modules/webhooks/outbox/sql.ts'
import { feedCaughtUp } from '../support/changes.ts'
import { onPostgres } from '../support/database.ts'
import { eventually, makeShop, separateService, unusedId } from '../support/service.ts'
import { listen, makeReceiver, register, WEBHOOKS } from '../support/webhooks.ts'

const WRITERS = 6
const EVENTS = 400
const below = (n: number) => Math.floor(Math.random() * n)

describe.skipIf(!onPostgres)('G-68 events that commit in another order than they were written', () => {
  it('a reader gets each event once, and an endpoint that is registered meanwhile has each once after a replay', async () => {
    const running = await separateService({ outboundAllowPrivate: true })
    const { db, config } = running.deps
    const others = openPostgres(config.databaseUrl!, { max: WRITERS })
    onTestFinished(() => others.close())
    const shop = await makeShop(running)
    await listen(running, shop.shopId, ['*'])
    let [written, isDone] = [0, false]

    const write = async () => {
      while (written < EVENTS) {
        await others.db
          .transaction()
          .execute(async (trx) => {
            for (let n = 1 + below(4); n > 0; n--) {
              const data = { orderId: unusedId(), code: 'DH', price: 1, paidAmount: 1, paymentMethod: 'cash' }
              await recordEvent(trx, shop.shopId, { type: 'order.paid', data, at: new Date() })
              written += 1
              if (below(2) === 0) await pause(below(10))
            }
            if (below(10) === 0) throw new Error('undone')
          })
          .catch((error: Error) => {
            if (error.message !== 'undone') throw error
          })
      }
    }

    const seen: string[] = []
    const readAll = async () => {
      for (let after = ''; ; ) {
        const wasDone = isDone
        const answer = await shop.get(`/api/external/events?limit=${1 + below(90)}${after}`)
        expect(answer.status).toBe(200)
        const { events, meta } = answer.body.data
        seen.push(...events.map(({ id }: { id: string }) => id))
        if (events.length > 0) after = `&after=${meta.nextCursor}`
        if (wasDone && !meta.hasMore) return
      }
    }
    const reading = readAll()

    const receiver = await makeReceiver()
    let endpointId = ''
    const registering = (async () => {
      await eventually(async () => written > EVENTS / 3, 60_000)
      endpointId = (await register(shop, receiver.url, ['order.paid']))._id
      const since = new Date(Date.now() - 3_600_000).toISOString()
      const asked = await shop.post(`${WEBHOOKS}/${endpointId}/replay-missing`, { since })
      expect(asked.status).toBe(202)
    })()
    await Promise.all([registering, ...Array.from({ length: WRITERS }, write)])
    await feedCaughtUp(db)
    isDone = true
    await reading

    const { rows } = await sql<{ id: string }>`
      select id from shop_events where shop_id = ${shop.shopId}`.execute(db)
    const all = rows.map(({ id }) => id).toSorted()
    expect(all.length).toBeGreaterThan(EVENTS / 2)
    expect(seen.toSorted()).toEqual(all)

    const delivered = async () => {
      const { rows: found } = await sql<{ n: number }>`
        select count(*) as n from webhook_deliveries
        where shop_id = ${shop.shopId} and endpoint_id = ${endpointId} and state = 'delivered'`.execute(db)
      return Number(found[0]!.n) === all.length
    }
    await eventually(delivered, 60_000)
    expect(receiver.ids().toSorted()).toEqual(all)
  }, 150_000)
})
