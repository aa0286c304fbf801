import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import type { App } from '../../http/app-type.ts'

const PAGE = '/docs/'
/** The page names it relative to itself. */
const SCRIPT = '/docs/js/scalar.js'

/** The page at `/docs`, from files of the installed package: nothing is fetched from elsewhere. */
export async function docsPage(app: App): Promise<void> {
  // With the first reader: the page holds 39 MB of memory.
  let made: ReturnType<typeof createPage> | undefined
  const page = () => {
    made ??= createPage()
    return made
  }
  await app.register(async (docs) => {
    await docs.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'", "'unsafe-inline'", "'unsafe-eval'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'", 'data:'],
          connectSrc: ["'self'"],
          objectSrc: ["'none'"],
        },
      },
    })
    docs.get('/docs', { schema: { hide: true } }, async (_request, reply) => reply.redirect(PAGE, 301))
    for (const url of [PAGE, SCRIPT]) {
      docs.get(url, { schema: { hide: true } }, async (_request, reply) => {
        const { headers, rawPayload } = await (await page()).inject({ url })
        return reply.type(String(headers['content-type'])).send(rawPayload)
      })
    }
  })
}

/** The page's package as it comes, a plugin, in an app of its own: ours takes no more plugins once it serves. */
async function createPage() {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Shopbell API',
      // Nothing that would talk to another host.
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  return app
}
