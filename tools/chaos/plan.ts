import { seededRandom } from '../../simulator/src/random.ts'
import type { RestartMode } from '../shared/postgres.ts'

/** The parameters of a run; runs with the same seed and form have the same plan. */
export type Form = {
  sends: number
  shops: number
  kills: number
  freezes: number
  /** The share of the calls and events with a fault of the platform, 0 to 1. */
  faults: number
  /** How often every call to the platform is cut for a while, so that circuits open. */
  outages: number
  largestBatch: number
  /** How long a hanging call is held. */
  hangMs: number
  /** Factor on the platform's repeats of an event: 30 s, 5 min, 15 min, 30 min, 1 h. */
  repeatScale: number
  /** The timeout that a template states; after it, the policy settles unknown messages. */
  timeoutMs: number
  /** How long to wait at the end for messages in progress; the rest must be visibly pending. */
  settleMs: number
  /** PostgreSQL only: `restarts` needs a server of the run's own. */
  processes: number
  terminations: number
  restarts: RestartMode[]
}

export const SHORT: Form = {
  sends: 600,
  shops: 4,
  kills: 3,
  freezes: 1,
  faults: 0.05,
  outages: 0,
  largestBatch: 40,
  hangMs: 1_500,
  repeatScale: 0.005,
  timeoutMs: 3_000,
  settleMs: 15_000,
  processes: 3,
  terminations: 3,
  restarts: ['immediate'],
}

export const LONG: Form = {
  ...SHORT,
  sends: 10_000,
  shops: 8,
  kills: 20,
  freezes: 3,
  outages: 2,
  largestBatch: 300,
  // Longer than the service waits for a response.
  hangMs: 12_000,
  repeatScale: 0.02,
  timeoutMs: 20_000,
  settleMs: 180_000,
  terminations: 12,
  restarts: ['fast', 'immediate'],
}

/** The form for use within the tests, whose server is shared. */
export const BRIEF: Form = {
  ...SHORT,
  sends: 200,
  shops: 2,
  kills: 2,
  largestBatch: 20,
  settleMs: 4_000,
  processes: 2,
  terminations: 2,
  restarts: [],
}

/** The form with a different number of sends, and the same number of disruptions per send. */
export function scaled(form: Form, sends: number): Form {
  const scale = (n: number) => (n === 0 ? 0 : Math.max(1, Math.round((n * sends) / form.sends)))
  const { kills, freezes, outages, terminations } = form
  return {
    ...form,
    sends,
    kills: scale(kills),
    freezes: scale(freezes),
    outages: scale(outages),
    terminations: scale(terminations),
  }
}

export type PlannedMessage = {
  /** Part of the message's values, so that every copy can be identified. */
  key: string
  channel: 'phone' | 'uid'
  recipient: string
}

export type PlannedSend = {
  /** The Idempotency-Key. */
  key: string
  shop: number
  /** How long the partner waits for the first attempt before it repeats the request. */
  patienceMs: number
} & (
  | { kind: 'single'; message: PlannedMessage; isAsync: boolean }
  | { kind: 'batch'; messages: PlannedMessage[]; cancelAfterMs: number | undefined }
)

export type Disruption = { at: number } & (
  | { kind: 'kill'; processes: number[]; downMs: number }
  | { kind: 'freeze'; process: number; forMs: number }
  | { kind: 'terminate'; share: number; seed: number }
  | { kind: 'restart'; mode: RestartMode }
  | { kind: 'outage'; forMs: number }
)

export type Policy = 'release' | 'resend-once'

export type Plan = {
  sends: PlannedSend[]
  /** In order; `at` is the number of messages that the platform has accepted by then. */
  disruptions: Disruption[]
  /** The UNKNOWN_POLICY of each start of a process, in turn. */
  policies: Policy[]
}

/**
 * Last digits of a phone number or UID that trigger special behaviour in the simulator (docs/reference/platform.md "The
 * simulator").
 */
export const SIGNS = {
  noAccount: '0001',
  refusesOa: '0002',
  neverDelivered: '0003',
  deliveredTwice: '0004',
  hangsAndDelivered: '0005',
  hangsAndLost: '0006',
  failsOnce: '0007',
  receiptFirst: '0008',
} as const

const SIGNED_SHARE = 0.08
const BATCH_SHARE = 0.4
const ASYNC_SHARE = 0.1
const IMPATIENT_SHARE = 0.05
const CANCELLED_SHARE = 0.15
const PATIENCE_MS = 30_000
/** A freeze that is longer than the lease of the process's messages in progress. */
const LONG_FREEZE_MS = 75_000

/** Makes all random choices of a run from its seed. */
export function makePlan(form: Form, seed: number, onPostgres: boolean): Plan {
  const random = seededRandom(seed)
  const upTo = (n: number) => Math.floor(random() * n)
  const signs = Object.values(SIGNS)

  let made = 0
  function message(): PlannedMessage {
    const n = made
    made += 1
    const ending =
      random() < SIGNED_SHARE ? signs[upTo(signs.length)]! : `9${String(n % 1000).padStart(3, '0')}`
    const channel = random() < 0.3 ? 'uid' : 'phone'
    const digits = `${String(n % 10_000).padStart(4, '0')}${ending}`
    return { key: `DH${n}`, channel, recipient: channel === 'phone' ? `843${digits}` : `uid-${digits}` }
  }

  const sends: PlannedSend[] = []
  while (made < form.sends) {
    const isImpatient = random() < IMPATIENT_SHARE
    const common = {
      key: `chaos-${sends.length}`,
      shop: upTo(form.shops),
      patienceMs: isImpatient ? 20 + upTo(400) : PATIENCE_MS,
    }
    const left = form.sends - made
    // This makes BATCH_SHARE apply to messages, not to calls.
    const isBatch = random() < BATCH_SHARE / (1 - BATCH_SHARE) / (form.largestBatch / 2)
    if (isBatch) {
      const size = Math.min(left, 1 + upTo(form.largestBatch))
      const cancelAfterMs = random() < CANCELLED_SHARE ? upTo(500) : undefined
      sends.push({ ...common, kind: 'batch', messages: Array.from({ length: size }, message), cancelAfterMs })
    } else {
      sends.push({ ...common, kind: 'single', message: message(), isAsync: random() < ASYNC_SHARE })
    }
  }

  const processes = onPostgres ? form.processes : 1
  const kinds: Exclude<Disruption, 'at'>['kind'][] = [
    ...Array(form.kills).fill('kill'),
    ...Array(form.freezes).fill('freeze'),
    ...Array(form.outages).fill('outage'),
    ...(onPostgres ? Array(form.terminations).fill('terminate') : []),
    ...(onPostgres ? form.restarts.map(() => 'restart') : []),
  ]
  shuffle(kinds, random)
  let restarts = 0
  let freezes = 0
  const disruptions = kinds.map((kind, place): Disruption => {
    // Spread over the run, but not up to its end: the platform refuses or loses some messages, so it accepts fewer than
    // are sent.
    const at = Math.floor(form.sends * (0.05 + (0.75 * (place + random())) / kinds.length))
    switch (kind) {
      case 'kill': {
        const isEverything = random() < 0.2
        const killed = isEverything ? Array.from({ length: processes }, (_, n) => n) : [upTo(processes)]
        return { at, kind, processes: killed, downMs: upTo(800) }
      }
      case 'freeze': {
        freezes += 1
        const isLong = form.sends >= LONG.sends && processes > 1 && freezes === 1
        return { at, kind, process: upTo(processes), forMs: isLong ? LONG_FREEZE_MS : 500 + upTo(3_000) }
      }
      case 'terminate':
        return { at, kind, share: 0.2 + random() * 0.6, seed: random() }
      case 'restart': {
        restarts += 1
        return { at, kind, mode: form.restarts[restarts - 1]! }
      }
      default:
        return { at, kind, forMs: 1_000 + upTo(2_000) }
    }
  })
  const policies = Array.from({ length: 100 }, (): Policy => (random() < 0.5 ? 'release' : 'resend-once'))
  return { sends, disruptions, policies }
}

function shuffle(list: unknown[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[list[i], list[j]] = [list[j], list[i]]
  }
}

/** The simulator's faults, of every kind, that together affect `share` of its calls. */
export function faultsOf(share: number): object[] {
  const calls = ['hang', 'reset', '5xx', 'html', 'truncated', 'outage'].flatMap((kind) => [
    { kind, endpoint: '*', applied: false },
    { kind, endpoint: '*', applied: true },
  ])
  const slow = { kind: 'latency', endpoint: '*', latencyMs: 200, jitterMs: 800 }
  const events = [
    { kind: 'lost' },
    { kind: 'bad-signature' },
    { kind: 'outage' },
    // Reordered and repeated events are as frequent as all other faults together.
    { kind: 'twice', weight: 3 },
    { kind: 'latency', latencyMs: 500, jitterMs: 5_000, weight: 3 },
  ]
  const weightOfEvents = events.reduce((sum, { weight = 1 }) => sum + weight, 0)
  return [
    ...[...calls, slow].map((fault) => ({ ...fault, share: share / (calls.length + 1) })),
    ...events.map(({ weight = 1, ...fault }) => ({
      ...fault,
      endpoint: 'events',
      share: (share * weight) / weightOfEvents,
    })),
  ]
}
