import { buildSimulator } from '../../simulator/src/app.ts'
import { SIMULATOR_SIGNS } from '../shared/sending.ts'
import { type Form, faultsOf } from './plan.ts'

/** A copy of a message that the platform accepted and therefore bills. */
export type PlatformCopy = {
  msg_id: string
  tracking_id: string
  channel: 'phone' | 'uid'
  phone: string
  user_id: string
  params: Record<string, string>
  /** How many times it was delivered, according to the receipts. */
  deliveredCount: number
  chargeVnd: number
}

/** The simulator, used over HTTP; it sends its events to the processes in turn. */
export type ChaosPlatform = {
  url: string
  /**
   * Sets the addresses that events are sent to, in turn. They stand for the processes behind the one address that a
   * platform knows.
   */
  sendEventsTo(urls: () => string[]): void
  /** Re-enables the accounts' webhooks; six failures of one event disable a webhook. */
  switchWebhooksOn(): Promise<void>
  setFaults(share: number): Promise<void>
  /** Cuts every call for a while, in addition to the other faults. */
  cutAll(forMs: number): Promise<void>
  /** The number of messages accepted so far. */
  taken(): Promise<number>
  /** The number of events that will still be sent, of the newest thousand. */
  eventsToCome(): Promise<number>
  copies(): Promise<PlatformCopy[]>
  billedVnd(): Promise<number>
  close(): Promise<void>
}

export async function startPlatform(form: Form, seed: number): Promise<ChaosPlatform> {
  let urls = (): string[] => []
  let next = 0
  const simulator = buildSimulator({
    webhookUrl: () => urls()[next++ % urls().length] ?? '',
    reviewMs: 0,
    deliveryMs: 100,
    hangMs: form.hangMs,
    repeatScale: form.repeatScale,
    templateTimeoutMs: form.timeoutMs,
    secret: SIMULATOR_SIGNS.secretKey,
    seed,
  })
  const url = await simulator.listen({ port: 0, host: '127.0.0.1' })
  let faults: object[] = []

  /** Calls the simulator's control desk; the caller states the type of the response. */
  async function control<Answer>(path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(`${url}/control/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`control/${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }

  return {
    url,
    sendEventsTo(to) {
      urls = to
    },
    async setFaults(share) {
      faults = share === 0 ? [] : faultsOf(share)
      await control('faults', faults)
    },
    async switchWebhooksOn() {
      await control('settings', { webhookOn: true })
    },
    async cutAll(forMs) {
      await control('faults', [{ kind: 'outage', endpoint: '*', share: 1, forMs }, ...faults])
    },
    taken: async () => (await control<{ total: number }>('messages?limit=0')).total,
    async eventsToCome() {
      const { events } = await control<{ events: { outcome: string }[] }>('events')
      return events.filter(({ outcome }) => outcome === 'waiting' || outcome === 'repeating').length
    },
    copies: async () => (await control<{ messages: PlatformCopy[] }>('messages?limit=1000000')).messages,
    billedVnd: async () => (await control<{ totalVnd: number }>('billing?limit=0')).totalVnd,
    close: () => simulator.close(),
  }
}
