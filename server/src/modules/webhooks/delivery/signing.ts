import { Webhook } from 'standardwebhooks'

/** A request as Standard Webhooks defines it, without its address. */
export type SignedRequest = { headers: Record<string, string>; body: string }

/**
 * The signed request that delivers an event to an endpoint (G-62). `webhook-id` is the event's id in every attempt, so
 * that a receiver can ignore what it already has. `webhook-timestamp` is the attempt's time, so that a receiver can
 * refuse a request replayed by someone else. If there are several secrets, each adds a signature.
 */
export function signedRequest(
  event: { id: string; type: string; data: unknown; createdAt: Date; sequence: number },
  secrets: readonly string[],
  now: Date,
): SignedRequest {
  const body = JSON.stringify({
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    sequence: event.sequence,
    data: event.data,
  })
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'shopbell-webhooks',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(event.id, now, body)).join(' '),
    },
    body,
  }
}
