import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { eventually, makeShop, separateService } from '../../server/test/support/service.ts'
import { makeReceiver, register, sendTest } from '../../server/test/support/webhooks.ts'
import { createShopbell, verifyWebhook, WebhookVerificationError } from '../src/index.ts'

const secretOf = (letter: string) => `whsec_${btoa(letter.repeat(32))}`
const [secret, other] = [secretOf('k'), secretOf('o')]
const body = JSON.stringify({
  type: 'wallet.low',
  timestamp: '2026-11-22T00:00:00.000Z',
  data: { balance: 5 },
})

/** The headers of a delivery that was signed `ageSeconds` ago. */
function signed(ageSeconds = 0, ...secrets: string[]) {
  const at = new Date(Date.now() - ageSeconds * 1000)
  const signatures = (secrets.length > 0 ? secrets : [secret]).map((each) =>
    new Webhook(each).sign('msg_1', at, body),
  )
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

describe('verifyWebhook', () => {
  it('accepts what the service delivers, with either secret while one is being replaced', async () => {
    const running = await separateService({ outboundAllowPrivate: true })
    const { port } = running.app.server.address() as { port: number }
    const receiver = await makeReceiver()
    const partner = await makeShop(running)
    const shop = createShopbell({ baseUrl: `http://127.0.0.1:${port}`, apiKey: partner.apiKey })
    const endpoint = await register(partner, receiver.url)
    const { data: rotated } = await shop.webhooks.rotateSecret(endpoint._id)
    const id = await sendTest(partner, endpoint._id)
    await eventually(async () => receiver.deliveries.length > 0, 10_000)
    const [{ headers, body: raw }] = receiver.deliveries as [(typeof receiver.deliveries)[0]]
    for (const each of [endpoint.secret, rotated.secret])
      expect(await verifyWebhook(headers, raw, each)).toEqual({ id, ...JSON.parse(raw) })
  })

  it('gives the typed event with its id, from bytes or text, from Headers or a record in any case', async () => {
    const bytes = new TextEncoder().encode(body)
    const upper = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    for (const headers of [signed(), upper, new Headers(signed())])
      for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)]) {
        const event = await verifyWebhook(headers, raw, secret)
        expect(event).toEqual({ id: 'msg_1', ...JSON.parse(body) })
        if (event.type === 'order.created') expectTypeOf(event.data.orderId).toEqualTypeOf<string>()
      }
  })

  it('takes one of several signatures and one of several secrets', async () => {
    expect(await verifyWebhook(signed(0, other, secret), body, secret)).toBeDefined()
    expect(await verifyWebhook(signed(), body, [other, secret])).toBeDefined()
  })

  it('refuses another body, id, secret, time, version or a missing header', async () => {
    const refuses = async (headers: Record<string, string>, raw = body, key: string | string[] = secret) =>
      expect(verifyWebhook(headers, raw, key)).rejects.toThrow(WebhookVerificationError)
    await refuses(signed(), `${body} `)
    await refuses(signed(), body, other)
    await refuses(signed(), body, [])
    await refuses(signed(), body, 'whsec_')
    await refuses(signed(), body, 'whsec_???')
    await refuses({ ...signed(), 'webhook-id': 'msg_2' })
    await refuses({ ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) })
    await refuses({ ...signed(), 'webhook-timestamp': 'now' })
    await refuses({ ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1,', 'v2,') })
    await refuses({ ...signed(), 'webhook-signature': 'v1,???' })
    for (const name of Object.keys(signed())) await refuses({ ...signed(), [name]: '' })
  })

  it('refuses a delivery older or newer than the tolerance, five minutes by default', async () => {
    for (const age of [301, -302])
      await expect(verifyWebhook(signed(age), body, secret)).rejects.toThrow(WebhookVerificationError)
    expect(await verifyWebhook(signed(290), body, secret)).toBeDefined()
    expect(await verifyWebhook(signed(900), body, secret, { toleranceSeconds: 1_000 })).toBeDefined()
    await expect(verifyWebhook(signed(20), body, secret, { toleranceSeconds: 10 })).rejects.toThrow()
  })
})
