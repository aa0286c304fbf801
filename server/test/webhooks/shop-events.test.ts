import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../../src/modules/webhooks/outbox/event-types.ts'
import { handOutEventsOf } from '../../src/modules/webhooks/outbox/hand-out-sql.ts'
import { recordEvent, recordEvents } from '../../src/modules/webhooks/outbox/sql.ts'
import { deleteOldRecords } from '../../src/process/retention/retention.ts'
import { eventually, makeShop, service, unusedId } from '../support/service.ts'
import { eventsOf, forget, keptEventsOf, listen } from '../support/webhooks.ts'

const running = await service()
const { db } = running.deps
const at = new Date('2026-03-04T05:06:07.089Z')
const orderPaid = (code: string): ShopEvent => ({
  type: 'order.paid',
  data: { orderId: unusedId(), code, price: 5, paidAmount: 5, paymentMethod: 'cash' },
  at,
})

describe('G-62 the table of events', () => {
  it('an event is there exactly when the transaction of its change is, and is handed out after it', async () => {
    const shop = await makeShop(running)
    const endpoint = await listen(running, shop.shopId, ['order.paid'])
    await db.transaction().execute((trx) => recordEvent(trx, shop.shopId, orderPaid('DH1')))
    const undone = db.transaction().execute(async (trx) => {
      await recordEvent(trx, shop.shopId, orderPaid('DH2'))
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    const events = await eventsOf(running, shop.shopId)
    expect(events).toMatchObject([{ type: 'order.paid', data: { code: 'DH1' }, created_at: at }])
    expect(events[0]!.id).toMatch(/^[0-9a-f]{24}$/)
    const deliveries = await eventually(async () => {
      const { rows } = await sql`
        select endpoint_id, event_id from webhook_deliveries where shop_id = ${shop.shopId}`.execute(db)
      return rows.length > 0 && rows
    })
    expect(deliveries).toEqual([{ endpoint_id: endpoint, event_id: events[0]!.id }])
  })

  it('G-68 it is kept, and not queued, without endpoints, with none that asks for its type, or a deleted one', async () => {
    const [none, other, deleted] = [await makeShop(running), await makeShop(running), await makeShop(running)]
    await listen(running, other.shopId, ['order.created', 'news.updated'])
    const endpoint = await listen(running, deleted.shopId, ['*'])
    await forget(running, deleted.shopId, endpoint)
    for (const { shopId } of [none, other, deleted]) {
      await recordEvents(db, shopId, [orderPaid('DH1'), orderPaid('DH2')])
      expect((await keptEventsOf(running, shopId)).map(({ data }) => data.code).sort()).toEqual([
        'DH1',
        'DH2',
      ])
      const { rows } = await sql`select from webhook_outbox where shop_id = ${shopId}`.execute(db)
      expect(rows).toEqual([])
    }
  })

  it('an event is never changed', async () => {
    const shop = await makeShop(running)
    await listen(running, shop.shopId, ['*'])
    await recordEvent(db, shop.shopId, orderPaid('DH1'))
    const change = sql`update shop_events set data = '{}' where shop_id = ${shop.shopId}`.execute(db)
    await expect(change).rejects.toThrow('append-only')
  })
})

describe('G-62 what is kept', () => {
  it('an event is deleted after 31 days, with its deliveries and attempts, and no younger one', async () => {
    const shop = await makeShop(running)
    const endpoint = await listen(running, shop.shopId, ['*'])
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    await recordEvent(db, shop.shopId, { ...orderPaid('old'), at: daysAgo(31.01) })
    await recordEvent(db, shop.shopId, { ...orderPaid('young'), at: daysAgo(30.9) })
    await handOutEventsOf(db, shop.shopId, 10)
    await sql`
      insert into webhook_attempts
        (shop_id, endpoint_id, event_id, number, status, duration_ms, created_at)
      select shop_id, endpoint_id, event_id, 1000, 200, 5, created_at
      from webhook_deliveries
      where shop_id = ${shop.shopId}`.execute(db)
    expect(await deleteOldRecords(running.deps, 'events for shops')).toBeGreaterThan(0)
    expect((await keptEventsOf(running, shop.shopId)).map(({ data }) => data.code)).toEqual(['young'])
    const { rows } = await sql`
      select event_id from webhook_attempts where shop_id = ${shop.shopId} and number = 1000`.execute(db)
    expect(rows).toHaveLength(1)
    expect((await shop.get(`/api/external/webhooks/${endpoint}`)).status).toBe(200)
  })
})
