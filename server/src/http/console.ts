import helmet from '@fastify/helmet'
import serveFiles from '@fastify/static'
import { NotFound } from '../errors.ts'
import type { App } from './app-type.ts'

/** Paths of the service itself: what is not there answers as the API does, not with the console's page. */
const NOT_A_PAGE = /^\/(api|hooks|docs|images|assets|health|metrics|openapi\.json)(\/|$|\?)/

/**
 * The console's built files at `/`: hashed assets for a year, and its page for every address that is none of the
 * service's, since the console routes by itself.
 */
export async function consolePages(app: App, folder: string): Promise<void> {
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          // Mantine writes its sizes as style attributes.
          styleSrc: ["'self'", "'unsafe-inline'"],
          // Shops' pictures live wherever the shop put them.
          imgSrc: ["'self'", 'https:', 'http:', 'data:', 'blob:'],
          connectSrc: ["'self'"],
          frameSrc: ["'self'", 'blob:'],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'self'"],
        },
      },
    })
    await pages.register(serveFiles, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      schemaHide: true,
      setHeaders: (reply, path) => {
        const isHashed = path.includes('/assets/')
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    pages.get('/*', { schema: { hide: true } }, async (request, reply) => {
      if (NOT_A_PAGE.test(request.url)) throw new NotFound('route')
      return reply.sendFile('index.html')
    })
  })
}
