import { createHash } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { drawEventFaults } from './faults/faults.ts'
import type { Json } from './read.ts'
import type { Settings } from './settings.ts'
import { type EventLog, later, nowMs, oaOf, type State } from './state.ts'

/** Delays between the platform's repeats; after the last one it disables the webhook. */
const REPEATS_MS = [30_000, 300_000, 900_000, 1_800_000, 3_600_000]
const MAX_LOG = 1000
const MAX_WAITING = 200_000
const MAX_AT_ONCE = 64

/** Hex of the signature over the raw body: SHA-256 of app id, body, timestamp and secret together. */
function signatureOf(appId: string, rawBody: string, timestamp: string, secret: string): string {
  return createHash('sha256').update(`${appId}${rawBody}${timestamp}${secret}`).digest('hex')
}

/** The address that events are sent to: the saved one, or else the one under the receiver's base address. */
export function webhookAddress({ webhookAddress, webhookUrl }: Settings): string | undefined {
  if (webhookAddress !== undefined) return webhookAddress
  const base = typeof webhookUrl === 'function' ? webhookUrl() : webhookUrl
  return base ? `${base.replace(/\/+$/, '')}/hooks/platform` : undefined
}

export type Events = {
  /** Sends an event in the background. */
  emit: (oaId: string, eventName: string, fields: Json) => void
  /** Sends an event and waits for the response to the first attempt. */
  emitAndWait: (oaId: string, eventName: string, fields: Json) => Promise<void>
  /** Whether an address that is about to be saved responds with 200. It is called without an event or a signature. */
  checkAddress: (address: string) => Promise<boolean>
  close: () => void
}

type Waiting = { log: EventLog; generation: number }

/** Creates the sender of signed events to the app's address, with the platform's repeats. */
export function eventSender(state: State): Events {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: MAX_AT_ONCE }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: MAX_AT_ONCE }),
  }
  let waiting: Waiting[] = []
  let head = 0
  let active = 0

  function record(oaId: string, eventName: string, fields: Json): EventLog {
    const at = nowMs(state)
    const appId = oaOf(state, oaId).appId ?? state.settings.appId
    // As on the platform, the event itself names the account: the app has only one address.
    const isNamed = ['oa_id', 'oaId', 'sender', 'recipient'].some((field) => field in fields)
    const named = isNamed ? fields : { oa_id: oaId, ...fields }
    const body = { event_name: eventName, app_id: appId, ...named, timestamp: String(at) }
    const log: EventLog = { at, oaId, eventName, attempts: 0, outcome: 'waiting', body }
    state.events.push(log)
    // Old events are dropped in blocks: shifting the list at every event would cost more than the event.
    if (state.events.length > MAX_LOG * 2) state.events.splice(0, MAX_LOG)
    return log
  }

  function enqueue(log: EventLog): void {
    if (waiting.length - head >= MAX_WAITING) {
      log.outcome = 'lost'
      return
    }
    waiting.push({ log, generation: state.generation })
    pump()
  }

  function pump(): void {
    while (active < MAX_AT_ONCE && head < waiting.length && !state.isClosed) {
      const next = waiting[head]
      head += 1
      if (head > 1000 && head * 2 > waiting.length) {
        waiting = waiting.slice(head)
        head = 0
      }
      if (!next || next.generation !== state.generation) continue
      active += 1
      void attempt(next.log).finally(() => {
        active -= 1
        pump()
      })
    }
  }

  async function attempt(log: EventLog): Promise<void> {
    const { settings } = state
    const address = webhookAddress(settings)
    const oa = oaOf(state, log.oaId)
    if (settings.suppressEvents || oa.webhookOff) log.outcome = 'suppressed'
    if (!address) log.outcome = 'no address'
    if (!address || settings.suppressEvents || oa.webhookOff) return

    const faults = drawEventFaults(state, log.eventName)
    if (faults.kinds.has('lost')) {
      log.outcome = 'lost'
      return
    }
    if (faults.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.latencyMs).unref())
    const raw = JSON.stringify(log.attempts === 0 ? log.body : { ...log.body, num_retry: log.attempts })
    const secret = oa.secret ?? settings.secret
    const mac = signatureOf(
      oa.appId ?? settings.appId,
      raw,
      String(log.body.timestamp),
      faults.kinds.has('bad-signature') ? `not-${secret}` : secret,
    )
    const generation = state.generation
    log.attempts += 1
    let isAnswered = !faults.kinds.has('outage') && (await post(address, raw, mac))
    if (faults.kinds.has('twice')) isAnswered = (await post(address, raw, mac)) || isAnswered
    if (isAnswered) log.outcome = 'answered'
    else if (generation === state.generation) repeat(log)
  }

  function repeat(log: EventLog): void {
    const delayMs = REPEATS_MS[log.attempts - 1]
    if (delayMs === undefined) {
      log.outcome = 'given up'
      oaOf(state, log.oaId).webhookOff = true
      return
    }
    log.outcome = 'repeating'
    later(state, delayMs * state.settings.repeatScale, () => enqueue(log))
  }

  function post(address: string, raw: string, mac: string | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      let url: URL
      try {
        url = new URL(address)
      } catch {
        resolve(false)
        return
      }
      const isHttps = url.protocol === 'https:'
      const call = (isHttps ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: agents[isHttps ? 'https:' : 'http:'],
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(raw),
          ...(mac === undefined ? {} : { 'x-zevent-signature': `mac=${mac}` }),
        },
      })
      const timer = setTimeout(() => call.destroy(), state.settings.eventTimeoutMs)
      timer.unref()
      const finish = (isAnswered: boolean) => {
        clearTimeout(timer)
        resolve(isAnswered)
      }
      call.on('response', (res) => {
        res.resume()
        res.on('end', () => finish(res.statusCode === 200))
        res.on('error', () => finish(false))
      })
      call.on('error', () => finish(false))
      call.on('close', () => finish(false))
      call.end(raw)
    })
  }

  return {
    emit: (oaId, eventName, fields) => enqueue(record(oaId, eventName, fields)),
    checkAddress: (address) => post(address, '{}', undefined),
    emitAndWait: (oaId, eventName, fields) => attempt(record(oaId, eventName, fields)),
    close: () => {
      waiting = []
      head = 0
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}
