import type { webhooks } from './schema.d.ts'

type Payload<Hook> = Hook extends { post: { requestBody?: { content: { 'application/json': infer Event } } } }
  ? Event
  : never

/**
 * An event as delivered. `id` (the header `webhook-id`) is the same in every attempt: ignore an event that you already
 * have.
 */
export type WebhookEvent = {
  [Type in keyof webhooks]: Payload<webhooks[Type]> & { id: string }
}[keyof webhooks]

/** The request is not a delivery from the service, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const TOLERANCE_SECONDS = 300

/**
 * The event of a delivery, after its signature (Standard Webhooks, HMAC-SHA256) and its time are verified. `rawBody`:
 * the bytes as received; parsing and serialising changes them. `secret`: `whsec_…`, or several while a secret is being
 * replaced, of which one must match. `toleranceSeconds`: how far the delivery's time may be from now, 300 by default.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  headers: Headers | Record<string, string | string[] | undefined>,
  rawBody: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: { toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const given = headers instanceof Headers ? Object.fromEntries(headers) : lowerCased(headers)
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => given[`webhook-${name}`])
  if (!id || !timestamp || !signature) throw new WebhookVerificationError('a webhook header is missing')
  const ageSeconds = /^\d+$/.test(timestamp) ? Math.abs(Date.now() / 1000 - Number(timestamp)) : Number.NaN
  if (!(ageSeconds <= toleranceSeconds))
    throw new WebhookVerificationError('the time of the delivery is not near')

  const text = new TextEncoder()
  const body = typeof rawBody === 'string' ? text.encode(rawBody) : new Uint8Array(rawBody)
  const signed = await new Blob([`${id}.${timestamp}.`, body]).arrayBuffer()
  const signatures = signature
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? bytesOf(each.slice(3)) : []))
  for (const each of [secret].flat()) {
    const [bytes] = bytesOf(each.replace(/^whsec_/, ''))
    if (!bytes?.length) throw new WebhookVerificationError('the secret is not base64')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    for (const one of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, one, signed))
        return { ...JSON.parse(new TextDecoder().decode(body)), id }
    }
  }
  throw new WebhookVerificationError('no signature fits')
}

function lowerCased(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value?.toString()]),
  )
}

/** The bytes of a base64 text, as a list with one element; an empty list if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]
  } catch {
    return []
  }
}
