import { createHash, timingSafeEqual } from 'node:crypto'
import type { PlatformTemplateStatus } from '../types.ts'
import { asNumber, asRecord, asTemplateStatus, asText, asTime, parseWireJson } from './wire.ts'

/** The parts of an event that its signature covers, and the secret it may be made with. */
export type SignatureInput = {
  /** The first term of the signature: the app's id, or the official account's. */
  signer: string
  secret: string
  rawBody: Buffer
  /** As written in the event; see {@link eventTimestamp}. */
  timestamp: string | number
  /** The whole header value: `mac=<hex>`. */
  header: string | undefined
}

/**
 * Whether an event was signed with the secret: SHA-256 over
 * `signer + rawBody + timestamp + secret`, compared in constant time over the raw bytes. Never throws; an empty
 * secret verifies nothing. Source: docs/reference/platform.md, "Events to our webhook".
 */
export function verifySignature(input: SignatureInput): boolean {
  const given = /^(?:mac=)?([0-9a-f]{64})$/i.exec(input.header?.trim() ?? '')?.[1]
  if (given === undefined || input.secret === '') return false
  const expected = createHash('sha256')
    .update(input.signer)
    .update(input.rawBody)
    .update(String(input.timestamp))
    .update(input.secret)
    .digest()
  return timingSafeEqual(expected, Buffer.from(given, 'hex'))
}

/**
 * The event's own `timestamp` as written, for the signature; undefined if it has none. Accepts the same input as
 * {@link parseEvent}.
 */
export function eventTimestamp(raw: unknown): string | undefined {
  return asText(asRecord(decode(raw)).timestamp)
}

/**
 * The official accounts that an event may belong to, the likeliest first: the one that it names, or else the sender and
 * the recipient of its message, one of which is the account. Empty if it names none. Accepts the same input as
 * {@link parseEvent}.
 */
export function accountsNamed(raw: unknown): string[] {
  const event = asRecord(decode(raw))
  const named = texts(event.oa_id, event.oaId)
  return named.length > 0 ? named : texts(asRecord(event.sender).id, asRecord(event.recipient).id)
}

function texts(...values: unknown[]): string[] {
  return [...new Set(values.map(asText).filter((text) => text !== undefined))]
}

/** A message reached the phone. At least one of `msgId` and `trackingId` is set. */
export type ReceiptEvent = {
  kind: 'receipt'
  oaId?: string
  userId?: string
  msgId?: string
  trackingId?: string
  /** The platform's delivery time, or else the event's time, or else when it was received. */
  deliveredAt: Date
}

/** A template's status changed on the platform. A reason may join several with `;`. */
export type TemplateStatusEvent = {
  kind: 'template-status'
  oaId?: string
  platformTemplateId: string
  to: PlatformTemplateStatus
  deleted: boolean
  reason?: string
}

/** The platform changed its rating of a template: its quality, or how many of its messages it accepts a day. */
export type TemplateStandingEvent = {
  kind: 'template-standing'
  oaId?: string
  platformTemplateId: string
  quality?: string
  dailyQuota?: number
}

/** Names for events that are not JSON, and for events without a name. */
export const UNREADABLE = 'unreadable'
export const UNNAMED = 'unnamed'

/** An event that we do not act on; the inbox keeps it unchanged. */
export type OtherEvent = { kind: 'other'; name: string; oaId?: string }

export type PlatformEvent = ReceiptEvent | TemplateStatusEvent | TemplateStandingEvent | OtherEvent

/**
 * The content of a webhook event. Accepts the parsed body, or better its text or bytes (ids beyond 2^53 stay exact).
 * Numbers may be text, and fields may be missing. Never throws: an event that cannot be acted on is `other` with its
 * name (`unreadable` when it is not JSON, `unnamed` when it has none). `receivedAt` is used if the event has no time.
 * Source: docs/reference/platform.md, "Events to our webhook".
 */
export function parseEvent(raw: unknown, receivedAt: Date = new Date()): PlatformEvent {
  const decoded = decode(raw)
  if (decoded === undefined) return { kind: 'other', name: UNREADABLE }
  const event = asRecord(decoded)
  const name = asText(event.event_name) ?? asText(event.event) ?? UNNAMED
  const acted =
    name === 'user_received_message'
      ? receipt(event, receivedAt)
      : name === 'change_template_status'
        ? templateStatus(event)
        : name === 'change_template_quality' || name === 'change_template_quota'
          ? templateStanding(event)
          : undefined
  if (acted) return acted
  const oaId = asText(event.oa_id)
  return { kind: 'other', name, ...(oaId === undefined ? {} : { oaId }) }
}

function receipt(event: Record<string, unknown>, receivedAt: Date): ReceiptEvent | undefined {
  const message = asRecord(event.message)
  const msgId = asText(message.msg_id) ?? asText(message.message_id)
  const trackingId = asText(message.tracking_id)
  if (msgId === undefined && trackingId === undefined) return undefined
  return {
    kind: 'receipt',
    ...defined({
      oaId: asText(asRecord(event.sender).id) ?? asText(event.oa_id),
      userId: asText(asRecord(event.recipient).id),
      msgId,
      trackingId,
    }),
    deliveredAt: asTime(message.delivery_time) ?? asTime(event.timestamp) ?? receivedAt,
  }
}

function templateStatus(event: Record<string, unknown>): TemplateStatusEvent | undefined {
  const platformTemplateId = asText(event.template_id)
  const change = asRecord(event.status)
  const next = asTemplateStatus(change.new_status ?? event.new_status ?? event.status)
  if (platformTemplateId === undefined || next.status === undefined) return undefined
  return {
    kind: 'template-status',
    platformTemplateId,
    to: next.status,
    deleted: next.deleted,
    ...defined({ oaId: asText(event.oa_id), reason: asText(event.reason) }),
  }
}

function templateStanding(event: Record<string, unknown>): TemplateStandingEvent | undefined {
  const platformTemplateId = asText(event.template_id)
  const quality = asText(asRecord(event.quality).new_quality)
  const dailyQuota = asNumber(asRecord(event.quota).new_quota)
  if (platformTemplateId === undefined || (quality === undefined && dailyQuota === undefined))
    return undefined
  return {
    kind: 'template-standing',
    platformTemplateId,
    ...defined({ oaId: asText(event.oa_id), quality, dailyQuota }),
  }
}

function decode(raw: unknown): unknown {
  if (typeof raw !== 'string' && !Buffer.isBuffer(raw)) return raw ?? undefined
  try {
    return parseWireJson(raw.toString()) ?? undefined
  } catch {
    return undefined
  }
}

/** The object without the keys whose value is undefined. */
function defined<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}
