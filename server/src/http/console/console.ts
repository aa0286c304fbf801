import serveFiles from '@fastify/static'
import type { MetaTag } from '../../config.ts'
import type { App } from '../app-type.ts'
import type { NoRoute } from '../no-route.ts'
import { OWN_PATHS } from '../own-paths.ts'
import { setSecurityHeaders } from '../security-headers.ts'
import { buildConsolePage } from './console-page.ts'

/**
 * Serves the console's built files at `/`. Hashed assets are cached for a year. Every address that is not the service's
 * own gets the console's page, because the console does its own routing.
 */
export async function consolePages(
  app: App,
  folder: string,
  { meta, noRoute }: { meta: MetaTag | undefined; noRoute: NoRoute },
): Promise<void> {
  const pageOf = buildConsolePage(folder, meta)
  await app.register(async (pages) => {
    setSecurityHeaders(pages, {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Mantine writes its sizes as style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        // Shops may host their pictures anywhere.
        imgSrc: ["'self'", 'https:', 'http:', 'data:', 'blob:'],
        connectSrc: ["'self'"],
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
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
      // The decoded path is tested, because `/%61pi` is below `/api` too.
      const path = `/${(request.params as { '*': string })['*']}`
      if (OWN_PATHS.test(path)) throw noRoute(request)
      return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(pageOf(path))
    })
  })
}
