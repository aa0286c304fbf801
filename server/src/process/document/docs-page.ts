import Fastify from 'fastify'
import type { App } from '../../http/app-type.ts'
import { serveFixed } from '../../http/reads/fixed-document.ts'
import { setSecurityHeaders } from '../../http/security-headers.ts'

const PAGE = '/docs/'
/** The page refers to this script by a relative address. */
const SCRIPT = '/docs/js/scalar.js'

/** Serves the page at `/docs` from files of the installed package. The page fetches nothing from other hosts. */
export async function docsPage(app: App): Promise<void> {
  await app.register(async (docs) => {
    setSecurityHeaders(docs, {
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
    })
    docs.get('/docs', { schema: { hide: true } }, async (_request, reply) => reply.redirect(PAGE, 301))
    for (const [url, type] of [
      [PAGE, 'text/html'],
      [SCRIPT, 'application/javascript'],
    ] as const) {
      // Made for its first reader, because the package needs 39 MB of memory.
      const make = async () => (await (await createPage()).inject({ url })).rawPayload
      serveFixed(docs, url, { type: `${type}; charset=utf-8`, make })
    }
  })
}

/** Hides all languages but curl, TypeScript and Python, in which calls are shown. */
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

/** Creates the page with the package's plugin, in a separate app, because ours accepts no plugins once it serves. */
async function createPage() {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Shopbell API',
      // The reader appends the key to this prefix, once for all operations.
      authentication: {
        preferredSecurityScheme: 'shopKey',
        securitySchemes: { shopKey: { name: 'x-api-key', in: 'header', value: 'service-partner ' } },
      },
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      hiddenClients: hiddenClients(),
      // Disables everything that contacts another host.
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
