import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { App } from '../app-type.ts'
import { isTagHeld } from '../entity-tags.ts'
import { acceptsEncoding } from '../formats/encoding.ts'

/** A shorter document fits into the packet that its headers need anyway. */
const WORTH_BYTES = 1_400
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

type Codings = { br?: Buffer; gzip?: Buffer; identity: Buffer; hash: string }

/**
 * Serves a document that is the same for every reader, with a strong ETag for each coding. It is made and compressed for
 * its first reader; later responses share its bytes, so responses that nobody reads hold no copies.
 */
export function serveFixed(
  app: App,
  url: string,
  made: { type: string; headers?: Record<string, string>; make: () => Promise<string | Buffer> },
): void {
  let ready: Promise<Codings> | undefined
  const codings = () => {
    ready ??= made
      .make()
      .then(codingsOf)
      .catch((error: unknown) => {
        ready = undefined
        throw error
      })
    return ready
  }
  app.get(url, { schema: { hide: true } }, async (request, reply) => {
    const { hash, ...bytes } = await codings()
    const coding = (['br', 'gzip'] as const).find(
      (one) => bytes[one] !== undefined && acceptsEncoding(request, one),
    )
    const etag = coding === undefined ? `"${hash}"` : `"${hash}-${coding}"`
    reply.headers({ ...made.headers, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
    if (isTagHeld(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (coding !== undefined) reply.header('content-encoding', coding)
    return reply.type(made.type).send(bytes[coding ?? 'identity'])
  })
}

async function codingsOf(made: string | Buffer): Promise<Codings> {
  const identity = Buffer.from(made)
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  if (identity.length < WORTH_BYTES) return { identity, hash }
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, BROTLI),
    promisify(gzip)(identity),
  ])
  return { br, gzip: gzipped, identity, hash }
}
