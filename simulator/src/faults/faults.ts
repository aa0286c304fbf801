import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asJson, asList, asNumber, asText } from '../read.ts'
import { nowMs, type State } from '../state.ts'
import { CALL_FAULTS, type Fault, type FaultKind, KINDS } from './fault-kinds.ts'

/** A fault read from the control call, or the problem with it. */
function readFault(input: unknown, now: number): Fault | string {
  const body = asJson(input)
  const kind = KINDS.find((name) => name === body.kind)
  if (kind === undefined) return `kind must be one of ${KINDS.join(', ')}`
  const onlyEvents = kind === 'bad-signature' || kind === 'lost' || kind === 'twice'
  const from = instant(body.from) ?? now + (asNumber(body.afterMs) ?? 0)
  const forMs = asNumber(body.forMs)
  return {
    kind,
    endpoint: asText(body.endpoint) || (onlyEvents ? 'events' : '*'),
    share: asNumber(body.share) ?? 1,
    from,
    until: instant(body.until) ?? (forMs === undefined ? Number.MAX_SAFE_INTEGER : from + forMs),
    times: asNumber(body.times) ?? Number.MAX_SAFE_INTEGER,
    latencyMs: asNumber(body.latencyMs) ?? 1000,
    jitterMs: asNumber(body.jitterMs) ?? 0,
    status: asNumber(body.status) ?? 502,
    applied: typeof body.applied === 'boolean' ? body.applied : kind === 'truncated',
    hits: 0,
  }
}

/** Reads all faults of a control call: `{faults: [...]}` or the bare list. */
export function readFaults(input: unknown, now: number): Fault[] | string {
  const faults: Fault[] = []
  const items = Array.isArray(input) ? input : asList(asJson(input).faults)
  for (const [index, item] of items.entries()) {
    const fault = readFault(item, now)
    if (typeof fault === 'string') return `faults[${index}]: ${fault}`
    faults.push(fault)
  }
  return faults
}

function instant(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function isDrawn(state: State, fault: Fault, now: number): boolean {
  if (now < fault.from || now >= fault.until || fault.hits >= fault.times) return false
  if (fault.share < 1 && state.random() >= fault.share) return false
  fault.hits += 1
  return true
}

/** The faults of one event that is about to be posted. */
export function drawEventFaults(
  state: State,
  eventName: string,
): { kinds: Set<FaultKind>; latencyMs: number } {
  const kinds = new Set<FaultKind>()
  let latencyMs = 0
  if (state.faults.length === 0) return { kinds, latencyMs }
  const now = nowMs(state)
  for (const fault of state.faults) {
    const named = fault.endpoint === 'events' || fault.endpoint === `events:${eventName}`
    const isEverywhere = fault.endpoint === '*' && fault.kind === 'outage'
    if ((!named && !isEverywhere) || !isDrawn(state, fault, now)) continue
    kinds.add(fault.kind)
    if (fault.kind === 'latency') latencyMs += fault.latencyMs + Math.floor(state.random() * fault.jitterMs)
  }
  return { kinds, latencyMs }
}

/** Applies the faults to all calls of a part of the platform. */
export function faultHooks(part: FastifyInstance, state: State): void {
  part.addHook('onRequest', async (req, reply) => {
    if (state.faults.length > 0) return applyFaults(state, req, reply)
  })
  part.addHook('onSend', async (req, reply, payload) => {
    return state.faults.length > 0 ? corruptAnswer(state, req, reply, payload) : payload
  })
}

const pending = new WeakMap<FastifyRequest, Fault>()

/** Applies the faults of a call before its work: waits, cuts it off, or marks its response to be corrupted. */
async function applyFaults(state: State, req: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const path = req.url.split('?', 1)[0]
  const now = nowMs(state)
  let latencyMs = 0
  let chosen: Fault | undefined
  for (const fault of state.faults) {
    if (fault.endpoint !== '*' && fault.endpoint !== path) continue
    if (!CALL_FAULTS.some((kind) => kind === fault.kind)) continue
    if (chosen && fault.kind !== 'latency') continue
    if (!isDrawn(state, fault, now)) continue
    if (fault.kind === 'latency') latencyMs += fault.latencyMs + Math.floor(state.random() * fault.jitterMs)
    else chosen = fault
  }
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
  if (!chosen) return undefined
  if (chosen.applied) {
    pending.set(req, chosen)
    return undefined
  }
  switch (chosen.kind) {
    case 'hang':
      return hang(state, reply)
    case 'reset':
    case 'outage':
      return cut(reply)
    case '5xx':
      return reply.code(chosen.status).type('text/html').send(ERROR_PAGE)
    case 'truncated':
      return reply.type('application/json').send('{"error":0,"message":"Succ')
    default:
      return reply.type('text/html').send(ERROR_PAGE)
  }
}

/** Corrupts the response of a completed call, if a fault requires it. */
async function corruptAnswer(
  state: State,
  req: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const fault = pending.get(req)
  if (!fault) return payload
  pending.delete(req)
  switch (fault.kind) {
    case 'truncated':
      return typeof payload === 'string' ? payload.slice(0, Math.floor(payload.length / 2)) : payload
    case '5xx':
      reply.code(fault.status)
      reply.type('text/html')
      return ERROR_PAGE
    case 'html':
      reply.type('text/html')
      return ERROR_PAGE
    case 'hang':
      await hang(state, reply)
      return payload
    default:
      cut(reply)
      return payload
  }
}

const ERROR_PAGE = '<!doctype html><html><body><h1>Service temporarily unavailable</h1></body></html>'

/** Sends no response until the caller disconnects or the time is up, then cuts the connection. */
export async function hang(state: State, reply: FastifyReply): Promise<FastifyReply> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, state.settings.hangMs)
    timer.unref()
    reply.raw.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  return cut(reply)
}

/** Ends the connection without a response; the caller sees a reset. */
export function cut(reply: FastifyReply): FastifyReply {
  reply.hijack()
  const socket = reply.raw.socket
  if (socket) socket.resetAndDestroy()
  else reply.raw.destroy()
  return reply
}
