import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { recoverMessages } from '../../src/modules/messages/outcome/recover-messages.ts'
import { settleUnknownMessages } from '../../src/modules/messages/outcome/settle-unknown.ts'
import { acceptMessage } from '../../src/modules/messages/send/send-message.ts'
import type { TemplateParam } from '../../src/platform/types.ts'
import type { Timings } from '../../src/timings.ts'
import { makeSender, type Sender } from './senders.ts'
import { type Service, separateService } from './service.ts'
import { control } from './templates.ts'

export const DAY = 86_400

export const NAME: TemplateParam = {
  key: 'customer_name',
  label: 'Tên khách',
  techSetting: '1',
  maxLength: 30,
  sampleValue: 'An',
}

/** How long the platform of {@link deafService} lets a call hang before it cuts the connection. */
export const HANG_MS = 30

/**
 * A service that gets no receipts; the test delivers each of them. Its platform soon cuts calls that hang, because a
 * short time-out of our own would be too short for any call on a busy machine.
 */
export async function deafService(given: { timings?: Partial<Timings> } = {}): Promise<Service> {
  const running = await separateService({}, given)
  await control(running, '/settings', { suppressEvents: true, hangMs: HANG_MS })
  return running
}

/** A sender whose template has no one-time password and may therefore be sent a second time. */
export function makeNamer(running: Service, money?: number): Promise<Sender> {
  return makeSender(running, { params: [NAME] }, money)
}

/** Sends a message and returns its id, whatever its outcome. */
export async function sent({ shop, template }: Sender, receiverPhone: string): Promise<string> {
  const params = { customer_name: 'Trần Bình' }
  const body = { templateId: template.id, receiverPhone, params }
  const answer = await shop.post('/api/external/notify-message/send', body)
  expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body.data.message_id
}

/** Messages whose process died before it handed them over: they are unknown, and the platform never received them. */
export async function abandoned(
  { deps }: Service,
  { shop, template }: Sender,
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { id } = await acceptMessage(deps, shop.shopId, {
      templateId: template.id,
      channel: 'phone',
      phone: `8490${String(1_000_000 + n)}`,
      userUid: '',
      isSample: false,
      params: { customer_name: 'An' },
      paramsPath: ['params'],
    })
    ids.push(id)
  }
  await recoverMessages(deps, new Date(deps.clock.now().getTime() + 121_000))
  return ids
}

/** Runs the background round as it would run this many seconds from now. */
export function settleIn(
  { deps }: Service,
  seconds: number,
  policy: 'release' | 'resend-once' = 'release',
  own: Partial<Deps> = {},
) {
  return settleUnknownMessages({
    ...deps,
    ...own,
    config: { ...deps.config, unknown: { ...deps.config.unknown, policy } },
    clock: { now: () => new Date(deps.clock.now().getTime() + seconds * 1000) },
  })
}

/** Sets the shop's own policy for unknown messages. */
export async function setPolicy(
  { deps }: Service,
  { shop }: Sender,
  policy: 'release' | 'resend-once',
): Promise<void> {
  await sql`update shops set unknown_policy = ${policy} where id = ${shop.shopId}`.execute(deps.db)
}

/** The message as GET …/messages/{id} shows it. */
export async function readMessage({ shop }: Sender, id: string, headers: Record<string, string> = {}) {
  return (await shop.get(`/api/external/notify-message/messages/${id}`, headers)).body.data
}

/** The kinds of a message's events, in order. */
export async function kinds(sender: Sender, id: string): Promise<string[]> {
  return (await readMessage(sender, id)).events.map((event: { kind: string }) => event.kind)
}
