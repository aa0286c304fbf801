import { TIMINGS, type Timings } from '../timings.ts'
import type { OaCredentials, Platform, PlatformOutcome } from './types.ts'

/** The platform's calls, each with a circuit of its own for each official account. */
export const ENDPOINTS = [
  'sendToPhone',
  'sendToUid',
  'messageStatus',
  'messageQuota',
  'createTemplate',
  'editTemplate',
  'templateInfo',
  'listTemplates',
  'uploadImage',
] as const satisfies readonly (keyof Platform)[]

export type Endpoint = keyof Platform

/** Whether calls go through. Half-open: one probe may pass; `isProbing` once it has started. */
export type Circuit =
  | { state: 'closed' }
  | { state: 'open'; retryAt: Date }
  | { state: 'half-open'; isProbing: boolean }

export type Breaker = {
  /** Wraps a platform: while a circuit is open, its calls are refused at once (`surelyNotSent`). */
  wrap(platform: Platform): Platform
  circuit(oaId: string, endpoint: Endpoint): Circuit
  /**
   * Lets the next call of an account probe each endpoint whose circuit opened before `askedAt`, without waiting
   * further.
   * @returns whether there was such an endpoint.
   */
  tryAgain(oaId: string, askedAt: Date): boolean
  /** Every circuit with a recent failure, for the metrics. */
  list(): { oaId: string; endpoint: Endpoint; isOpen: boolean }[]
}

const FAILURES_IN_A_ROW = 10
const WINDOW_CALLS = 20

/** The `cause` of the outcome while a circuit is open. */
export const CIRCUIT_OPEN = 'the circuit is open'

type Entry = {
  oaId: string
  endpoint: Endpoint
  inARow: number
  /** The calls of the window, counted per second, newest last. */
  recent: { second: number; calls: number; failures: number }[]
  /** Undefined while closed. */
  openUntil: number | undefined
  openedAt: number
  pauseMs: number
  isProbing: boolean
}

/**
 * A circuit breaker for each official account and endpoint. Failures are unknown outcomes and transient refusals; any
 * other response proves that the platform works. Ten in a row, or more than half of at least twenty calls within 30
 * seconds, open the circuit for 15 seconds, doubled up to two minutes while its probe fails.
 */
export function createBreaker(clock: { now(): Date }, timings: Timings = TIMINGS): Breaker {
  const entries = new Map<string, Entry>()
  const now = () => clock.now().getTime()
  const find = (oaId: string, endpoint: Endpoint) => entries.get(`${endpoint} ${oaId}`)

  function circuit(oaId: string, endpoint: Endpoint): Circuit {
    const entry = find(oaId, endpoint)
    if (entry?.openUntil === undefined) return { state: 'closed' }
    if (now() < entry.openUntil) return { state: 'open', retryAt: new Date(entry.openUntil) }
    return { state: 'half-open', isProbing: entry.isProbing }
  }

  function open(entry: Entry): void {
    entry.openedAt = now()
    entry.openUntil = entry.openedAt + entry.pauseMs
    entry.pauseMs = Math.min(entry.pauseMs * 2, timings.breakerLongestPauseMs)
    entry.recent = []
    entry.inARow = 0
  }

  function note(oaId: string, endpoint: Endpoint, isFailure: boolean): void {
    let entry = find(oaId, endpoint)
    if (entry === undefined) {
      if (!isFailure) return
      entry = {
        oaId,
        endpoint,
        inARow: 0,
        recent: [],
        openUntil: undefined,
        openedAt: 0,
        pauseMs: timings.breakerFirstPauseMs,
        isProbing: false,
      }
      entries.set(`${endpoint} ${oaId}`, entry)
    }
    // A call that began before the circuit opened says nothing about the current state.
    if (entry.openUntil !== undefined) return
    count(entry.recent, now(), isFailure, timings.breakerWindowMs)
    entry.inARow = isFailure ? entry.inARow + 1 : 0
    const calls = entry.recent.reduce((sum, one) => sum + one.calls, 0)
    const failures = entry.recent.reduce((sum, one) => sum + one.failures, 0)
    if (failures === 0) entries.delete(`${endpoint} ${oaId}`)
    else if (entry.inARow >= FAILURES_IN_A_ROW || (calls >= WINDOW_CALLS && failures * 2 > calls)) {
      open(entry)
    }
  }

  async function probe<T>(
    entry: Entry,
    call: () => Promise<PlatformOutcome<T>>,
  ): Promise<PlatformOutcome<T>> {
    entry.isProbing = true
    let isFailure = true
    try {
      const outcome = await call()
      isFailure = isFailed(outcome)
      return outcome
    } finally {
      entry.isProbing = false
      if (isFailure) open(entry)
      else entries.delete(`${entry.endpoint} ${entry.oaId}`)
    }
  }

  async function guarded<T>(
    { oaId }: OaCredentials,
    endpoint: Endpoint,
    call: () => Promise<PlatformOutcome<T>>,
  ): Promise<PlatformOutcome<T>> {
    const at = circuit(oaId, endpoint)
    if (at.state === 'open' || (at.state === 'half-open' && at.isProbing)) {
      return { kind: 'unknown', cause: CIRCUIT_OPEN, surelyNotSent: true }
    }
    if (at.state === 'half-open') return probe(find(oaId, endpoint)!, call)
    let isFailure = true
    try {
      const outcome = await call()
      isFailure = isFailed(outcome)
      return outcome
    } finally {
      note(oaId, endpoint, isFailure)
    }
  }

  return {
    wrap: (platform) => ({
      uploadImage: (oa, ...rest) => guarded(oa, 'uploadImage', () => platform.uploadImage(oa, ...rest)),
      createTemplate: (oa, ...rest) =>
        guarded(oa, 'createTemplate', () => platform.createTemplate(oa, ...rest)),
      editTemplate: (oa, ...rest) => guarded(oa, 'editTemplate', () => platform.editTemplate(oa, ...rest)),
      templateInfo: (oa, ...rest) => guarded(oa, 'templateInfo', () => platform.templateInfo(oa, ...rest)),
      listTemplates: (oa, ...rest) => guarded(oa, 'listTemplates', () => platform.listTemplates(oa, ...rest)),
      sendToPhone: (oa, ...rest) => guarded(oa, 'sendToPhone', () => platform.sendToPhone(oa, ...rest)),
      sendToUid: (oa, ...rest) => guarded(oa, 'sendToUid', () => platform.sendToUid(oa, ...rest)),
      messageStatus: (oa, ...rest) => guarded(oa, 'messageStatus', () => platform.messageStatus(oa, ...rest)),
      messageQuota: (oa) => guarded(oa, 'messageQuota', () => platform.messageQuota(oa)),
    }),
    circuit,
    tryAgain(oaId, askedAt) {
      const at = now()
      const waiting = [...entries.values()].filter(
        (entry) => entry.oaId === oaId && at < (entry.openUntil ?? 0) && entry.openedAt <= askedAt.getTime(),
      )
      for (const entry of waiting) {
        entry.openUntil = at
        entry.pauseMs = timings.breakerFirstPauseMs
      }
      return waiting.length > 0
    },
    list: () =>
      [...entries.values()].map(({ oaId, endpoint, openUntil }) => ({
        oaId,
        endpoint,
        isOpen: openUntil !== undefined,
      })),
  }
}

/** Adds a call to its second of the window, and drops the seconds that have left the window. */
function count(recent: Entry['recent'], atMs: number, isFailure: boolean, windowMs: number): void {
  const second = Math.floor(atMs / 1000)
  while (recent.length > 0 && recent[0]!.second <= second - windowMs / 1000) recent.shift()
  let last = recent.at(-1)
  if (last?.second !== second) {
    last = { second, calls: 0, failures: 0 }
    recent.push(last)
  }
  last.calls += 1
  if (isFailure) last.failures += 1
}

/** A platform that states when it will continue, as at its rate limit, is working. */
function isFailed(outcome: PlatformOutcome<unknown>): boolean {
  if (outcome.kind === 'rejected') return outcome.class === 'transient' && outcome.retryAt === undefined
  return outcome.kind === 'unknown'
}
