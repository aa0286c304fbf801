import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { acceptMessage, transmitMessage } from '../../src/modules/messages/send/send-message.ts'
import { insertPlatformEvents, lockDueEvents } from '../../src/modules/platform-inbox/sql.ts'
import { createInboxWorker } from '../../src/modules/platform-inbox/work-inbox.ts'
import { checkInvariants } from '../support/invariants.ts'
import { eventually, makeShop, separateService } from '../support/service.ts'
import { control, insertEnabledTemplate, topUp } from '../support/templates.ts'
import { eventsOf, listen } from '../support/webhooks.ts'

const running = await separateService()
const { deps } = running
await control(running, '/settings', { suppressEvents: true })

type Sent = { id: string; oaId: string }

/** A shop with `count` accepted messages without a receipt, and one that is being sent. */
async function makeSender(count: number) {
  const shop = await makeShop(running)
  const params = [{ key: 'name', label: 'Tên', techSetting: '1', maxLength: 30, sampleValue: 'An' }]
  const template = await insertEnabledTemplate(running, shop.shopId, { params })
  await topUp(running, shop.shopId, 10_000)
  const accept = (n: number) =>
    acceptMessage(deps, shop.shopId, {
      templateId: template.id,
      channel: 'phone',
      phone: `8490${String(1_002_100 + n)}`,
      userUid: '',
      isSample: false,
      params: { name: 'An' },
      paramsPath: ['params'],
    })
  const received: Sent[] = []
  for (let n = 0; n < count; n++) {
    const message = await accept(n)
    await transmitMessage(deps, shop.shopId, message)
    received.push({ id: message.id, oaId: template.oaId })
  }
  return { shop, received, underWay: { id: (await accept(count)).id, oaId: template.oaId } }
}

/** Stores receipts as another process does, without waking this one. */
function store(messages: Sent[], deliveryTime = '1893456000000'): Promise<void> {
  return insertPlatformEvents(
    deps.db,
    messages.map(({ id, oaId }) => ({
      id: deps.ids.next(),
      oaId,
      name: 'user_received_message',
      body: JSON.stringify({
        event_name: 'user_received_message',
        message: { msg_id: `of-${id}`, tracking_id: id, delivery_time: deliveryTime },
      }),
      now: deps.clock.now(),
    })),
  )
}

function whenDone(oaId: string, outcome: string, count: number) {
  return eventually(async () => {
    const { rows } = await sql`
      select id from platform_events
      where oa_id = ${oaId} and processed_at is not null and outcome = ${outcome}`.execute(deps.db)
    return rows.length === count
  }, 30_000)
}

async function receiptsOf(shopId: string) {
  const { rows } = await sql<{ delivered_at: Date | null; state: string; receipts: number }>`
    select state, delivered_at,
      (select count(*)::int from message_events e
        where e.shop_id = m.shop_id and e.message_id = m.id and e.kind = 'receipt') as receipts
    from messages m
    where shop_id = ${shopId}
    order by id`.execute(deps.db)
  return rows
}

const ONCE = { state: 'RECEIVED', delivered_at: new Date(1_893_456_000_000), receipts: 1 }

describe('G-25 receipts worked on in groups', () => {
  it('several workers, several shops, each receipt three times: recorded and emitted once, the one under way settled', async () => {
    const senders = [await makeSender(12), await makeSender(12)]
    for (const { shop } of senders) await listen(running, shop.shopId, ['message.delivered'])
    const all = senders.flatMap(({ received, underWay }) => [...received, underWay])
    const workers = Array.from({ length: 3 }, () => createInboxWorker(deps))
    await Promise.all([
      store([...all, ...all, ...all]),
      ...workers.flatMap((worker) => [worker.round(), worker.round()]),
    ])
    await Promise.all(workers.map((worker) => worker.round()))
    for (const { shop, received, underWay } of senders) {
      await whenDone(underWay.oaId, 'applied', 3 * (received.length + 1))
      expect(await receiptsOf(shop.shopId)).toEqual([...received, underWay].map(() => ONCE))
      const told = (await eventsOf(running, shop.shopId)).map(({ data }) => data)
      expect(told.map(({ messageId }) => messageId).toSorted()).toEqual(
        [...received, underWay].map(({ id }) => id).toSorted(),
      )
      expect(new Set(told.map(({ deliveredAt }) => deliveredAt))).toEqual(
        new Set(['2030-01-01T00:00:00.000Z']),
      )
      await checkInvariants(deps.db, shop.shopId)
    }
  }, 60_000)

  it('a receipt that the statement of its group refuses leaves the others applied', async () => {
    const { shop, received } = await makeSender(4)
    const [odd, ...others] = received
    await sql`alter table messages add constraint no_odd_time check (delivered_at < '2200-01-01')`.execute(
      deps.db,
    )
    try {
      await store([odd!], '8640000000000000')
      await store(others)
      await eventually(async () => {
        const receipts = (await receiptsOf(shop.shopId)).slice(1, 4)
        return receipts.every(({ delivered_at }) => delivered_at !== null)
      }, 30_000)
      expect((await receiptsOf(shop.shopId))[0]).toMatchObject({ delivered_at: null, receipts: 0 })
    } finally {
      await sql`alter table messages drop constraint no_odd_time`.execute(deps.db)
    }
    expect((await receiptsOf(shop.shopId)).slice(1, 4)).toEqual(others.map(() => ONCE))
    await checkInvariants(deps.db, shop.shopId)
  }, 60_000)

  it('events of a worker that dies in its round are due as before', async () => {
    const { shop, received } = await makeSender(2)
    await store(received)
    const dying = deps.db.transaction().execute(async (trx) => {
      await lockDueEvents(trx, { now: deps.clock.now(), limit: 200 })
      throw new Error('killed')
    })
    await expect(dying).rejects.toThrow('killed')
    await whenDone(received[0]!.oaId, 'applied', 2)
    expect((await receiptsOf(shop.shopId)).slice(0, 2)).toEqual([ONCE, ONCE])
  }, 60_000)
})
