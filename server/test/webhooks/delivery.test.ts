import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newProduct, PRODUCTS } from '../support/products.ts'
import { eventually, makeShop, type Partner, separateService } from '../support/service.ts'
import {
  attemptsOf,
  makeReceiver,
  register,
  sendTest,
  skipPauses,
  WEBHOOKS,
  whenAttempts,
} from '../support/webhooks.ts'

const running = await separateService({ outboundAllowPrivate: true })
const { db } = running.deps
const verify = (secret: string, { body, headers }: { body: string; headers: object }) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

async function deliveryRows(shop: Partner) {
  const { rows } = await sql<{ state: string; attempts: number; tries: number; wait: number }>`
    select state, attempts, tries, extract(epoch from due_at - now())::float8 as wait
    from webhook_deliveries
    where shop_id = ${shop.shopId}`.execute(db)
  return rows
}

describe('G-62 a delivery', () => {
  it('is what the public standardwebhooks library verifies, with the event as its body', async () => {
    const shop = await makeShop(running)
    const receiver = await makeReceiver()
    const endpoint = await register(shop, receiver.url, ['product.created'])
    const product = (await shop.post(PRODUCTS, newProduct({ name: 'Áo “thêu” tay' }))).body.data
    const delivery = await eventually(async () => receiver.deliveries[0])
    expect(verify(endpoint.secret, delivery)).toEqual({
      type: 'product.created',
      timestamp: product.createdAt,
      sequence: expect.any(Number),
      data: {
        productId: product.id,
        name: 'Áo “thêu” tay',
        slug: product.slug,
        itemSku: '',
        status: 'active',
        price: 100000,
      },
    })
    expect(() => verify(`whsec_${btoa('x'.repeat(32))}`, delivery)).toThrow('No matching signature')
    expect(() => verify(endpoint.secret, { ...delivery, body: `${delivery.body} ` })).toThrow()
    expect(delivery.headers).toMatchObject({ 'content-type': 'application/json' })
    const [attempt] = await whenAttempts(shop, endpoint._id, 1)
    expect(attempt).toEqual({
      eventId: delivery.headers['webhook-id'],
      type: 'product.created',
      number: 1,
      status: 200,
      durationMs: expect.any(Number),
      answer: 'ok',
      error: null,
      createdAt: expect.stringMatching(/Z$/),
    })
  })

  it('goes to each endpoint that asks for its type, and to no other', async () => {
    const [shop, stranger] = [await makeShop(running), await makeShop(running)]
    const [all, some, none, foreign] = await Promise.all([
      makeReceiver(),
      makeReceiver(),
      makeReceiver(),
      makeReceiver(),
    ])
    await register(shop, all.url, ['*'])
    await register(shop, some.url, ['product.created', 'product.created', 'wallet.low'])
    await register(shop, none.url, ['order.created'])
    await register(stranger, foreign.url, ['*'])
    await shop.post(PRODUCTS, newProduct())
    await eventually(async () => all.deliveries.length === 1 && some.deliveries.length === 1)
    expect(all.ids()).toEqual(some.ids())
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect([none.deliveries, foreign.deliveries, all.deliveries.length]).toEqual([[], [], 1])
  })

  it('fails twice and then arrives: the same webhook-id each time, a signature of its own', async () => {
    const shop = await makeShop(running)
    const receiver = await makeReceiver((reply, nth) => reply.writeHead(nth < 2 ? 500 : 200).end(`no ${nth}`))
    const endpoint = await register(shop, receiver.url)
    const eventId = await sendTest(shop, endpoint._id)
    await whenAttempts(shop, endpoint._id, 1)
    const [waiting] = await deliveryRows(shop)
    expect(waiting).toMatchObject({ state: 'pending', attempts: 1 })
    expect(waiting!.wait).toBeGreaterThan(2)
    expect(waiting!.wait).toBeLessThan(6.1)
    const read = await shop.get(`${WEBHOOKS}/${endpoint._id}`)
    expect(read.body.data).toMatchObject({ enabled: true, failingSince: expect.stringMatching(/Z$/) })
    // The first retry comes by itself, the second after five minutes.
    await whenAttempts(shop, endpoint._id, 2, 12_000)
    await skipPauses(running, endpoint._id)
    const attempts = await whenAttempts(shop, endpoint._id, 3)
    expect(attempts.map(({ number, status, answer }) => [number, status, answer])).toEqual([
      [3, 200, 'no 2'],
      [2, 500, 'no 1'],
      [1, 500, 'no 0'],
    ])
    expect(receiver.ids()).toEqual([eventId, eventId, eventId])
    for (const delivery of receiver.deliveries) verify(endpoint.secret, delivery)
    expect((await shop.get(`${WEBHOOKS}/${endpoint._id}`)).body.data.failingSince).toBeNull()
  }, 30_000)

  it('200 is delivered although the body of the response never ends', async () => {
    const shop = await makeShop(running)
    const receiver = await makeReceiver((reply) => {
      reply.writeHead(200).write('thanks')
      const timer = setInterval(() => reply.write('.'), 50)
      reply.on('close', () => clearInterval(timer))
    })
    const endpoint = await register(shop, receiver.url)
    await sendTest(shop, endpoint._id)
    const [attempt] = await whenAttempts(shop, endpoint._id, 1)
    expect(attempt).toMatchObject({ status: 200, error: null, answer: expect.stringMatching(/^thanks/) })
    expect(await deliveryRows(shop)).toMatchObject([{ state: 'delivered', attempts: 1 }])
    expect((await shop.get(`${WEBHOOKS}/${endpoint._id}`)).body.data.failingSince).toBeNull()
  })

  it.each([429, 503])(
    '%i with Retry-After delays everything that waits for the endpoint, and nothing else',
    async (status) => {
      const shop = await makeShop(running)
      const busy = await makeReceiver((reply, nth) => {
        if (nth === 0) reply.writeHead(status, { 'retry-after': '4' }).end('later')
        else reply.end('ok')
      })
      const calm = await makeReceiver()
      const [endpoint] = [await register(shop, busy.url), await register(shop, calm.url)]
      await sendTest(shop, endpoint._id)
      await whenAttempts(shop, endpoint._id, 1)
      const pausedAt = busy.deliveries[0]!.at
      for (let n = 0; n < 10; n++) await shop.post(PRODUCTS, newProduct({ name: `Áo ${n}` }))
      await eventually(async () => calm.deliveries.length === 10, 10_000)
      await eventually(async () => new Set(busy.ids()).size === 11, 20_000)
      // The pause begins when the endpoint's response has arrived.
      for (const { at } of busy.deliveries.slice(1)) expect(at - pausedAt).toBeGreaterThan(3_900)
      const attempts = await whenAttempts(shop, endpoint._id, 12)
      expect(attempts.map((one) => one.status).sort()).toEqual([...Array(11).fill(200), status])
    },
    40_000,
  )

  it('is given up after eight retries, and recovered with eight more', async () => {
    const shop = await makeShop(running)
    let status = 503
    const receiver = await makeReceiver((reply) => reply.writeHead(status).end())
    const endpoint = await register(shop, receiver.url)
    const since = new Date(Date.now() - 1000).toISOString()
    await sendTest(shop, endpoint._id)
    for (let n = 1; n <= 9; n++) {
      await whenAttempts(shop, endpoint._id, n)
      await skipPauses(running, endpoint._id)
    }
    expect(await deliveryRows(shop)).toMatchObject([{ state: 'failed', attempts: 9 }])
    status = 200
    const later = await shop.post(`${WEBHOOKS}/${endpoint._id}/recover`, { since: '2099-01-01' })
    expect(later).toMatchObject({ status: 202, body: { data: { queued: 0 } } })
    const recovered = await shop.post(`${WEBHOOKS}/${endpoint._id}/recover`, { since })
    expect(recovered).toMatchObject({ status: 202, body: { data: { queued: 1 } } })
    await whenAttempts(shop, endpoint._id, 10)
    expect(await deliveryRows(shop)).toMatchObject([{ state: 'delivered', attempts: 10, tries: 1 }])
  }, 30_000)

  it('waits as long as Retry-After asks, in seconds and as a date', async () => {
    const shop = await makeShop(running)
    const at = new Date(Date.now() + 900_000).toUTCString()
    const receiver = await makeReceiver((reply, nth) =>
      reply.writeHead(429, { 'retry-after': nth === 0 ? '600' : at }).end(),
    )
    const endpoint = await register(shop, receiver.url)
    await sendTest(shop, endpoint._id)
    await whenAttempts(shop, endpoint._id, 1)
    expect((await deliveryRows(shop))[0]!.wait).toBeGreaterThan(590)
    await skipPauses(running, endpoint._id)
    await whenAttempts(shop, endpoint._id, 2)
    expect((await deliveryRows(shop))[0]!.wait).toBeGreaterThan(880)
  })

  it('410 switches the endpoint off: nothing more goes out, and what happens is kept to be recovered', async () => {
    const shop = await makeShop(running)
    let status = 410
    const receiver = await makeReceiver((reply) => reply.writeHead(status).end())
    const endpoint = await register(shop, receiver.url)
    await sendTest(shop, endpoint._id)
    const off = await eventually(async () => {
      const { data } = (await shop.get(`${WEBHOOKS}/${endpoint._id}`)).body
      return !data.enabled && data
    })
    expect(off).toMatchObject({ disabledReason: 'gone', disabledAt: expect.stringMatching(/Z$/) })
    await shop.post(PRODUCTS, newProduct())
    const refused = await shop.post(`${WEBHOOKS}/${endpoint._id}/test`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'WEBHOOK_DISABLED' } })
    status = 200
    const on = await shop.patch(`${WEBHOOKS}/${endpoint._id}`, { enabled: true })
    expect(on.body.data).toMatchObject({ enabled: true, disabledAt: null, failingSince: null })
    expect(receiver.deliveries).toHaveLength(1)
    const recovered = await shop.post(`${WEBHOOKS}/${endpoint._id}/recover`, { since: '2020-01-01' })
    expect(recovered.body.data.queued).toBe(2)
    await eventually(async () => receiver.deliveries.length === 3)
  })

  it('nothing but failures for five days switches the endpoint off', async () => {
    const shop = await makeShop(running)
    const receiver = await makeReceiver((reply) => reply.writeHead(500).end())
    const endpoint = await register(shop, receiver.url)
    await sendTest(shop, endpoint._id)
    await whenAttempts(shop, endpoint._id, 1)
    const failing = (interval: string) =>
      sql`
        update webhook_endpoints
        set failing_since = now() - ${interval}::interval
        where shop_id = ${shop.shopId}`.execute(db)
    await failing('4 days 23 hours')
    await skipPauses(running, endpoint._id)
    await whenAttempts(shop, endpoint._id, 2)
    expect((await shop.get(`${WEBHOOKS}/${endpoint._id}`)).body.data.enabled).toBe(true)
    await failing('5 days')
    await skipPauses(running, endpoint._id)
    await whenAttempts(shop, endpoint._id, 3)
    const { data } = (await shop.get(`${WEBHOOKS}/${endpoint._id}`)).body
    expect(data).toMatchObject({ enabled: false, disabledReason: 'failing' })
    expect(await deliveryRows(shop)).toMatchObject([{ state: 'failed' }])
  })

  it('an answer of any size and content is noted by its first 500 characters', async () => {
    const shop = await makeShop(running)
    const receiver = await makeReceiver((reply) => reply.end(`\0${'ế'.repeat(3_000_000)}`))
    const endpoint = await register(shop, receiver.url)
    await sendTest(shop, endpoint._id)
    const [attempt] = await whenAttempts(shop, endpoint._id, 1)
    expect(attempt).toMatchObject({ status: 200, answer: 'ế'.repeat(500) })
  })

  it('no server there: the attempt says so', async () => {
    const shop = await makeShop(running)
    const endpoint = await register(shop, 'http://127.0.0.1:9/')
    await sendTest(shop, endpoint._id)
    const [attempt] = await whenAttempts(shop, endpoint._id, 1)
    expect(attempt).toMatchObject({ status: null, error: 'ECONNREFUSED', answer: '' })
  })

  it('resend delivers once more what has arrived', async () => {
    const shop = await makeShop(running)
    const receiver = await makeReceiver()
    const endpoint = await register(shop, receiver.url)
    const eventId = await sendTest(shop, endpoint._id)
    await whenAttempts(shop, endpoint._id, 1)
    const again = await shop.post(`${WEBHOOKS}/${endpoint._id}/resend`, { eventId })
    expect(again).toMatchObject({ status: 202, body: { data: { eventId } } })
    await whenAttempts(shop, endpoint._id, 2)
    expect(receiver.ids()).toEqual([eventId, eventId])
    expect((await attemptsOf(shop, endpoint._id)).map(({ number }) => number)).toEqual([2, 1])
  })

  it('after a rotation both secrets verify, and the old one no longer when its time is over', async () => {
    const shop = await makeShop(running)
    const receiver = await makeReceiver()
    const endpoint = await register(shop, receiver.url)
    const rotated = (await shop.post(`${WEBHOOKS}/${endpoint._id}/rotate-secret`)).body.data
    expect(rotated.secret).not.toBe(endpoint.secret)
    await sendTest(shop, endpoint._id)
    const both = await eventually(async () => receiver.deliveries[0])
    verify(endpoint.secret, both)
    verify(rotated.secret, both)
    await sql`
      update webhook_endpoints
      set old_secret_until = now() - interval '1 second'
      where shop_id = ${shop.shopId}`.execute(db)
    await sendTest(shop, endpoint._id)
    const one = await eventually(async () => receiver.deliveries[1])
    verify(rotated.secret, one)
    expect(() => verify(endpoint.secret, one)).toThrow('No matching signature')
  })

  it('after two rotations within 24 hours the first secret still verifies, as the receiver may have no other', async () => {
    const shop = await makeShop(running)
    const receiver = await makeReceiver()
    const endpoint = await register(shop, receiver.url)
    const rotate = async () => (await shop.post(`${WEBHOOKS}/${endpoint._id}/rotate-secret`)).body.data
    const [between, newest] = [await rotate(), await rotate()]
    await sendTest(shop, endpoint._id)
    const both = await eventually(async () => receiver.deliveries[0])
    verify(endpoint.secret, both)
    verify(newest.secret, both)
    expect(() => verify(between.secret, both)).toThrow('No matching signature')
  })
})
