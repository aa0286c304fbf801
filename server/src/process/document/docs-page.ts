import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import type { App } from '../../http/app-type.ts'

const PAGE = '/docs/'
/** The page refers to it relative to itself. */
const SCRIPT = '/docs/js/scalar.js'

/** The page at `/docs`, from files of the installed package: nothing is fetched from elsewhere. */
export async function docsPage(app: App): Promise<void> {
  // Loaded with the first reader: the page takes 39 MB of memory.
  let made: ReturnType<typeof createPage> | undefined
  const page = () => {
    made ??= createPage().catch((error: unknown) => {
      made = undefined
      throw error
    })
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

/** Calls are shown in curl, TypeScript and Python; the other languages are left out. */
function hiddenClients(): Record<string, true | string[]> {
  const others =
    'c clojure csharp dart fsharp go http java js kotlin objc ocaml php powershell r ruby rust swift'
  return {
    ...Object.fromEntries(others.split(' ').map((language) => [language, true as const])),
    shell: ['httpie', 'wget'],
    node: ['axios', 'ofetch'],
    python: ['httpx_sync', 'httpx_async', 'aiohttp'],
  }
}

/** The page's package is a plugin; it gets an app of its own, since ours accepts no plugins once it serves. */
async function createPage() {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Shopbell API',
      // The reader adds the key behind the word, once for all operations.
      authentication: {
        preferredSecurityScheme: 'shopKey',
        securitySchemes: { shopKey: { name: 'x-api-key', in: 'header', value: 'service-partner ' } },
      },
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      hiddenClients: hiddenClients(),
      // Nothing that contacts another host.
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
