import { setTimeout as pause } from 'node:timers/promises'
import type { SendingShop } from '../shared/sending.ts'
import type { PlannedMessage, PlannedSend } from './plan.ts'

/** The last response that a partner got for a key. `status` 0: no final response before the partner gave up. */
export type Answer = {
  status: number
  code: string | undefined
  /** The id of the message or batch. */
  id: string | undefined
  tries: number
  /** How often each status that is not final was received; 0: no response at all. */
  seen: Record<number, number>
  /** Rows of a batch that were not accepted. */
  refused: unknown[]
  /** The batch's cancellation was confirmed. */
  isCancelled: boolean
}

const CONNECTIONS = 16
/** Longer than all restarts of a run in a row, on a machine under tenfold load. */
const GIVE_UP_AFTER_MS = 600_000
/** The statuses after which the same request may be retried with the same key (docs/guide.md). */
const TRY_AGAIN = new Set([408, 409, 425, 429, 500, 502, 503, 504])

/** Sends the planned requests; each is repeated with its key to any of the processes until it gets a final response. */
export async function sendAll(
  urls: string[],
  shops: SendingShop[],
  sends: PlannedSend[],
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  const cancelling: Promise<void>[] = []
  let next = 0
  async function partner(): Promise<void> {
    for (let send = sends[next++]; send !== undefined; send = sends[next++]) {
      const shop = shops[send.shop]!
      const answer = await sendUntilAnswered(urls, shop, send)
      answers.set(send.key, answer)
      if (send.kind === 'batch' && send.cancelAfterMs !== undefined && answer.id !== undefined) {
        cancelling.push(cancel(urls, shop, send.cancelAfterMs, answer))
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, partner))
  await Promise.all(cancelling)
  return answers
}

async function sendUntilAnswered(urls: string[], shop: SendingShop, send: PlannedSend): Promise<Answer> {
  const { path, body } = requestOf(shop, send)
  const headers: Record<string, string> = { 'idempotency-key': send.key }
  if (send.kind === 'single' && send.isAsync) headers.prefer = 'respond-async'
  const answer = await repeat(urls, (url, tries) =>
    call(url, shop, path, { headers, body, timeoutMs: tries === 1 ? send.patienceMs : 30_000 }),
  )
  const { data } = answer.body as { data?: { message_id?: string; id?: string; refused?: unknown[] } }
  const { code } = answer.body as { code?: string }
  return {
    status: answer.status,
    code,
    id: data?.message_id ?? data?.id,
    tries: answer.tries,
    seen: answer.seen,
    refused: data?.refused ?? [],
    isCancelled: false,
  }
}

async function cancel(urls: string[], shop: SendingShop, afterMs: number, answer: Answer): Promise<void> {
  await pause(afterMs)
  const path = `/api/external/notify-message/batches/${answer.id}/cancel`
  const { status } = await repeat(urls, (url) => call(url, shop, path, { timeoutMs: 30_000 }))
  answer.isCancelled = status === 200
}

function requestOf(shop: SendingShop, send: PlannedSend): { path: string; body: object } {
  const { templateId } = shop
  if (send.kind === 'batch') {
    const messages = send.messages.map((message) => ({
      ...(message.channel === 'phone'
        ? { receiverPhone: message.recipient }
        : { userUID: message.recipient }),
      params: paramsOf(message),
    }))
    return { path: '/api/external/notify-message/batches', body: { templateId, name: send.key, messages } }
  }
  const { message } = send
  if (message.channel === 'uid') {
    return {
      path: '/api/external/chatapp/uid-notify/send-message',
      body: { templateId, userUID: message.recipient, templateData: paramsOf(message) },
    }
  }
  return {
    path: '/api/external/notify-message/send',
    body: { templateId, receiverPhone: message.recipient, params: paramsOf(message) },
  }
}

function paramsOf({ key }: PlannedMessage) {
  return { customer_name: 'An', order_code: key }
}

type HttpAnswer = { status: number; body: object; retryAfterMs: number }

async function call(
  url: string,
  shop: SendingShop,
  path: string,
  given: { headers?: Record<string, string>; body?: object; timeoutMs: number },
): Promise<HttpAnswer> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: {
      'x-api-key': `service-partner ${shop.apiKey}`,
      ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...given.headers,
    },
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    signal: AbortSignal.timeout(given.timeoutMs),
  })
  const body = (await answer.json()) as object
  return { status: answer.status, body, retryAfterMs: Number(answer.headers.get('retry-after') ?? 0) * 1_000 }
}

let turn = 0

/** Calls one process after the other until one gives a final response. */
async function repeat(
  urls: string[],
  request: (url: string, tries: number) => Promise<HttpAnswer>,
): Promise<HttpAnswer & Pick<Answer, 'tries' | 'seen'>> {
  const seen: Record<number, number> = {}
  const until = performance.now() + GIVE_UP_AFTER_MS
  for (let tries = 1; ; tries++) {
    let waitMs = 50 + Math.random() * 50 * Math.min(tries, 20)
    try {
      const answer = await request(urls[turn++ % urls.length]!, tries)
      if (!TRY_AGAIN.has(answer.status)) return { ...answer, tries, seen }
      seen[answer.status] = (seen[answer.status] ?? 0) + 1
      waitMs += Math.min(answer.retryAfterMs, 2_000)
    } catch {
      // The process was killed, is frozen, or is starting again.
      seen[0] = (seen[0] ?? 0) + 1
    }
    if (performance.now() > until) return { status: 0, body: {}, retryAfterMs: 0, tries, seen }
    await pause(waitMs)
  }
}
