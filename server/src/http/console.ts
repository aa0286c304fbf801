import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import serveFiles from '@fastify/static'
import type { MetaTag } from '../config.ts'
import { NotFound } from '../errors.ts'
import type { App } from './app-type.ts'
import { withMetaTag } from './domain-proof.ts'
import { OWN_PATHS } from './own-paths.ts'

/**
 * The console's built files at `/`: hashed assets for a year, and its page for every address outside the service's own,
 * since the console does its own routing.
 */
export async function consolePages(app: App, folder: string, meta: MetaTag | undefined): Promise<void> {
  const page = meta && withMetaTag(readFileSync(join(folder, 'index.html'), 'utf8'), meta)
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: {
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
      // Decoded: `/%61pi` is below `/api` too.
      if (OWN_PATHS.test(`/${(request.params as { '*': string })['*']}`)) throw new NotFound('route')
      if (page === undefined) return reply.sendFile('index.html')
      return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
    })
  })
}
