import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../src/db/client.ts'
import { readFeedCursor, writeFeedCursor } from '../../src/lib/lists/feed-cursor.ts'
import { deleteEndpoint, updateEndpoint } from '../../src/modules/webhooks/endpoints/sql.ts'
import type { ShopEvent } from '../../src/modules/webhooks/outbox/event-types.ts'
import { recordEvent, recordEvents } from '../../src/modules/webhooks/outbox/sql.ts'
import { startReplay } from '../../src/modules/webhooks/replay/sql.ts'
import { deleteOldRecords } from '../../src/process/retention/retention.ts'
import { feedCaughtUp } from '../support/changes.ts'
import { onPostgres } from '../support/database.ts'
import { makeShop, manage, type Partner, partnerOf, separateService, unusedId } from '../support/service.ts'
import { listen, makeReceiver, register, sendTest, WEBHOOKS, whenAttempts } from '../support/webhooks.ts'

const running = await separateService({ outboundAllowPrivate: true })
const { db } = running.deps
const EVENTS = '/api/external/events'
const DAY_MS = 86_400_000

const orderPaid = (code: string, at = new Date()): ShopEvent => ({
  type: 'order.paid',
  data: { orderId: unusedId(), code, price: 5, paidAmount: 5, paymentMethod: 'cash' },
  at,
})

type Delivery = {
  endpointId: string
  status: string
  attempts: number
  nextAttemptAt: string | null
  lastAttempt: { status: number | null; answer: string; error: string | null } | null
}
type Event = { id: string; type: string; data: { code: string }; createdAt: string; deliveries: Delivery[] }
type Page = { events: Event[]; meta: { limit: number; nextCursor: string; hasMore: boolean } }

async function readAtOnce(shop: Partner, query: Record<string, string | number> = {}): Promise<Page> {
  const answer = await shop.get(`${EVENTS}?${new URLSearchParams(query as Record<string, string>)}`)
  expect(answer.status).toBe(200)
  return answer.body.data
}

async function read(shop: Partner, query: Record<string, string | number> = {}): Promise<Page> {
  await feedCaughtUp(db)
  return readAtOnce(shop, query)
}

const codes = ({ events }: Page) => events.map(({ data }) => data.code)

describe('G-68 GET /api/external/events', () => {
  it('200 and the events, the oldest first, with the state of each delivery and the last answer', async () => {
    const shop = await makeShop(running)
    const good = await makeReceiver((reply) => reply.end('cảm ơn'))
    const bad = await makeReceiver((reply) => reply.writeHead(500).end('hỏng'))
    const working = await register(shop, good.url, ['order.paid'])
    const failing = await register(shop, bad.url, ['order.paid'])
    await recordEvent(db, shop.shopId, orderPaid('DH1'))
    await recordEvent(db, shop.shopId, orderPaid('DH2'))
    await whenAttempts(shop, working._id, 2)
    await whenAttempts(shop, failing._id, 1)
    const page = await read(shop)
    expect(codes(page)).toEqual(['DH1', 'DH2'])
    const [first] = page.events
    expect(first).toMatchObject({ type: 'order.paid', createdAt: expect.stringMatching(/Z$/) })
    expect(good.ids()).toContain(first!.id)
    expect(first!.deliveries).toHaveLength(2)
    expect(first!.deliveries.find(({ endpointId }) => endpointId === working._id)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      lastAttempt: { status: 200, answer: 'cảm ơn', error: null, createdAt: expect.stringMatching(/Z$/) },
    })
    const ofFailing = page.events.flatMap(({ deliveries }) =>
      deliveries.filter(({ endpointId, attempts }) => endpointId === failing._id && attempts > 0),
    )
    expect(ofFailing[0]).toMatchObject({
      status: 'pending',
      nextAttemptAt: expect.stringMatching(/Z$/),
      lastAttempt: { status: 500, answer: 'hỏng' },
    })
  })

  it('200 and pages that together give each event once, and then nothing until another one comes', async () => {
    const shop = await makeShop(running)
    await listen(running, shop.shopId, ['*'])
    const all = Array.from({ length: 7 }, (_, n) => `DH${n}`)
    for (const code of all) await recordEvent(db, shop.shopId, orderPaid(code))
    const seen: string[] = []
    let page = await read(shop, { limit: 3 })
    seen.push(...codes(page))
    while (page.meta.hasMore) {
      page = await read(shop, { limit: 3, after: page.meta.nextCursor })
      expect(page.events.length).toBeLessThanOrEqual(3)
      seen.push(...codes(page))
    }
    expect(seen).toEqual(all)
    const nothing = await read(shop, { after: page.meta.nextCursor })
    expect(nothing).toMatchObject({ events: [], meta: { hasMore: false, limit: 100 } })
    await recordEvent(db, shop.shopId, orderPaid('DH9'))
    expect(codes(await read(shop, { after: nothing.meta.nextCursor }))).toEqual(['DH9'])
  })

  it('200 and only the types asked for, past any number of others', async () => {
    const shop = await makeShop(running)
    const endpoint = await listen(running, shop.shopId, ['*'])
    await sql`
      insert into shop_events (shop_id, id, type, data, created_at)
      select ${shop.shopId}, new_object_id(now()), 'webhook.test', jsonb_build_object('endpointId', ${endpoint}::text), now()
      from generate_series(1, 20001)`.execute(db)
    await recordEvent(db, shop.shopId, orderPaid('DH1'))
    const first = await read(shop, { types: 'order.paid, wallet.low' })
    expect(first).toMatchObject({ events: [], meta: { hasMore: true } })
    const second = await read(shop, { types: 'order.paid', after: first.meta.nextCursor })
    expect(codes(second)).toEqual(['DH1'])
    expect(second.meta.hasMore).toBe(false)
  })

  it('200 and nothing of another shop; a cursor for a shop without events is one, too', async () => {
    const [mine, other] = [await makeShop(running), await makeShop(running)]
    await listen(running, mine.shopId)
    await listen(running, other.shopId)
    const empty = await read(mine)
    expect(empty.events).toEqual([])
    await recordEvent(db, other.shopId, orderPaid('DH1'))
    expect((await read(mine)).events).toEqual([])
    await recordEvent(db, mine.shopId, orderPaid('DH2'))
    expect(codes(await read(mine, { after: empty.meta.nextCursor }))).toEqual(['DH2'])
  })

  it('200 and events of before 30 days are left out, and the cursor of the oldest is good', async () => {
    const shop = await makeShop(running)
    await listen(running, shop.shopId)
    for (const days of [30.5, 29.9, 1])
      await recordEvent(db, shop.shopId, orderPaid(`${days}`, new Date(Date.now() - days * DAY_MS)))
    const page = await read(shop, { limit: 1 })
    expect(codes(page)).toEqual(['29.9'])
    expect(codes(await read(shop, { after: page.meta.nextCursor }))).toEqual(['1'])
  })

  it.skipIf(!onPostgres)(
    '200 and an event that was written earlier and commits later is not skipped',
    async () => {
      const shop = await makeShop(running)
      await listen(running, shop.shopId)
      let after = (await read(shop)).meta.nextCursor
      await db.transaction().execute(async (trx) => {
        await recordEvent(trx, shop.shopId, orderPaid('early'))
        await recordEvent(db, shop.shopId, orderPaid('late'))
        const page = await readAtOnce(shop, { after })
        expect(page).toMatchObject({ events: [], meta: { hasMore: false } })
        after = page.meta.nextCursor
      })
      expect(codes(await read(shop, { after }))).toEqual(['early', 'late'])
    },
  )

  it('403 for a key without read or all scopes', async () => {
    const shop = await makeShop(running)
    const keyWith = async (scopes: string[]) => {
      const made = await manage(running, 'POST', `/shops/${shop.shopId}/keys`, { name: 'k', scopes })
      return partnerOf(running, shop.shopId, made.body.data.apiKey)
    }
    expect((await (await keyWith(['read'])).get(EVENTS)).status).toBe(200)
    expect((await (await keyWith(['orders', 'messages'])).get(EVENTS)).status).toBe(403)
  })

  describe('400', () => {
    it.each([
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['types=order.paid,order.sold', 'types'],
      ['after=garbage', 'after'],
    ])('%s names %s', async (query, field) => {
      const shop = await makeShop(running)
      const answer = await shop.get(`${EVENTS}?${query}`)
      expect([answer.status, answer.body.validation?.query.keys]).toEqual([400, [field]])
    })

    it('a cursor of another shop, of the feed of changes, or with a changed part', async () => {
      const [mine, other] = [await makeShop(running), await makeShop(running)]
      const own = (await read(mine)).meta.nextCursor
      const parts = JSON.parse(Buffer.from(own, 'base64url').toString())
      const wrong = [
        (await read(other)).meta.nextCursor,
        (await mine.get('/api/external/changes')).body.data.meta.nextCursor,
        Buffer.from(JSON.stringify([...parts.slice(0, 3), '-1', ...parts.slice(4)])).toString('base64url'),
        Buffer.from(JSON.stringify(parts.slice(0, 7))).toString('base64url'),
      ]
      for (const after of wrong) {
        const answer = await mine.get(`${EVENTS}?after=${after}`)
        expect([answer.status, answer.body.validation?.query.keys], after).toEqual([400, ['after']])
      }
    })
  })

  describe('410 CURSOR_TOO_OLD', () => {
    it('for a cursor of more than 30 days ago, whose events may be deleted, or of another database', async () => {
      const shop = await makeShop(running)
      await listen(running, shop.shopId)
      await recordEvent(db, shop.shopId, orderPaid('DH1'))
      const text = (await read(shop)).meta.nextCursor
      const cursor = readFeedCursor('events', shop.shopId, text, ['event'])!
      const gone = [
        { ...cursor, seenMs: Date.now() - 30 * DAY_MS - 1_000 },
        { ...cursor, databaseId: '7' },
        { ...cursor, position: { ...cursor.position, createdUs: cursor.position.createdUs + 1 } },
      ].map((each) => writeFeedCursor('events', shop.shopId, each))
      for (const after of gone) {
        const answer = await shop.get(`${EVENTS}?after=${after}`)
        expect(answer).toMatchObject({ status: 410, body: { code: 'CURSOR_TOO_OLD', error: 'Gone' } })
      }
      const still = { ...cursor, seenMs: Date.now() - 30 * DAY_MS + 60_000 }
      const answer = await shop.get(`${EVENTS}?after=${writeFeedCursor('events', shop.shopId, still)}`)
      expect(answer.status).toBe(200)
      await deleteOldRecords(running.deps, 'events for shops')
      expect(codes(await read(shop))).toEqual(['DH1'])
    })
  })
})

describe('G-68 POST webhooks/:id/replay-missing', () => {
  const replay = (shop: Partner, id: string, since: Date | string) =>
    shop.post(`${WEBHOOKS}/${id}/replay-missing`, {
      since: typeof since === 'string' ? since : since.toISOString(),
    })

  it('202 and the events of its types since then are delivered once each, signed, and new ones too', async () => {
    const shop = await makeShop(running)
    await listen(running, shop.shopId, ['*'])
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    await recordEvent(db, shop.shopId, orderPaid('too old', at(100)))
    await recordEvents(
      db,
      shop.shopId,
      Array.from({ length: 55 }, (_, n) => orderPaid(`DH${n}`, at(60 - n / 2))),
    )
    await recordEvent(db, shop.shopId, {
      type: 'wallet.low',
      data: { balance: 1, held: 0, lowBelow: 2 },
      at: at(1),
    })
    const receiver = await makeReceiver()
    const made = await register(shop, receiver.url, ['order.paid'])
    const testId = await sendTest(shop, made._id)
    const asked = await replay(shop, made._id, at(90))
    expect(asked).toMatchObject({ status: 202, body: { data: { id: made._id } } })
    await recordEvent(db, shop.shopId, orderPaid('new'))
    await whenAttempts(shop, made._id, 57)
    const ended = async () => (await shop.get(`${WEBHOOKS}/${made._id}`)).body.data.replayingSince
    await expect.poll(ended, { timeout: 10_000 }).toBe(null)
    const ids = receiver.ids()
    expect(new Set(ids).size).toBe(57)
    expect(ids).toHaveLength(57)
    expect(ids).toContain(testId)
    const got = receiver.deliveries.map(({ body }) => JSON.parse(body).data.code)
    expect(got).toContain('new')
    expect(got).not.toContain('too old')
    expect(receiver.deliveries.every(({ headers }) => headers['webhook-signature'])).toBe(true)
    // When it is requested again, no event is left that the endpoint was not given.
    await replay(shop, made._id, at(90))
    await expect.poll(ended, { timeout: 10_000 }).toBe(null)
    await sendTest(shop, made._id)
    await whenAttempts(shop, made._id, 58)
    expect(receiver.ids()).toHaveLength(58)
  })

  it('a replay asked for again from no earlier time keeps its place; from an earlier one, or with more types, it starts again', async () => {
    const shop = await makeShop(running)
    // Nothing is replayed to it meanwhile.
    const { _id: id } = await register(shop, 'https://hooks.example.com/shop', ['order.paid'])
    await sql`update webhook_endpoints set disabled_at = now(), disabled_reason = 'requested' where shop_id = ${shop.shopId}`.execute(
      db,
    )
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const place = async () => {
      const { rows } = await sql<{ xid: string; id: string }>`
        select replay_xid::text as xid, replay_id as id from webhook_endpoints where shop_id = ${shop.shopId}`.execute(
        db,
      )
      return rows[0]
    }
    const reach = () =>
      sql`update webhook_endpoints set replay_xid = '77', replay_id = ${id} where shop_id = ${shop.shopId}`.execute(
        db,
      )
    const start = { xid: '0', id: '' }
    await startReplay(db, shop.shopId, id, at(60))
    expect(await place()).toEqual(start)
    await reach()
    expect(await startReplay(db, shop.shopId, id, at(30))).toEqual(
      await startReplay(db, shop.shopId, id, at(50)),
    )
    expect(await place()).toEqual({ xid: '77', id })
    const change = { url: undefined, isEnabled: undefined, by: null, now: new Date() }
    await updateEndpoint(db, shop.shopId, id, { ...change, events: ['order.paid'] })
    expect(await place()).toEqual({ xid: '77', id })
    await startReplay(db, shop.shopId, id, at(90))
    expect(await place()).toEqual(start)
    await reach()
    await updateEndpoint(db, shop.shopId, id, { ...change, events: ['order.paid', 'wallet.low'] })
    expect(await place()).toEqual(start)
  })

  it('a replay waits while its endpoint is disabled, and ends when it is deleted', async () => {
    const shop = await makeShop(running)
    await listen(running, shop.shopId, ['*'])
    for (let n = 0; n < 30; n++) await recordEvent(db, shop.shopId, orderPaid(`DH${n}`))
    const receiver = await makeReceiver()
    const since = new Date(Date.now() - DAY_MS)
    const begin = async (end?: (trx: Db, id: string) => Promise<unknown>) => {
      const { _id: id } = await register(shop, receiver.url, ['order.paid'])
      // In one transaction, so that the deliverer finds the replay as `end` leaves it.
      await db.transaction().execute(async (trx) => {
        await startReplay(trx, shop.shopId, id, since)
        await end?.(trx, id)
      })
      return id
    }
    const disabled = await begin((trx, id) =>
      updateEndpoint(trx, shop.shopId, id, {
        url: undefined,
        events: undefined,
        isEnabled: false,
        by: null,
        now: new Date(),
      }),
    )
    const deleted = await begin((trx, id) => deleteEndpoint(trx, shop.shopId, id, new Date()))
    // Its turn comes after theirs.
    const last = await begin()
    await whenAttempts(shop, last, 30)
    const { rows } = await sql<{ endpoint_id: string }>`
      select distinct endpoint_id
      from webhook_deliveries
      where shop_id = ${shop.shopId} and endpoint_id in (${disabled}, ${deleted})`.execute(db)
    expect(rows).toEqual([])
    const waiting = (await shop.get(`${WEBHOOKS}/${disabled}`)).body.data
    expect(waiting).toMatchObject({ enabled: false, replayingSince: since.toISOString() })
    expect((await replay(shop, disabled, since)).body.code).toBe('WEBHOOK_DISABLED')
    expect((await replay(shop, deleted, since)).status).toBe(404)
    await shop.patch(`${WEBHOOKS}/${disabled}`, { enabled: true })
    await whenAttempts(shop, disabled, 30)
    const counts = Map.groupBy(receiver.ids(), (id) => id)
    expect([...counts.values()].map((each) => each.length)).toEqual(Array(30).fill(2))
  })

  it('400 names since for no instant, one to come, and one of more than 30 days ago; 202 for a clock that is a little ahead; 404 for another shop’s', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    const { _id } = await register(shop, 'https://hooks.example.com/shop')
    const wrong = ['yesterday', new Date(Date.now() + 60_000), new Date(Date.now() - 30.01 * DAY_MS)]
    for (const since of wrong) {
      const answer = await replay(shop, _id, since)
      expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, ['since']])
    }
    const aheadOfUs = await replay(shop, _id, new Date(Date.now() + 5_000))
    expect(aheadOfUs.status).toBe(202)
    expect(Date.parse(aheadOfUs.body.data.replayingSince)).toBeLessThan(Date.now() + 1_000)
    expect((await replay(other, _id, new Date(Date.now() - 1_000))).status).toBe(404)
    expect((await replay(shop, unusedId(), new Date(Date.now() - 1_000))).status).toBe(404)
  })
})
