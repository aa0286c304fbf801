import { eventually } from '../support/service.ts'
import { makeReceiver } from '../support/webhooks.ts'
import type { Call } from './recorder.ts'

/** A shop's webhook endpoint, and what was delivered to it. */
export async function callWebhooks(call: Call): Promise<void> {
  const receiver = await makeReceiver()
  const made = await call('createWebhook', {
    body: { url: receiver.url, events: ['order.created', 'order.paid'] },
  })
  const params = { id: made.data._id }
  const { eventId } = (await call('testWebhook', { params })).data
  const attempts = { params, isLatest: true }
  await eventually(async () => (await call('listWebhookAttempts', attempts)).data.length > 0, 15_000)
  await call('resendWebhookEvent', { params, body: { eventId } })
  await call('recoverWebhookEvents', {
    params,
    body: { since: new Date(Date.now() - 86_400_000).toISOString() },
  })
  await call('replayMissingWebhookEvents', {
    params,
    body: { since: new Date(Date.now() - 1_000).toISOString() },
  })
  const events = { query: { limit: 10, types: 'webhook.test' }, isLatest: true }
  await eventually(async () => {
    const [delivery] = (await call('readEvents', events)).data.events[0].deliveries
    return delivery.status === 'delivered' && delivery.attempts === 2
  }, 15_000)
  const endpoint = { params, isLatest: true }
  await eventually(async () => (await call('getWebhook', endpoint)).data.replayingSince === null, 15_000)
  await call('updateWebhook', { params, body: { events: ['*'], enabled: true } })
  await call('listWebhooks')
  await call('rotateWebhookSecret', { params })
  await call('deleteWebhook', { params })
}
