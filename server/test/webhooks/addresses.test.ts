import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, separateService, service } from '../support/service.ts'
import { makeReceiver, register, sendTest, WEBHOOKS, whenAttempts } from '../support/webhooks.ts'

describe('G-62 the address of a delivery', () => {
  it.each([
    ['a name that has been bound to an address inside', 'localhost'],
    ['an address inside', '127.0.0.1'],
    ['one in another spelling', '2130706433'],
  ])('%s is refused at the connection, each time', async (_, host) => {
    const running = await service()
    const shop = await makeShop(running)
    const inside = await makeReceiver()
    const endpoint = await register(shop, 'https://hooks.example.com/')
    // A name may later lose the property that was checked at its registration.
    await sql`
      update webhook_endpoints
      set url = ${inside.url.replace('127.0.0.1', host)}
      where shop_id = ${shop.shopId}`.execute(running.deps.db)
    await sendTest(shop, endpoint._id)
    const [attempt] = await whenAttempts(shop, endpoint._id, 1)
    expect(attempt).toMatchObject({ status: null, error: 'the address points to a private network' })
    expect(inside.deliveries).toEqual([])
  })

  it('a redirect is a failure, whatever it leads to, and is never followed', async () => {
    const running = await separateService({ outboundAllowPrivate: true })
    const shop = await makeShop(running)
    const inside = await makeReceiver()
    const targets = [
      inside.url,
      'http://169.254.169.254/latest/meta-data',
      `http://localhost:${new URL(inside.url).port}`,
    ]
    for (const [place, status] of [301, 302, 303, 307, 308].entries()) {
      const location = targets[place % targets.length]!
      const receiver = await makeReceiver((reply) => reply.writeHead(status, { location }).end())
      const endpoint = await register(shop, receiver.url)
      await sendTest(shop, endpoint._id)
      const [attempt] = await whenAttempts(shop, endpoint._id, 1)
      expect(attempt).toMatchObject({ status, number: 1 })
      expect((await shop.get(`${WEBHOOKS}/${endpoint._id}`)).body.data.failingSince).not.toBeNull()
      expect(receiver.deliveries).toHaveLength(1)
    }
    expect(inside.deliveries).toEqual([])
  })
})
