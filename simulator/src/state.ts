import { randomBytes } from 'node:crypto'
import type { Fault } from './fault-kinds.ts'
import type { Layout } from './layout.ts'
import { seededRandom } from './random.ts'
import type { Json } from './read.ts'

export type SimulatorOptions = {
  /** Base address of the receiver; events go to `${webhookUrl}/hooks/platform/{oaId}`. None: no events. */
  webhookUrl?: string | (() => string)
  /** Time until a template is decided; below 0 only by hand. Default 3000. */
  reviewMs?: number
  /** Time from accepting a message to its receipt. Default 300. */
  deliveryMs?: number
  /** Fixes ids and the shares of faults. Without it ids differ from run to run, as a real platform's do. */
  seed?: number
  /** How long a hanging call is held before the connection is cut. Default 30 000. */
  hangMs?: number
  /** Time that an event's receiver has to answer 200. Default 2000. */
  eventTimeoutMs?: number
  /** Factor on the delays of repeated events (30 s, 5 min, 15 min, 30 min, 1 h). Default 1. */
  repeatScale?: number
  /** What templates name as the time after which a message is no longer delivered. Default 2 hours. */
  templateTimeoutMs?: number
  /** The host name or address that it listens on, where that is not the loopback; see desk-guard.ts. */
  host?: string
  /** Signing values of events where an OA has none of its own; a random secret by default. */
  appId?: string
  secret?: string
  /** Newest messages kept; older ones are forgotten, their charge stays in the totals. Default 200 000. */
  maxMessages?: number
  /** A file that keeps templates and tokens over a restart. None: everything is forgotten. */
  statePath?: string
  now?: () => number
  logger?: boolean | { level: string }
}

export type TemplateStatus = 'PENDING_REVIEW' | 'ENABLE' | 'REJECT' | 'DISABLE' | 'DELETE'

export type TemplateParam = { name: string; type: string; sampleValue: string; maxLength: number }

export type Template = {
  id: string
  oaId: string
  name: string
  type: number
  tag: '1' | '2' | '3'
  layout: Layout
  /** Name and layout as sent, to recognise a second template that is the same. */
  fingerprint: string
  params: TemplateParam[]
  note: string
  trackingId: string
  status: TemplateStatus
  reason: string
  /** One more at each submission, so that a late review never decides a newer text. */
  revision: number
  priceSdtVnd: number
  priceUidVnd: number
  createdAt: number
  previewUrl: string
  /** As the platform judges it by its customers; HIGH until it says otherwise. */
  quality?: 'HIGH' | 'MEDIUM' | 'LOW'
}

export type Message = {
  msgId: string
  oaId: string
  channel: 'phone' | 'uid'
  recipient: string
  trackingId: string
  templateId: string
  /** The layout at the time of sending: an edit of the template leaves what was received alone. */
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
  /** Tokens issued under an earlier number are expired. */
  tokenGeneration: number
  templates: Template[]
  /** How much of each limit is used, in which day or month. */
  used: Map<string, { period: number; n: number }>
  chargedVnd: number
  chargedCount: number
  webhookOff: boolean
  appId: string | undefined
  secret: string | undefined
}

export type Media = { id: string; type: string; sizeBytes: number; bytes: Buffer | undefined }

export type IssuedToken = { oaId: string; generation: number; expiresAt: number }

export type EventLog = {
  at: number
  oaId: string
  eventName: string
  attempts: number
  outcome: 'waiting' | 'answered' | 'repeating' | 'given up' | 'suppressed' | 'lost' | 'no address'
  body: Json
}

export type Settings = {
  webhookUrl: string | (() => string) | undefined
  reviewMs: number
  deliveryMs: number
  hangMs: number
  eventTimeoutMs: number
  repeatScale: number
  templateTimeoutMs: number
  appId: string
  secret: string
  dropRepeatedTrackingId: boolean
  suppressEvents: boolean
  /** Refuse between 22:00 and 06:00 in Vietnam; off, so that tests pass at any hour. */
  nightWindow: boolean
  dailyQuota: number
  templateDailyQuota: number
  monthlyPromotionQuota: number
  /** Messages a day of one template, and to one recipient from one OA; 0: no limit. */
  templateSendsPerDay: number
  recipientSendsPerDay: number
  templateCreatesPerDay: number
  templateEditsPerDay: number
  /** What each OA has paid the platform, in đồng: it may be charged no more. */
  walletVnd: number
  /** 0: no limit. */
  requestsPerMinute: number
  /** Phones that development mode reaches; empty: any. */
  administrators: string[]
  clockOffsetMs: number
}

export type State = {
  options: SimulatorOptions & { secret: string }
  settings: Settings
  random: () => number
  /** Moves on at a reset, so that what was waiting before it never happens. */
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
  /** Goes on over a reset, unlike `accepted`. */
  nextMessageNumber: number
  msgIdPrefix: string
  /** First message of each OA and tracking id. */
  byTracking: Map<string, string>
  duplicates: number
  dropped: number
  failedOnce: Set<string>
  tokens: Map<string, IssuedToken>
  /** Refresh token → its OA, while it can still be used. */
  refreshTokens: Map<string, string>
  usedRefreshTokens: Set<string>
  faults: Fault[]
  events: EventLog[]
  minute: number
  requestsThisMinute: number
  onChange: () => void
}

/** A new, empty platform. */
export function newState(options: SimulatorOptions): State {
  // A secret that is written down here would let anybody sign events.
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
    // Ten digits here and nine of the counter: nineteen, well beyond 2^53.
    msgIdPrefix:
      options.seed === undefined
        ? String(now()).slice(0, 10)
        : String(4_000_000_000 + Math.floor(random() * 1_000_000_000)),
    onChange: () => {},
    ...emptyTables(),
  }
}

/** Forgets everything but the counters of ids, so that an id never names two things. */
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
    tokens: new Map<string, IssuedToken>(),
    refreshTokens: new Map<string, string>(),
    usedRefreshTokens: new Set<string>(),
    faults: [],
    events: [],
    minute: 0,
    requestsThisMinute: 0,
  }
}

function defaultSettings(options: SimulatorOptions & { secret: string }): Settings {
  return {
    webhookUrl: options.webhookUrl,
    reviewMs: options.reviewMs ?? 3000,
    deliveryMs: options.deliveryMs ?? 300,
    hangMs: options.hangMs ?? 30_000,
    eventTimeoutMs: options.eventTimeoutMs ?? 2000,
    repeatScale: options.repeatScale ?? 1,
    templateTimeoutMs: options.templateTimeoutMs ?? 7_200_000,
    appId: options.appId ?? 'simulator',
    secret: options.secret,
    dropRepeatedTrackingId: false,
    suppressEvents: false,
    nightWindow: false,
    dailyQuota: 1_000_000,
    templateDailyQuota: 1_000_000,
    monthlyPromotionQuota: 1_000_000,
    templateSendsPerDay: 0,
    recipientSendsPerDay: 0,
    templateCreatesPerDay: 100,
    templateEditsPerDay: 100,
    walletVnd: 1_000_000_000_000,
    requestsPerMinute: 0,
    administrators: [],
    clockOffsetMs: 0,
  }
}

export function nowMs(state: State): number {
  return (state.options.now ?? Date.now)() + state.settings.clockOffsetMs
}

/** The OA of this id, made on first sight: any company is free to use the simulator. */
export function oaOf(state: State, oaId: string): Oa {
  let oa = state.oas.get(oaId)
  if (!oa) {
    oa = {
      id: oaId,
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

/** Runs `work` after a while, unless the simulator was reset or closed; never holds the process open. */
export function later(state: State, delayMs: number, work: () => void): void {
  const generation = state.generation
  setTimeout(() => {
    if (!state.isClosed && state.generation === generation) work()
  }, delayMs).unref()
}

const VIETNAM_OFFSET_MS = 7 * 3_600_000

/** Day number in Vietnam, where quotas start afresh at midnight. */
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
