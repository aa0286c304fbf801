import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../src/db/client.ts'
import type { ShopEvent } from '../../src/modules/webhooks/outbox/event-types.ts'
import { createHandOut } from '../../src/modules/webhooks/outbox/hand-out-events.ts'
import { handOutEventsOf } from '../../src/modules/webhooks/outbox/hand-out-sql.ts'
import { recordEvents } from '../../src/modules/webhooks/outbox/sql.ts'
import { makeShop, type Partner, type Service, service, unusedId } from '../support/service.ts'
import { forget, listen, WEBHOOKS } from '../support/webhooks.ts'

const running = await service()

const orderPaid = (code: string): ShopEvent => ({
  type: 'order.paid',
  data: { orderId: unusedId(), code, price: 5, paidAmount: 5, paymentMethod: 'cash' },
  at: new Date(),
})
const numbered = (count: number) => Array.from({ length: count }, (_, n) => orderPaid(String(n)))

class Undone extends Error {}

/** Runs `work` in a transaction that is rolled back, so the service's own deliverer sees none of it. */
async function unseen(work: (within: Service, trx: Db) => Promise<void>): Promise<void> {
  const undone = running.deps.db.transaction().execute(async (trx) => {
    await work({ ...running, deps: { ...running.deps, db: trx } }, trx)
    throw new Undone()
  })
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
}

/** The codes of the events in an endpoint's deliveries, in the order of sending. */
async function codesOf(
  trx: Db,
  { shopId }: Partner,
  endpointId: string,
  state = 'pending',
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select ev.data->>'code' as code
    from webhook_deliveries d
    join shop_events ev on ev.shop_id = d.shop_id and ev.id = d.event_id
    where d.shop_id = ${shopId} and d.endpoint_id = ${endpointId} and d.state = ${state}
    order by d.due_at`.execute(trx)
  return rows.map(({ code }) => code)
}

const countLeft = async (trx: Db, { shopId }: Partner) =>
  (await sql`select from webhook_outbox where shop_id = ${shopId}`.execute(trx)).rows.length

describe('G-62 handing events out', () => {
  it('an event goes, once, to the endpoints that were registered before it, ask for its type and are still there', async () => {
    const shop = await makeShop(running)
    await unseen(async (within, trx) => {
      const [early, deleted, other] = [
        await listen(within, shop.shopId),
        await listen(within, shop.shopId),
        await listen(within, shop.shopId, ['order.created']),
      ]
      await recordEvents(trx, shop.shopId, [orderPaid('before')])
      // The embedded database's clock has a resolution of milliseconds.
      await pause(2)
      const late = await listen(within, shop.shopId)
      await recordEvents(trx, shop.shopId, [orderPaid('after')])
      await forget(within, shop.shopId, deleted)
      expect(await handOutEventsOf(trx, shop.shopId, 10)).toBe(2)
      expect(await handOutEventsOf(trx, shop.shopId, 10)).toBe(0)
      expect(await codesOf(trx, shop, early)).toEqual(['before', 'after'])
      expect(await codesOf(trx, shop, late)).toEqual(['after'])
      expect(await codesOf(trx, shop, deleted)).toEqual([])
      expect(await codesOf(trx, shop, other)).toEqual([])
    })
  })

  it('they go out in the order in which they were written', async () => {
    const shop = await makeShop(running)
    await unseen(async (within, trx) => {
      const endpoint = await listen(within, shop.shopId)
      const events = numbered(20)
      for (const event of events) {
        await recordEvents(trx, shop.shopId, [event])
        await pause(2)
      }
      for (let n = 0; n < 3; n++) await handOutEventsOf(trx, shop.shopId, 7)
      expect(await codesOf(trx, shop, endpoint)).toEqual(events.map((_, n) => String(n)))
    })
  })

  it('one for an endpoint that is switched off is kept as failed, to be recovered', async () => {
    const shop = await makeShop(running)
    await unseen(async (within, trx) => {
      const endpoint = await listen(within, shop.shopId)
      await sql`
        update webhook_endpoints
        set disabled_at = now(), disabled_reason = 'failing'
        where shop_id = ${shop.shopId} and id = ${endpoint}`.execute(trx)
      await recordEvents(trx, shop.shopId, [orderPaid('DH1')])
      await createHandOut({ db: trx, log: running.deps.log })()
      expect(await codesOf(trx, shop, endpoint, 'failed')).toEqual(['DH1'])
    })
  })

  it('shops take turns: a backlog of one delays no other', async () => {
    const shops = [await makeShop(running), await makeShop(running), await makeShop(running)]
    await unseen(async (within, trx) => {
      const endpoints = await Promise.all(shops.map(({ shopId }) => listen(within, shopId)))
      for (const [n, { shopId }] of shops.entries())
        await recordEvents(trx, shopId, numbered(n === 0 ? 500 : 3))
      await createHandOut({ db: trx, log: running.deps.log })()
      for (const [n, shop] of shops.entries()) {
        expect(await codesOf(trx, shop, endpoints[n]!)).toHaveLength(n === 0 ? 20 : 3)
      }
    })
  })

  it('a backlog is handed out only as fast as one of its endpoints gets it, and at once where none is left', async () => {
    const shop = await makeShop(running)
    await unseen(async (within, trx) => {
      const handOut = createHandOut({ db: trx, log: running.deps.log })
      const [fast, slow] = [await listen(within, shop.shopId), await listen(within, shop.shopId)]
      await recordEvents(trx, shop.shopId, numbered(100))
      const handOutAll = async () => {
        while ((await handOut()) > 0);
      }
      await handOutAll()
      expect([await codesOf(trx, shop, fast), await countLeft(trx, shop)]).toMatchObject([{ length: 20 }, 80])
      const isDone = sql`
        update webhook_deliveries set state = 'delivered' where shop_id = ${shop.shopId} and endpoint_id = ${fast}`
      await isDone.execute(trx)
      await handOutAll()
      expect(await countLeft(trx, shop)).toBe(60)
      // A delivery that waits for a retry blocks nothing: the endpoint may work again by now.
      await sql`
        update webhook_deliveries set due_at = now() + interval '1 hour' where shop_id = ${shop.shopId}
          and endpoint_id = ${slow}`.execute(trx)
      await handOutAll()
      expect(await countLeft(trx, shop)).toBe(40)
      // An endpoint without deliveries may have its own events after the backlog of the others.
      const rare = await listen(within, shop.shopId, ['order.created'])
      await handOut()
      expect(await countLeft(trx, shop)).toBe(20)
      await recordEvents(trx, shop.shopId, numbered(100))
      for (const id of [rare, fast]) await forget(within, shop.shopId, id)
      await forget(within, shop.shopId, slow)
      await handOut()
      expect(await countLeft(trx, shop)).toBe(0)
    })
  })

  it('what was written before a change of an endpoint’s types or its switch goes to it as it was', async () => {
    const shop = await makeShop(running)
    const made = await listen(running, shop.shopId, ['order.paid'])
    const quiet = await listen(running, shop.shopId, ['order.created'])
    const { db } = running.deps
    await recordEvents(db, shop.shopId, [orderPaid('DH1')])
    const changed = await shop.patch(`${WEBHOOKS}/${quiet}`, { events: ['*'] })
    expect(changed.status).toBe(200)
    const { rows } = await sql`
      select endpoint_id from webhook_deliveries where shop_id = ${shop.shopId}`.execute(db)
    expect(rows).toEqual([{ endpoint_id: made }])
    expect(await countLeft(db, shop)).toBe(0)
  })
})
