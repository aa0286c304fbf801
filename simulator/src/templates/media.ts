import type { FastifyInstance } from 'fastify'
import { Refusal, success } from '../answers.ts'
import { authenticate } from '../oauth.ts'
import type { Media, State } from '../state.ts'

/** The platform's limit on one image; the review rejects larger ones. */
export const MAX_IMAGE_BYTES = 500 * 1024

const MAX_UPLOAD_BYTES = 5 * 1024 * 1024
const MAX_KEPT_BYTES = 32 * 1024 * 1024

/** The first file of a multipart body, or undefined where there is none. */
function firstFile(body: Buffer, contentType: string): Buffer | undefined {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (!boundary) return undefined
  const mark = Buffer.from(`--${boundary}`)
  let at = body.indexOf(mark)
  while (at >= 0) {
    const headEnd = body.indexOf('\r\n\r\n', at)
    const next = body.indexOf(mark, at + mark.length)
    if (headEnd < 0 || next < 0) return undefined
    if (headEnd < next && /filename/i.test(body.toString('latin1', at, headEnd))) {
      return body.subarray(headEnd + 4, next - 2)
    }
    at = next
  }
  return undefined
}

function imageType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  return undefined
}

function keep(state: State, bytes: Buffer, type: string): Media {
  const id = `media-${Math.floor(state.random() * 2 ** 32).toString(36)}-${state.media.size + 1}`
  const media: Media = { id, type, sizeBytes: bytes.length, bytes: Buffer.from(bytes) }
  state.media.set(id, media)
  state.mediaBytes += bytes.length
  if (state.mediaBytes > MAX_KEPT_BYTES) {
    for (const old of state.media.values()) {
      if (state.mediaBytes <= MAX_KEPT_BYTES) break
      if (old.bytes) state.mediaBytes -= old.bytes.length
      old.bytes = undefined
    }
  }
  state.onChange()
  return media
}

export function mediaRoutes(app: FastifyInstance, state: State): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES },
    (req, body, done) => {
      done(null, firstFile(Buffer.from(body), req.headers['content-type'] ?? ''))
    },
  )

  app.post('/upload/image', { bodyLimit: MAX_UPLOAD_BYTES }, async (req) => {
    authenticate(state, req)
    if (!Buffer.isBuffer(req.body)) throw new Refusal(-201, 'Params is invalid: a multipart file is needed')
    const type = imageType(req.body)
    if (!type) throw new Refusal(-201, 'Params is invalid: the image must be JPG or PNG')
    return success({ media_id: keep(state, req.body, type).id })
  })

  app.get<{ Params: { id: string } }>('/media/:id', async (req, reply) => {
    const media = state.media.get(req.params.id)
    if (!media?.bytes) return reply.code(404).send({ message: 'No such image' })
    return reply.type(media.type).send(media.bytes)
  })
}
