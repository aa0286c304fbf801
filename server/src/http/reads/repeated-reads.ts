import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Area, Stamps } from '../../db/fragments/change-stamps-sql.ts'
import { createCacheByOwner } from '../../lib/cache-by-owner.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { isTagHeld } from '../entity-tags.ts'
import { areasOf, stampOf } from './replica-reads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The stamp of the areas before the handler read them; undefined when it was not looked up. */
    stampBefore: string | undefined
  }
}

/** A kept response. `stamp` and `body` are undefined when the address has been requested only once. */
type Kept = { etag: string; stamp: string | undefined; body: Buffer | undefined }

/**
 * The hooks for repeated reads (G-70). They apply to GETs that name the areas they read, from callers with a key. A
 * response is kept with the stamp that its areas had before it was read. It is sent again only if a look-up that began
 * after the new request arrived finds the same stamp, so a response is never older than its request (decision 0025).
 * The first request for an address costs no look-up, and its body is not kept. `stampsOf` must begin its look-up after
 * it is called. With `maxBytes` 0, nothing is kept.
 */
export function buildRepeatedReads(stampsOf: (shopId: ObjectId) => Promise<Stamps>, maxBytes: number) {
  const kept = maxBytes === 0 ? undefined : createCacheByOwner<Kept>(maxBytes)

  function keptAreas(request: FastifyRequest): readonly Area[] | undefined {
    return request.shop.keyId === undefined ? undefined : areasOf(request)
  }

  /** preValidation: answers with the kept response if it is still current. Its query was valid when it was kept. */
  function answer(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const areas = keptAreas(request)
    const known = areas === undefined ? undefined : kept?.get(request.shop.id, request.url)
    if (areas === undefined || known === undefined) {
      done()
      return
    }
    const { etag, body } = known
    stampsOf(request.shop.id)
      .then((stamps) => {
        const stamp = stampOf(stamps, areas)
        if (known.stamp !== stamp) {
          request.stampBefore = stamp
          done()
          return
        }
        setHeaders(reply, etag)
        if (isHeld(request, etag)) reply.code(304).send()
        else reply.type('application/json; charset=utf-8').send(body)
      })
      .catch(done)
  }

  /** onSend: adds the ETag to what the handler read, and keeps the response. */
  function keep(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void {
    if (reply.statusCode !== 200 || typeof payload !== 'string' || keptAreas(request) === undefined) {
      done(null, payload)
      return
    }
    // A record that people change already has an ETag, made from its version (G-71).
    const etag = String(reply.getHeader('etag') ?? `"${hash('sha1', payload, 'base64url')}"`)
    const stamp = request.stampBefore
    const body = stamp === undefined ? undefined : ownBytes(payload)
    kept?.set(request.shop.id, request.url, { etag, stamp, body }, body?.length ?? 0)
    setHeaders(reply, etag)
    if (isHeld(request, etag)) {
      reply.code(304).removeHeader('content-type')
      done(null, null)
    } else done(null, body ?? payload)
  }

  return { answer, keep }
}

/** In memory of its own: a small buffer of `Buffer.from` would keep the 8 KB that it shares with others. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/**
 * Lets only the caller cache the response, and makes it revalidate before each use: the data may change at any moment.
 */
function setHeaders(reply: FastifyReply, etag: string): void {
  reply.header('etag', etag)
  reply.header('cache-control', 'private, no-cache')
  reply.header('vary', 'x-api-key')
}

/**
 * Whether the caller already has the current response. Never true for a HEAD request, which always gets the headers.
 */
function isHeld({ method, headers }: FastifyRequest, etag: string): boolean {
  return method === 'GET' && isTagHeld(headers['if-none-match'], etag)
}
