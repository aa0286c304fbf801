import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../../src/modules/webhooks/outbox/event-types.ts'
import { loseAnswer, withKey } from '../../support/idempotency.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { makeShop, manage, partnerOf, send, service, unusedId } from '../../support/service.ts'
import { eventsOf, register, WEBHOOKS } from '../../support/webhooks.ts'

const running = await service()
const URL_OUTSIDE = 'https://hooks.example.com/shop'

describe('G-61 the audit log of endpoints', () => {
  it('each change by a key or a member is noted, without secrets; what changes nothing is not', async () => {
    const shop = await makeShop(running)
    const url = `${URL_OUTSIDE}?token=mật-khẩu`
    const made = await shop.post(WEBHOOKS, { url, events: ['order.created'] })
    const endpointId = made.body.data._id
    const path = `${WEBHOOKS}/${endpointId}`
    await shop.patch(path, { url, events: ['order.created'], enabled: true })
    await shop.patch(path, { url: `${URL_OUTSIDE}?token=mới`, enabled: false })
    const owner = await makePerson(running.deps, { shopId: shop.shopId, role: 'owner' })
    const session = { cookie: await signIn(running, owner.email), 'x-shop-id': shop.shopId }
    const rotated = await send(running, 'POST', `${path}/rotate-secret`, undefined, session)
    await send(running, 'DELETE', path, undefined, session)
    await shop.call('DELETE', path)
    await shop.post(`${WEBHOOKS}/${unusedId()}/rotate-secret`)
    const entries = (await manage(running, 'GET', `/shops/${shop.shopId}/audit`)).body.data
      .toReversed()
      .filter(({ action }: { action: string }) => action.startsWith('webhook.'))
    const target = { endpointId }
    expect(entries).toMatchObject([
      {
        action: 'webhook.create',
        actor: 'key',
        target,
        detail: { url: URL_OUTSIDE, events: 'order.created', enabled: true },
        requestId: made.headers['x-request-id'],
      },
      {
        action: 'webhook.update',
        actor: 'key',
        target,
        detail: { url: [URL_OUTSIDE, URL_OUTSIDE], enabled: [true, false] },
      },
      { action: 'webhook.rotate_secret', actor: 'member', actorId: owner.id, target },
      { action: 'webhook.delete', actor: 'member', target, detail: { url: URL_OUTSIDE } },
    ])
    expect(entries).toHaveLength(4)
    for (const secret of [made.body.data.secret, rotated.body.data.secret, 'token']) {
      expect(JSON.stringify(entries)).not.toContain(secret)
    }
  })
})

describe('G-62 POST webhooks', () => {
  it('201 with the secret, which no other answer shows', async () => {
    const shop = await makeShop(running)
    const made = await shop.post(WEBHOOKS, { url: URL_OUTSIDE, events: ['order.created', 'order.created'] })
    expect(made.status).toBe(201)
    const { secret, ...record } = made.body.data
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
    expect(record).toEqual({
      _id: record.id,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      __v: 0,
      url: URL_OUTSIDE,
      events: ['order.created'],
      enabled: true,
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      replayingSince: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect((await shop.get(WEBHOOKS)).body).toEqual({ data: [record] })
    expect((await shop.get(`${WEBHOOKS}/${record._id}`)).body).toEqual({ data: record })
    const { rows } = await sql<{ secret: Buffer }>`
      select secret from webhook_endpoints where shop_id = ${shop.shopId}`.execute(running.deps.db)
    expect(Buffer.from(rows[0]!.secret).toString('utf8')).not.toContain(secret)
    expect(running.deps.secrets.open(rows[0]!.secret)).toBe(secret)
  })

  it('G-10 the same key returns the same secret, and what is stored for it does not contain it', async () => {
    const shop = await makeShop(running)
    const body = { url: URL_OUTSIDE, events: ['*'] }
    const ask = () => shop.post(WEBHOOKS, body, { 'idempotency-key': 'w1' })
    const [first, second] = [await ask(), await ask()]
    expect(second).toMatchObject({ status: 201, body: first.body })
    expect(second.headers['idempotency-replayed']).toBe('true')
    const rotate = () =>
      shop.post(`${WEBHOOKS}/${first.body.data._id}/rotate-secret`, undefined, { 'idempotency-key': 'w2' })
    const [rotated, again] = [await rotate(), await rotate()]
    expect(rotated.status).toBe(200)
    expect(again.body).toEqual(rotated.body)
    const { rows } = await sql<{ body: string; is_sealed: boolean }>`
      select body, is_sealed from idempotency_keys where shop_id = ${shop.shopId}`.execute(running.deps.db)
    expect(rows.map((row) => row.is_sealed)).toEqual([true, true])
    expect(JSON.stringify(rows)).not.toMatch(/whsec_|webhooks|hooks\.example/)
    expect((await shop.get(WEBHOOKS)).body.data).toHaveLength(1)
  })

  it('G-10 one key rotates the secret once, also if the first response was lost', async () => {
    const shop = await makeShop(running)
    const { _id, secret } = await register(shop, URL_OUTSIDE)
    const rotate = () => shop.post(`${WEBHOOKS}/${_id}/rotate-secret`, undefined, withKey('k'))
    const first = await rotate()
    await loseAnswer(running.deps.db, shop.shopId, 'k')
    const again = await rotate()
    expect([again.status, again.body]).toEqual([200, first.body])
    const { rows } = await sql<{ old_secret: Buffer }>`
      select old_secret from webhook_endpoints where shop_id = ${shop.shopId}`.execute(running.deps.db)
    expect(running.deps.secrets.open(rows[0]!.old_secret)).toBe(secret)
    const audit = (await manage(running, 'GET', `/shops/${shop.shopId}/audit`)).body.data
    const rotations = audit.filter(({ action }: { action: string }) => action === 'webhook.rotate_secret')
    expect(rotations).toHaveLength(1)
  })

  it.each([
    'http://127.0.0.1/x',
    'http://127.1:8080/',
    'http://2130706433/',
    'https://10.0.0.5/',
    'https://192.168.1.10/hook',
    'https://172.16.0.1',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00::1]/',
    'http://localhost:3000/',
    'http://api.localhost/',
    'http://LOCALHOST./',
    'http://postgres/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'hooks.example.com',
    'https://user:secret@hooks.example.com/',
    'https://hooks.example.com/a\r\nX-Injected: 1',
    ' https://hooks.example.com/',
  ])('400 naming url for %s, at creation and at a change', async (url) => {
    const shop = await makeShop(running)
    const problem = { status: 400, body: { validation: { body: { keys: ['url'] } } } }
    expect(await shop.post(WEBHOOKS, { url, events: ['*'] })).toMatchObject(problem)
    const { _id } = await register(shop, URL_OUTSIDE)
    expect(await shop.patch(`${WEBHOOKS}/${_id}`, { url })).toMatchObject(problem)
    expect((await shop.get(WEBHOOKS)).body.data).toHaveLength(1)
  })

  it.each([
    [{ events: ['*'] }, 'url'],
    [{ url: URL_OUTSIDE }, 'events'],
    [{ url: URL_OUTSIDE, events: [] }, 'events'],
    [{ url: URL_OUTSIDE, events: ['order.eaten'] }, 'events.0'],
    [{ url: URL_OUTSIDE, events: ['webhook.test'] }, 'events.0'],
    [{ url: `https://hooks.example.com/${'x'.repeat(2000)}`, events: ['*'] }, 'url'],
    [{ url: URL_OUTSIDE, events: ['*'], secret: 'mine' }, 'secret'],
  ])('400 for %j', async (body, key) => {
    const shop = await makeShop(running)
    const answer = await shop.post(WEBHOOKS, body)
    expect(answer).toMatchObject({ status: 400, body: { validation: { body: { keys: [key] } } } })
  })

  it('409 for the 21st endpoint, also of many at once', async () => {
    const shop = await makeShop(running)
    const all = await Promise.all(
      Array.from({ length: 24 }, () => shop.post(WEBHOOKS, { url: URL_OUTSIDE, events: ['*'] })),
    )
    const refused = all.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.code)).toEqual(Array(4).fill('WEBHOOK_LIMIT'))
    expect((await shop.get(WEBHOOKS)).body.data).toHaveLength(20)
  })
})

describe('G-62 an endpoint', () => {
  it('200: url, events and enabled change, each alone; `*` means all', async () => {
    const shop = await makeShop(running)
    const { _id, secret, ...made } = await register(shop, URL_OUTSIDE, [...EVENT_TYPES])
    expect(made.events).toHaveLength(14)
    const path = `${WEBHOOKS}/${_id}`
    const all = await shop.patch(path, { events: ['wallet.low', '*'] })
    expect(all.body.data).toMatchObject({ url: URL_OUTSIDE, events: ['*'], enabled: true })
    const moved = await shop.patch(path, { url: 'https://other.example.com/' })
    expect(moved.body.data).toMatchObject({ url: 'https://other.example.com/', events: ['*'] })
    const off = await shop.patch(path, { enabled: false })
    expect(off.body.data).toMatchObject({ enabled: false, disabledReason: 'requested' })
    expect((await shop.patch(path, {})).body.data).toMatchObject({ enabled: false })
    expect((await shop.patch(path, { enabled: true })).body.data).toMatchObject({ disabledAt: null })
  })

  it('200: a deleted one is gone, and its secrets with it', async () => {
    const shop = await makeShop(running)
    const { _id } = await register(shop, URL_OUTSIDE)
    expect(await shop.call('DELETE', `${WEBHOOKS}/${_id}`)).toMatchObject({ body: { success: true } })
    expect((await shop.call('DELETE', `${WEBHOOKS}/${_id}`)).status).toBe(404)
    expect((await shop.get(`${WEBHOOKS}/${_id}`)).status).toBe(404)
    expect((await shop.get(`${WEBHOOKS}/${_id}/attempts`)).status).toBe(404)
    const { rows } = await sql`
      select secret = '' and old_secret is null as is_empty
      from webhook_endpoints
      where shop_id = ${shop.shopId}`.execute(running.deps.db)
    expect(rows).toEqual([{ is_empty: true }])
    expect(await eventsOf(running, shop.shopId)).toEqual([])
  })

  it('200 with no attempts yet, 404 for an event it was never to have, 400 and 500 for malformed ids', async () => {
    const shop = await makeShop(running)
    const { _id } = await register(shop, URL_OUTSIDE)
    const path = `${WEBHOOKS}/${_id}`
    expect((await shop.get(`${path}/attempts`)).body).toEqual({
      data: [],
      meta: { page: 1, limit: 20, hasMore: false },
    })
    // G-04 returns 500 for malformed ids in paths and queries, but not for those in a body.
    expect((await shop.post(`${path}/resend`, { eventId: unusedId() })).status).toBe(404)
    expect((await shop.post(`${path}/resend`, { eventId: 'x' })).status).toBe(400)
    expect((await shop.get(`${WEBHOOKS}/x`)).status).toBe(500)
    expect((await shop.get(`${path}/attempts?limit=101`)).status).toBe(400)
    const recover = await shop.post(`${path}/recover`, { since: 'yesterday' })
    expect(recover).toMatchObject({ status: 400, body: { validation: { body: { keys: ['since'] } } } })
  })

  it('the metrics count attempts and what waits', async () => {
    const { body } = await send(running, 'GET', '/metrics')
    expect(body).toMatch(/shopbell_webhook_attempts_total\{outcome="delivered",database="\w+"\} \d/)
    expect(body).toMatch(/shopbell_webhook_deliveries_waiting\{database="\w+"\} \d/)
  })
})

describe('G-62 what a key that may only read sees of an endpoint', () => {
  it('200 with its address without query and user part; a key with all scopes sees it whole', async () => {
    const shop = await makeShop(running)
    const url = `${URL_OUTSIDE}?token=SECRET#SECRET`
    const { _id } = (await shop.post(WEBHOOKS, { url, events: ['*'] })).body.data
    const issued = await manage(running, 'POST', `/shops/${shop.shopId}/keys`, {
      name: 'x',
      scopes: ['read'],
    })
    const reader = partnerOf(running, shop.shopId, issued.body.data.apiKey)
    for (const stored of [url, 'https://user:SECRET@hooks.example.com/shop?token=SECRET']) {
      await sql`
        update webhook_endpoints set url = ${stored} where shop_id = ${shop.shopId} and id = ${_id}`.execute(
        running.database.db,
      )
      const answers = [await reader.get(WEBHOOKS), await reader.get(`${WEBHOOKS}/${_id}`)]
      expect(answers[0]!.body.data[0].url).toBe(URL_OUTSIDE)
      expect(answers[1]!.body.data.url).toBe(URL_OUTSIDE)
      expect(JSON.stringify(answers)).not.toContain('SECRET')
      expect((await shop.get(`${WEBHOOKS}/${_id}`)).body.data.url).toBe(stored)
    }
  })
})
