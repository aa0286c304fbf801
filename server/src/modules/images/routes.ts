import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { isTagHeld } from '../../http/entity-tags.ts'
import { literals } from '../../http/validation/validate.ts'
import { convertImage } from './convert-image.ts'
import { IMAGE_TYPES, imageKey, MOST_UPLOADS, readImagePath } from './rules.ts'
import { createThumbnails } from './thumbnails.ts'
import { createTurns, type Place } from './turns.ts'
import { uploadedBytes } from './uploaded-bytes.ts'

const tags = ['Images']
const MAX_UPLOAD_BYTES = 10 * 1024 * 1024
const UPLOAD_TYPES = [...Object.values(IMAGE_TYPES), 'multipart/form-data']
const binary = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })
const contentOf = (types: string[]) => Object.fromEntries(types.map((type) => [type, { schema: binary }]))

/** The upload of a shop's images. Its body is not JSON, so it has its own body parsers. */
export function imageUploadRoutes(app: App, deps: Deps): void {
  app.register(async (images: App) => {
    const turns = createTurns(MOST_UPLOADS)
    const places = new WeakMap<FastifyRequest, Place>()
    // A place is taken before the body is read into memory.
    images.addHook('onRequest', async (request, reply) => {
      const place = turns.enter(request.shop.id)
      places.set(request, place)
      reply.raw.once('finish', place.leave).once('close', place.leave)
      // If the caller disconnected while the key was being looked up, neither event is emitted any more.
      if (reply.raw.destroyed) place.leave()
    })
    images.removeAllContentTypeParsers()
    images.addContentTypeParser(UPLOAD_TYPES, { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )

    images.post(
      '/api/external/v1/images',
      {
        bodyLimit: MAX_UPLOAD_BYTES,
        config: { bodyTypes: UPLOAD_TYPES },
        validatorCompiler: () => () => true,
        schema: {
          tags,
          operationId: 'uploadImage',
          summary: 'Upload an image',
          description:
            'PNG, JPEG or WebP of at most 10 MB and 50 megapixels (25 with 16 bits per channel), no side longer than 20,000 pixels, as the body or as the first file of a form; the type is detected from the content. Stored upright, without metadata, at most 2048 pixels wide and high. The same image has the same address. More than 8 simultaneous uploads of a shop: 429 `IMAGES_BUSY` with `Retry-After`.',
          body: { content: contentOf(UPLOAD_TYPES) },
          errors: [
            'IMAGE_NOT_SUPPORTED',
            'IMAGE_UNREADABLE',
            'IMAGE_TOO_LARGE',
            'IMAGE_SIDE_TOO_LONG',
            'FORM_TOO_COMPLEX',
            'IMAGES_BUSY',
          ],
          response: {
            201: Type.Object({
              success: Type.Boolean(),
              data: Type.Object({
                url: Type.String({ description: 'Public; the image at this address never changes' }),
                width: Type.Number(),
                height: Type.Number(),
                size: Type.Number({ description: 'Bytes' }),
                contentType: Type.String(),
              }),
            }),
          },
        },
      },
      async (request, reply) => {
        const sent = await uploadedBytes(request.body, request.headers['content-type'] ?? '')
        const { bytes, ending, contentType, width, height } = await places
          .get(request)!
          .turn(() => convertImage(sent))
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        const key = imageKey({ shopId: request.shop.id, sha256, ending })
        await deps.images.put(key, bytes, contentType)
        const url = `${baseUrl(request, deps)}/images/${key}`
        const data = { url, width, height, size: bytes.length, contentType }
        return reply.code(201).send({ success: true, data })
      },
    )
  })
}

/** The public addresses of stored images. */
export function imageRoutes(app: App, deps: Deps): void {
  const thumbnails = createThumbnails()
  app.get(
    '/images/:shop/:file',
    {
      schema: {
        tags,
        operationId: 'downloadImage',
        summary: 'An uploaded image',
        querystring: Type.Object({
          size: Type.Optional(
            literals(['96'], { description: 'Cut to a square of 96 pixels, as WebP, for lists' }),
          ),
        }),
        errors: ['IMAGES_BUSY', 503],
        response: {
          200: { description: 'The image', content: contentOf(Object.values(IMAGE_TYPES)) },
          304: Type.Null({ description: 'The image still matches If-None-Match' }),
        },
      },
    },
    async (request, reply) => {
      const { shop, file } = request.params as { shop: string; file: string }
      const image = readImagePath(shop, file)
      if (image === undefined) throw new NotFound('image')
      const isSmall = request.query.size !== undefined
      const etag = isSmall ? `"${image.sha256}-96"` : `"${image.sha256}"`
      const headers = {
        'cache-control': 'public, max-age=31536000, immutable',
        etag,
        // Shops show their images on their own pages.
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      }
      // The image at an address never changes, so clients may cache it forever.
      if (isTagHeld(request.headers['if-none-match'], etag)) {
        return reply.headers(headers).code(304).send(null)
      }
      const key = imageKey(image)
      const read = () => deps.images.get(key)
      const bytes = isSmall ? await thumbnails.of(key, image.shopId, read) : await read()
      if (bytes === undefined) throw new NotFound('image')
      return reply
        .headers(headers)
        .type(isSmall ? IMAGE_TYPES.webp : IMAGE_TYPES[image.ending])
        .send(bytes)
    },
  )
}

/** The public address of this service: PUBLIC_URL, else the address that the request used. */
function baseUrl(request: FastifyRequest, { config }: Deps): string {
  return config.publicUrl ?? `${request.protocol}://${request.host}`
}
