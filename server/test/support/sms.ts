import { sql } from 'kysely'
import { expect } from 'vitest'
import { sendFallbacks } from '../../src/modules/messages/fallback/send-fallbacks.ts'
import { checkInvariants } from './invariants.ts'
import { entryTypes, type Sender } from './senders.ts'
import { eventually, manage, separateService } from './service.ts'
import { control } from './templates.ts'
import { makeNamer, readMessage } from './unknown-messages.ts'

/** The cost of a message, the cost of an SMS, and a shop's money, in đồng. */
export const FEE = 200
export const PRICE = 350
export const MONEY = 100_000

const TEXT = 'Xin chào <customer_name>, đơn của bạn đã giao'

export type Given = {
  money?: number
  hasText?: boolean
  hasSender?: boolean
  chargeOn?: string
  tag?: string
}

export const smsTextPath = ({ template }: Sender) => `/api/external/notify-template/${template.id}/sms-text`

export async function statusOf(sender: Sender, id: string): Promise<[string, string | null]> {
  const { status, deliveredBy } = await readMessage(sender, id)
  return [status, deliveredBy]
}

export const smsEnded = (sender: Sender, id: string) =>
  eventually(async () => (await readMessage(sender, id)).status !== 'SENDING')

/** Sorted by name, because these tests run rounds on future days while reports have today's date. */
export const typesOf = async ({ shop }: Sender) => (await entryTypes(shop)).toSorted()

export function sendNamed({ shop, template }: Sender, receiverPhone: string) {
  const params = { customer_name: 'Trần Bình' }
  return shop.post('/api/external/notify-message/send', { templateId: template.id, receiverPhone, params })
}

/** Sends a message that the platform refuses, and whose SMS is queued. */
export async function refusedTo(sender: Sender, phone: string): Promise<string> {
  const answer = await sendNamed(sender, phone)
  expect([answer.status, answer.body.data?.status]).toEqual([202, 'SENDING'])
  return answer.body.data.message_id
}

/** A service whose rounds of SMS are run by the test. The provider of SMS can reach it. */
export async function smsService({ platformTimeoutMs = 400 } = {}) {
  const timings = { smsEveryMs: 86_400_000, platformTimeoutMs }
  const running = await separateService({}, { timings })
  const { deps } = running
  const { port } = running.app.server.address() as { port: number }
  deps.config.publicUrl = `http://127.0.0.1:${port}`
  await control(running, '/settings', { suppressEvents: false, hangMs: 1_000, smsPriceVnd: PRICE })

  /** The dependencies of a round that runs this many seconds from now. */
  const at = (seconds: number, own: object = {}) => ({
    ...deps,
    ...own,
    clock: { now: () => new Date(deps.clock.now().getTime() + seconds * 1000) },
  })

  /** A shop with an SMS sender, and a template that falls back to it. */
  async function makeFalling(given: Given = {}): Promise<Sender> {
    const { money = MONEY, hasText = true, hasSender = true, chargeOn = 'accepted' } = given
    const sender = await makeNamer(running, money)
    const { shopId } = sender.shop
    if (hasSender) {
      const keys = { apiKey: 'api-key', secretKey: 'secret-key' }
      const body = { brandname: 'CUAHANG', price: PRICE, ...keys }
      expect((await manage(running, 'PUT', `/shops/${shopId}/sms`, body)).status).toBe(200)
    }
    if (hasText) {
      const set = await sender.shop.put(smsTextPath(sender), { text: TEXT })
      expect([set.status, set.body.data?.smsFallback?.price ?? null]).toEqual([200, hasSender ? PRICE : null])
    }
    const accounts = `/shops/${shopId}/official-accounts`
    const [account] = (await manage(running, 'GET', accounts)).body.data
    await manage(running, 'PATCH', `${accounts}/${account._id}`, { chargeOn })
    if (given.tag !== undefined)
      await sql`update templates set tag = ${given.tag} where shop_id = ${shopId}`.execute(deps.db)
    return sender
  }

  async function smsOnProvider(id: string): Promise<Record<string, unknown>[]> {
    const response = await fetch(`${running.simulatorUrl}/control/sms?RequestId=${id}`)
    return ((await response.json()) as { sms: Record<string, unknown>[] }).sms
  }

  return {
    ...{ running, at, makeFalling, smsOnProvider },
    /** Runs a round of SMS as it would run this many seconds from now. */
    roundIn: (seconds = 0) => sendFallbacks(at(seconds)),
    holds: (sender: Sender) => checkInvariants(deps.db, sender.shop.shopId),
  }
}
