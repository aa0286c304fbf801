import { randomBytes } from 'node:crypto'
import type { Fault } from './faults/fault-kinds.ts'
import { seededRandom } from './random.ts'
import type { Json } from './read.ts'
import { defaultSettings, type Settings, type SimulatorOptions } from './settings.ts'
import type { Sms } from './sms/sms-state.ts'
import type { Layout } from './templates/layout.ts'

export type TemplateStatus = 'PENDING_REVIEW' | 'ENABLE' | 'REJECT' | 'DISABLE' | 'DELETE'

export type TemplateParam = { name: string; type: string; sampleValue: string; maxLength: number }

export type Template = {
  id: string
  oaId: string
  name: string
  type: number
  tag: '1' | '2' | '3'
  layout: Layout
  /** Name and layout as sent, to recognise an identical second template. */
  fingerprint: string
  params: TemplateParam[]
  note: string
  trackingId: string
  status: TemplateStatus
  reason: string
  /** Increases with each submission, so that a late review never decides a newer text. */
  revision: number
  priceSdtVnd: number
  priceUidVnd: number
  createdAt: number
  previewUrl: string
  /** The platform's rating, based on customers; HIGH until it changes. */
  quality?: 'HIGH' | 'MEDIUM' | 'LOW'
}

export type Message = {
  msgId: string
  oaId: string
  channel: 'phone' | 'uid'
  recipient: string
  trackingId: string
  templateId: string
  /** The layout at the time of sending: later edits of the template do not change received messages. */
  layout: Layout
  params: Json
  developmentMode: boolean
  isRepeat: boolean
  chargeVnd: number
  acceptedAt: number
  deliveredAt: number | undefined
  deliveredCount: number
}

export type Oa = {
  id: string
  name: string
  /** Tokens issued under an earlier generation are expired. */
  tokenGeneration: number
  templates: Template[]
  /** How much of each limit is used, and the day or month that this is about. */
  used: Map<string, { period: number; n: number }>
  chargedVnd: number
  chargedCount: number
  webhookOff: boolean
  appId: string | undefined
  secret: string | undefined
}

export type Media = { id: string; type: string; sizeBytes: number; bytes: Buffer | undefined }

/** The consent of an OA's owner, until it is exchanged for tokens. */
export type ConsentCode = { oaId: string; appId: string; challenge: string; expiresAt: number }

export type IssuedToken = { oaId: string; generation: number; expiresAt: number }

export type EventLog = {
  at: number
  oaId: string
  eventName: string
  attempts: number
  outcome: 'waiting' | 'answered' | 'repeating' | 'given up' | 'suppressed' | 'lost' | 'no address'
  body: Json
}

export type State = {
  options: SimulatorOptions & { secret: string }
  settings: Settings
  random: () => number
  /** Increases at a reset, so that work scheduled before it never runs. */
  generation: number
  isClosed: boolean
  oas: Map<string, Oa>
  templates: Map<string, Template>
  nextTemplateId: number
  media: Map<string, Media>
  mediaBytes: number
  messages: Map<string, Message>
  /** Message ids in order of acceptance, a ring of `maxMessages`. */
  ring: string[]
  accepted: number
  /** Continues across a reset, unlike `accepted`. */
  nextMessageNumber: number
  msgIdPrefix: string
  /** The first message of each OA and tracking id. */
  byTracking: Map<string, string>
  duplicates: number
  dropped: number
  failedOnce: Set<string>
  /** Accepted SMS by id; their ids by the sender's request; and the requests that were lost once. */
  sms: Map<string, Sms>
  smsByRequest: Map<string, string>
  smsLostOnce: Set<string>
  tokens: Map<string, IssuedToken>
  /** By refresh token; only those that can still be used. */
  refreshTokens: Map<string, { oaId: string; expiresAt: number }>
  usedRefreshTokens: Set<string>
  consentCodes: Map<string, ConsentCode>
  faults: Fault[]
  events: EventLog[]
  minute: number
  requestsThisMinute: number
  onChange: () => void
}

/** A new, empty platform. */
export function newState(options: SimulatorOptions): State {
  // With a fixed secret, anyone could sign events.
  const kept = { ...options, secret: options.secret ?? randomBytes(24).toString('base64url') }
  const now = options.now ?? Date.now
  const random = seededRandom(options.seed ?? now() % 4_294_967_296)
  return {
    options: kept,
    settings: defaultSettings(kept),
    random,
    generation: 0,
    isClosed: false,
    nextTemplateId: 200_000 + Math.floor(random() * 700_000),
    nextMessageNumber: Math.floor(random() * 100_000_000),
    // Ten digits here and nine from the counter make nineteen, well beyond 2^53.
    msgIdPrefix:
      options.seed === undefined
        ? String(now()).slice(0, 10)
        : String(4_000_000_000 + Math.floor(random() * 1_000_000_000)),
    onChange: () => {},
    ...emptyTables(),
  }
}

/** Resets everything except the counters of ids, so that an id is never reused. */
export function resetState(state: State, keepTemplates: boolean): void {
  const { oas, templates, media, mediaBytes } = state
  const generation = state.generation + 1
  Object.assign(state, emptyTables(), { generation, settings: defaultSettings(state.options) })
  if (!keepTemplates) return
  for (const oa of oas.values()) oaOf(state, oa.id).templates = oa.templates
  Object.assign(state, { templates, media, mediaBytes })
}

function emptyTables() {
  return {
    oas: new Map<string, Oa>(),
    templates: new Map<string, Template>(),
    media: new Map<string, Media>(),
    mediaBytes: 0,
    messages: new Map<string, Message>(),
    ring: [],
    accepted: 0,
    byTracking: new Map<string, string>(),
    duplicates: 0,
    dropped: 0,
    failedOnce: new Set<string>(),
    sms: new Map<string, Sms>(),
    smsByRequest: new Map<string, string>(),
    smsLostOnce: new Set<string>(),
    tokens: new Map<string, IssuedToken>(),
    refreshTokens: new Map<string, { oaId: string; expiresAt: number }>(),
    usedRefreshTokens: new Set<string>(),
    consentCodes: new Map<string, ConsentCode>(),
    faults: [],
    events: [],
    minute: 0,
    requestsThisMinute: 0,
  }
}

export function nowMs(state: State): number {
  return (state.options.now ?? Date.now)() + state.settings.clockOffsetMs
}

/** The OA of this id, created on first use: any company may use the simulator. */
export function oaOf(state: State, oaId: string): Oa {
  let oa = state.oas.get(oaId)
  if (!oa) {
    oa = {
      id: oaId,
      name: `OA ${oaId}`,
      tokenGeneration: 0,
      templates: [],
      used: new Map(),
      chargedVnd: 0,
      chargedCount: 0,
      webhookOff: false,
      appId: undefined,
      secret: undefined,
    }
    state.oas.set(oaId, oa)
  }
  return oa
}

/** Runs `work` after `delayMs`, unless the simulator was reset or closed; does not keep the process alive. */
export function later(state: State, delayMs: number, work: () => void): void {
  const generation = state.generation
  setTimeout(() => {
    if (!state.isClosed && state.generation === generation) work()
  }, delayMs).unref()
}

const VIETNAM_OFFSET_MS = 7 * 3_600_000

/** The day's number in Vietnam, where daily quotas restart at midnight. */
export function vietnamDay(ms: number): number {
  return Math.floor((ms + VIETNAM_OFFSET_MS) / 86_400_000)
}

/** Month number in Vietnam. */
export function vietnamMonth(ms: number): number {
  const local = new Date(ms + VIETNAM_OFFSET_MS)
  return local.getUTCFullYear() * 12 + local.getUTCMonth()
}

export function isNight(ms: number): boolean {
  const hour = new Date(ms + VIETNAM_OFFSET_MS).getUTCHours()
  return hour >= 22 || hour < 6
}
