import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Area, Stamps } from '../../db/fragments/change-stamps-sql.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { createShelves } from '../../lib/shelves.ts'
import { stampOf } from './replica-reads.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** All that a 200 of this GET is made of, beside its address: a repeated one is answered without reading it again. */
    reads?: readonly Area[]
  }
  interface FastifyRequest {
    /** What the areas were at before the handler read them; undefined where nobody looked. */
    stampBefore: string | undefined
  }
}

/** `stamp` and `body` are undefined where the address was asked for once only. */
type Kept = { etag: string; stamp: string | undefined; body: Buffer | undefined }

/**
 * The hooks of repeated reads (G-70), for GETs that name what they read and callers with a key. An answer is kept with
 * the stamp of its areas that was looked up before it was read, and given again only where a look-up begun after the
 * request arrived finds the same stamp: so it is never older than the request (decision 0025). An address that is asked
 * for the first time costs no look-up, and its answer is not kept. `stampsOf` begins its look-up after it is asked. `maxBytes` 0: no answer is kept.
 */
export function buildRepeatedReads(stampsOf: (shopId: ObjectId) => Promise<Stamps>, maxBytes: number) {
  const kept = maxBytes === 0 ? undefined : createShelves<Kept>(maxBytes)

  function areasOf({ routeOptions, shop }: FastifyRequest): readonly Area[] | undefined {
    return shop.keyId === undefined ? undefined : routeOptions.config.reads
  }

  /** preHandler: answers what is kept and still right. */
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const areas = areasOf(request)
    if (areas === undefined || kept === undefined) return undefined
    const { shop, url } = request
    const known = kept.get(shop.id, url)
    if (known === undefined) return undefined
    const stamp = stampOf(await stampsOf(shop.id), areas)
    if (known.stamp !== stamp) {
      request.stampBefore = stamp
      return undefined
    }
    setHeaders(reply, known.etag)
    if (isHeld(request, known.etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(known.body)
  }

  /** onSend: gives what the handler read its ETag, and keeps it. */
  function keep(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void {
    if (reply.statusCode !== 200 || typeof payload !== 'string' || areasOf(request) === undefined) {
      done(null, payload)
      return
    }
    const body = Buffer.from(payload)
    // A record that people change has its version in the tag (G-71).
    const etag = String(reply.getHeader('etag') ?? `"${hash('sha1', body, 'base64url')}"`)
    const stamp = request.stampBefore
    const isKept = stamp !== undefined
    const value = { etag, stamp, body: isKept ? body : undefined }
    kept?.set(request.shop.id, request.url, value, isKept ? body.length : 0)
    setHeaders(reply, etag)
    if (isHeld(request, etag)) {
      reply.code(304).removeHeader('content-type')
      done(null, null)
    } else done(null, body)
  }

  return { answer, keep }
}

/** Only for its caller, and to be asked about before each use: the answer may be another at any moment. */
function setHeaders(reply: FastifyReply, etag: string): void {
  reply.header('etag', etag)
  reply.header('cache-control', 'private, no-cache')
  reply.header('vary', 'x-api-key')
}

/** Whether the caller holds the answer already; a HEAD is answered with its headers in any case. */
function isHeld({ method, headers }: FastifyRequest, etag: string): boolean {
  const held = headers['if-none-match']
  if (held === undefined || method !== 'GET') return false
  return held.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
