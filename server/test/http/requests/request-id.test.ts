import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { BATCHES, batchTo, makeBatchShop, PLAIN_VALUES, phones } from '../../support/batches.ts'
import { eventually, manage, type Partner, separateService } from '../../support/service.ts'
import { makeReceiver, register } from '../../support/webhooks.ts'

const running = await separateService({ outboundAllowPrivate: true })

/** The request ids in the platform's calls for messages since then. */
function idsAtPlatform(): (string | undefined)[] {
  const ids: (string | undefined)[] = []
  running.simulator.server.on('request', ({ url, headers }: IncomingMessage) => {
    if (url?.startsWith('/message/template')) ids.push(headers['x-request-id'] as string | undefined)
  })
  return ids
}

async function requestIdOf(shop: Partner, messageId: string): Promise<string> {
  return (await manage(running, 'GET', `/shops/${shop.shopId}/messages/${messageId}`)).body.data.requestId
}

describe('x-request-id', () => {
  it('of a send and of a batch is in the calls of the platform, with the message and at the webhook', async () => {
    const made = await makeBatchShop(running)
    const { shop, template } = made
    const receiver = await makeReceiver()
    await register(shop, receiver.url, ['message.received'])
    const called = idsAtPlatform()
    const sent = await shop.post('/api/external/notify-message/send', {
      templateId: template.id,
      receiverPhone: phones(3)[2],
      params: PLAIN_VALUES,
    })
    expect(sent.status).toBe(200)
    const batch = await shop.post(BATCHES, batchTo(made, phones(2)))
    expect(batch.status).toBe(202)
    const ids = [sent, batch, batch].map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(2)
    await eventually(async () => receiver.deliveries.length === 3, 10_000)
    expect(called.toSorted()).toEqual(ids.toSorted())
    const delivered = receiver.deliveries.map(({ headers, body }) => ({
      requestId: headers['x-request-id'],
      messageId: JSON.parse(body).data.messageId as string,
    }))
    expect(delivered.map(({ requestId }) => requestId).toSorted()).toEqual(ids.toSorted())
    for (const { messageId, requestId } of delivered) {
      expect(await requestIdOf(shop, messageId)).toBe(requestId)
    }
  })
})
