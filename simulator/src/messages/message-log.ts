import { countMessage } from '../limits.ts'
import type { Json } from '../read.ts'
import { type Message, nowMs, type State } from '../state.ts'
import { renderText } from '../templates/layout.ts'
import type { Send } from './send.ts'

const DEFAULT_MAX_MESSAGES = 200_000

/** Stores and charges a message. Its id comes from a counter, so nothing is searched. */
export function accept(state: State, send: Send): Message {
  const { oa, template } = send
  const max = state.options.maxMessages ?? DEFAULT_MAX_MESSAGES
  const slot = state.accepted % max
  const displaced = state.ring[slot]
  if (displaced !== undefined) forget(state, displaced)

  const trackingKey = send.trackingId && `${oa.id}\n${send.trackingId}`
  const isRepeat = trackingKey !== '' && state.byTracking.has(trackingKey)
  state.accepted += 1
  state.nextMessageNumber += 1
  const price = send.channel === 'phone' ? template.priceSdtVnd : template.priceUidVnd
  const message: Message = {
    msgId: `${state.msgIdPrefix}${String(state.nextMessageNumber).padStart(9, '0')}`,
    oaId: oa.id,
    channel: send.channel,
    recipient: send.recipient,
    trackingId: send.trackingId,
    templateId: template.id,
    layout: template.layout,
    params: send.params,
    developmentMode: send.developmentMode,
    isRepeat,
    chargeVnd: send.developmentMode ? 0 : price,
    acceptedAt: nowMs(state),
    deliveredAt: undefined,
    deliveredCount: 0,
  }
  state.messages.set(message.msgId, message)
  state.ring[slot] = message.msgId
  if (isRepeat) state.duplicates += 1
  else if (trackingKey) state.byTracking.set(trackingKey, message.msgId)
  countMessage(state, send)
  if (!send.developmentMode) {
    oa.chargedVnd += message.chargeVnd
    oa.chargedCount += 1
  }
  return message
}

function forget(state: State, msgId: string): void {
  const message = state.messages.get(msgId)
  if (!message) return
  state.messages.delete(msgId)
  const key = `${message.oaId}\n${message.trackingId}`
  if (state.byTracking.get(key) === msgId) state.byTracking.delete(key)
}

/** Delivers a message to the customer and returns the fields of its receipt. */
export function deliver(state: State, message: Message): Json {
  const at = nowMs(state)
  message.deliveredAt ??= at
  message.deliveredCount += 1
  return {
    sender: { id: message.oaId },
    recipient: { id: message.recipient },
    message: {
      delivery_time: String(at),
      msg_id: message.msgId,
      ...(message.trackingId ? { tracking_id: message.trackingId } : {}),
    },
  }
}

/** The first message of an OA with this tracking id. */
export function firstOfTracking(state: State, oaId: string, trackingId: string): Message | undefined {
  const msgId = state.byTracking.get(`${oaId}\n${trackingId}`)
  return msgId === undefined ? undefined : state.messages.get(msgId)
}

/** A message as the control call and the page show it. */
export function presentMessage(message: Message) {
  return {
    msg_id: message.msgId,
    tracking_id: message.trackingId,
    oaId: message.oaId,
    channel: message.channel,
    phone: message.channel === 'phone' ? message.recipient : '',
    user_id: message.channel === 'uid' ? message.recipient : '',
    templateId: message.templateId,
    rendered: renderText(message.layout, message.params),
    params: message.params,
    deliveredCount: message.deliveredCount,
    isRepeat: message.isRepeat,
    chargeVnd: message.chargeVnd,
    acceptedAt: new Date(message.acceptedAt).toISOString(),
    deliveredAt: message.deliveredAt === undefined ? null : new Date(message.deliveredAt).toISOString(),
    developmentMode: message.developmentMode,
  }
}

/** The newest matching messages, oldest first, at most `limit`. */
export function newestMessages(
  state: State,
  matches: (message: Message) => boolean,
  limit: number,
): Message[] {
  const found: Message[] = []
  const max = state.options.maxMessages ?? DEFAULT_MAX_MESSAGES
  const oldest = Math.max(0, state.accepted - max)
  for (let at = state.accepted - 1; at >= oldest && found.length < limit; at--) {
    const id = state.ring[at % max]
    const message = id === undefined ? undefined : state.messages.get(id)
    if (message && matches(message)) found.push(message)
  }
  return found.reverse()
}

/** All charges so far, in total and by OA, in đồng. */
export function chargeTotals(state: State) {
  const byOa: Record<string, { totalVnd: number; count: number }> = {}
  let totalVnd = 0
  for (const oa of state.oas.values()) {
    if (oa.chargedCount === 0) continue
    byOa[oa.id] = { totalVnd: oa.chargedVnd, count: oa.chargedCount }
    totalVnd += oa.chargedVnd
  }
  return { totalVnd, byOa }
}
