import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from '../formats/encoding.ts'

/** A shorter response fits into the packet that its headers need anyway. */
const WORTH_BYTES = 1_400
/** At level 4, a list of 20 orders shrinks from 54 KB to 5 KB in 1 ms. Higher levels take longer than they save. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 5 }

const encoders = {
  br: (bytes: string) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: string) => promisify(gzip)(bytes, GZIP),
}

/**
 * onSend, after every hook that reads the response: compresses responses to a person's session, which often travel over
 * a mobile network. A strong ETag identifies the bytes that are sent, so the encoding is added to it, as proxies do
 * (G-71). Responses to keys are not compressed, because their ETags are compared (G-70).
 */
export function compressForSession(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  if (request.memberId === undefined || request.method !== 'GET' || typeof payload !== 'string') {
    done(null, payload)
    return
  }
  reply.header('vary', 'accept-encoding')
  const encoding = (['br', 'gzip'] as const).find((coding) => acceptsEncoding(request, coding))
  if (encoding === undefined || payload.length < WORTH_BYTES || reply.hasHeader('content-encoding')) {
    done(null, payload)
    return
  }
  const etag = reply.getHeader('etag')
  if (etag !== undefined) reply.header('etag', String(etag).replace(/"$/, `-${encoding}"`))
  reply.header('content-encoding', encoding)
  reply.removeHeader('content-length')
  encoders[encoding](payload).then((bytes) => done(null, bytes), done)
}
