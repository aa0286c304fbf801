import { setTimeout as pause } from 'node:timers/promises'
import type { SendingShop } from '../bench/sending.ts'
import type { Run } from './run.ts'

/** The last answer to a key: what the partner believes. `status` 0: none ever came. */
export type Answer = { status: number; messageId: string | undefined; tries: number }

const CONNECTIONS = 16
const TRIES = 60

/** Sends `count` messages, each under an Idempotency-Key that is retried until it is answered. */
export async function sendAll(run: Run, shops: SendingShop[], count: number): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  let next = 0
  async function sender(): Promise<void> {
    for (let n = next++; n < count; n = next++) {
      answers.set(`chaos-${n}`, await sendOnce(run, shops[n % shops.length]!, n))
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sender))
  return answers
}

async function sendOnce(run: Run, shop: SendingShop, n: number): Promise<Answer> {
  const body = JSON.stringify({
    templateId: shop.templateId,
    receiverPhone: `8491${String(1_000_000 + n)}`,
    params: { customer_name: 'An', order_code: `DH${n}` },
  })
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      const answer = await fetch(`${run.url}/api/external/notify-message/send`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': `service-partner ${shop.apiKey}`,
          'idempotency-key': `chaos-${n}`,
        },
        body,
        signal: AbortSignal.timeout(30_000),
      })
      const parsed = (await answer.json()) as { data?: { message_id?: string } }
      const isFinal = answer.status === 200 || answer.status === 202 || answer.status === 400
      if (isFinal) return { status: answer.status, messageId: parsed.data?.message_id, tries }
    } catch {
      // No answer: the process was killed, or is starting again.
    }
    await pause(100 + Math.random() * 100 * Math.min(tries, 20))
  }
  return { status: 0, messageId: undefined, tries: TRIES }
}
