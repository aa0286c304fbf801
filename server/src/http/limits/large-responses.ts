import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app-type.ts'

/** A response of more bytes than this is counted; one to a stranger, whose addresses nobody knows, is counted earlier. */
const LARGE_BYTES = 1024 * 1024
const LARGE_TO_STRANGER_BYTES = 64 * 1024
/** The most bytes of large responses that one shop, or one address without a shop, may leave unread in this process. */
const MOST_BYTES = 64 * 1024 * 1024
/** The most bytes that all strangers together may leave unread. Their documents share one copy, but each holds a connection. */
const MOST_TO_STRANGERS_BYTES = 256 * 1024 * 1024
const STRANGERS = 'strangers'
const RETRY_AFTER_SECONDS = 5

/**
 * Bounds the memory that callers hold by not reading their responses. A large response is counted until its last byte is
 * handed over; one beyond the bound becomes 429. A stranger is a caller without key, session or operator's token. A connection that takes no byte of a large response for `stuckMs` is closed.
 */
export function limitLargeResponses(app: App, stuckMs: number): void {
  const held = new Map<string, number>()

  function hold(whose: string, bytes: number): void {
    const all = (held.get(whose) ?? 0) + bytes
    if (all === 0) held.delete(whose)
    else held.set(whose, all)
  }

  app.addHook('onSend', (request: FastifyRequest, reply: FastifyReply, payload: unknown, done) => {
    const bytes = bytesOf(payload)
    const isStranger = request.shop === undefined && request.memberId === undefined && !request.isOperator
    if (bytes < (isStranger ? LARGE_TO_STRANGER_BYTES : LARGE_BYTES)) return done(null, payload)
    // The caller has disconnected: nothing is held for it, and `close`, which would end the count, is not emitted any more.
    if (reply.raw.destroyed) return done(null, payload)
    const whose = request.shop?.id ?? request.ip
    const wouldExceed = (of: string, most: number) => {
      const already = held.get(of) ?? 0
      return already > 0 && already + bytes > most
    }
    if (wouldExceed(whose, MOST_BYTES) || (isStranger && wouldExceed(STRANGERS, MOST_TO_STRANGERS_BYTES))) {
      for (const name of ['etag', 'cache-control', 'content-encoding']) reply.removeHeader(name)
      reply.code(429).type('application/json; charset=utf-8').header('retry-after', RETRY_AFTER_SECONDS)
      const error = `Too many large responses are not read yet. Read them, and retry in ${RETRY_AFTER_SECONDS} s`
      return done(null, JSON.stringify({ error }))
    }
    const all = isStranger ? [whose, STRANGERS] : [whose]
    for (const one of all) hold(one, bytes)
    reply.raw.once('close', () => {
      for (const one of all) hold(one, -bytes)
    })
    // The server closes a connection whose time-out passes; a byte that the caller takes begins it anew.
    if (request.raw.socket instanceof Socket) request.raw.socket.setTimeout(stuckMs)
    done(null, payload)
  })
}

function bytesOf(payload: unknown): number {
  if (Buffer.isBuffer(payload)) return payload.byteLength
  if (typeof payload !== 'string' || 3 * payload.length < LARGE_TO_STRANGER_BYTES) return 0
  return Buffer.byteLength(payload)
}
