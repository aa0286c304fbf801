import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../config.ts'
import { asRequestOf, inShareOf } from '../db/share.ts'
import type { Deps } from '../deps.ts'
import { NotFound } from '../errors.ts'
import type { App } from '../http/app-type.ts'
import { consolePages } from '../http/console.ts'
import { setErrorMap } from '../http/error-map.ts'
import { buildGuessLimits } from '../http/guess-limits.ts'
import { healthRoutes } from '../http/health.ts'
import { buildRateLimit } from '../http/rate-limit.ts'
import {
  answerMalformedPath,
  answerUnknownExpectation,
  answerUnreadableHttp,
} from '../http/unreadable-requests.ts'
import { setBodyParser, setValidation } from '../http/validation/body.ts'
import { pathId } from '../http/validation/object-id.ts'
import { startLoop } from '../jobs/loop.ts'
import { buildAuth, buildOperatorAuth } from '../modules/access/auth.ts'
import { keyRoutes } from '../modules/access/keys/routes.ts'
import { buildMemberAuth } from '../modules/access/member-auth.ts'
import { consoleRoutes } from '../modules/access/members/console-routes.ts'
import { memberRoutes } from '../modules/access/members/routes.ts'
import { operatorRoutes } from '../modules/access/operators/routes.ts'
import { passwordRoutes } from '../modules/access/passwords/routes.ts'
import { addScopes, checkScopes } from '../modules/access/scopes.ts'
import { buildSignIn } from '../modules/access/sessions/sign-in.ts'
import { auditRoutes } from '../modules/audit/routes.ts'
import { categoryRoutes } from '../modules/categories/routes.ts'
import { customerRoutes } from '../modules/customers/routes.ts'
import { buildIdempotency } from '../modules/idempotency/hook.ts'
import { imageRoutes, imageUploadRoutes } from '../modules/images/routes.ts'
import { stockRoutes } from '../modules/inventory/manage-routes.ts'
import { inventoryRoutes } from '../modules/inventory/routes.ts'
import { batchRoutes } from '../modules/messages/batches/routes.ts'
import { messageTimelineRoutes, operatorsMessageRoutes } from '../modules/messages/history/routes.ts'
import { messageRoutes } from '../modules/messages/routes.ts'
import { newsRoutes } from '../modules/news/routes.ts'
import { officialAccountRoutes } from '../modules/official-accounts/manage-routes.ts'
import { accountRoutes } from '../modules/official-accounts/routes.ts'
import { operatorHealthRoutes } from '../modules/operations/routes.ts'
import { orderChangeRoutes } from '../modules/orders/change-routes.ts'
import { orderRoutes } from '../modules/orders/routes.ts'
import { overviewRoutes } from '../modules/overview/routes.ts'
import { platformHookRoutes } from '../modules/platform-inbox/routes.ts'
import { productExportRoutes } from '../modules/product-files/export/routes.ts'
import { importRoutes } from '../modules/product-files/import/routes.ts'
import { productRoutes } from '../modules/products/routes.ts'
import { subItemRoutes } from '../modules/products/sub-items/routes.ts'
import { variantRoutes } from '../modules/products/variants/routes.ts'
import { wholesaleRoutes } from '../modules/products/wholesale/routes.ts'
import { shopRoutes } from '../modules/shops/routes.ts'
import { templateRoutes } from '../modules/templates/routes.ts'
import { walletRoutes } from '../modules/wallet/routes.ts'
import { webhookRoutes } from '../modules/webhooks/endpoints/routes.ts'
import { docsPage } from './document/docs-page.ts'
import { apiDocument } from './document/openapi.ts'
import { measureRequests } from './metrics.ts'

/** Beyond what Node takes as URL and headers: an id of any length reaches the check of ids (G-04). */
const MAX_PARAM_LENGTH = 16 * 1024
const BODY_LIMIT = 1024 * 1024
const REQUEST_TIMEOUT_MS = 30_000

/**
 * The HTTP service on `deps`, not listening yet. A request's way: request id → key → rate limit → the key's scopes →
 * body and query → its idempotency key → the module's handler → its SQL. With `consoleFolder`, the console stands at `/`.
 */
export async function buildApp(deps: Deps, consoleFolder?: string): Promise<App> {
  const app: App = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the listener closes is served like any other.
    return503OnClosing: false,
    requestIdHeader: false,
    trustProxy: trusted(deps.config.trustProxy),
    genReqId: () => deps.ids.next(),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: answerMalformedPath,
    clientErrorHandler: answerUnreadableHttp(deps.ids),
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.server.on('checkExpectation', answerUnknownExpectation(deps.ids))
  app.decorateRequest('shop')
  app.decorateRequest('memberId')
  app.decorateRequest('isOperator', false)
  app.decorateRequest('idempotency')
  setErrorMap(app)
  setValidation(app)
  setBodyParser(app)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  // Before anything that refuses: a 404 carries these headers, too.
  await app.register(helmet, { contentSecurityPolicy: false, global: true })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // Also before its body is looked at, which the framework asks a type of from QUERY.
    if (request.is404 || hasEmptyParam(request.params)) throw new NotFound('route')
  })
  letConnectionsGo(app, deps)
  await apiDocument(app)
  measureRequests(app, deps)

  healthRoutes(app, deps)
  imageRoutes(app, deps)
  await docsPage(app)
  if (consoleFolder !== undefined) await consolePages(app, consoleFolder)

  const signIn = buildSignIn(deps)
  const guessLimits = buildGuessLimits(deps.limiters)
  const memberAuth = buildMemberAuth(deps, signIn)
  const auth = buildAuth(deps, memberAuth)
  const { ratePerMinute, sessionRatePerMinute } = deps.config
  const limitRate = buildRateLimit(deps.limiters, { shop: ratePerMinute, member: sessionRatePerMinute })
  const idempotency = buildIdempotency(deps)

  // E1 to E16 and our extensions: a shop's key, or a member's session.
  await app.register(async (external: App) => {
    external.addHook('onRoute', addScopes)
    external.addHook('onRequest', auth.authenticate)
    countToShare(external, (request) => request.shop.id)
    external.addHook('onRequest', limitRate)
    external.addHook('onRequest', checkScopes)
    external.addHook('preValidation', idempotency.checkKey)
    external.addHook('preHandler', idempotency.claim)
    external.addHook('onSend', idempotency.finish)
    templateRoutes(external, deps)
    messageRoutes(external, deps)
    batchRoutes(external, deps)
    messageTimelineRoutes(external, deps)
    accountRoutes(external, deps)
    walletRoutes(external, deps)
    overviewRoutes(external, deps)
    productRoutes(external, deps)
    variantRoutes(external, deps)
    wholesaleRoutes(external, deps)
    subItemRoutes(external, deps)
    productExportRoutes(external, deps)
    await importRoutes(external, deps)
    categoryRoutes(external, deps)
    imageUploadRoutes(external, deps)
    inventoryRoutes(external, deps)
    orderRoutes(external, deps)
    orderChangeRoutes(external, deps)
    customerRoutes(external, deps)
    newsRoutes(external, deps)
    webhookRoutes(external, deps)
  })

  // The operator's token, or the session of an operator or an owner.
  await app.register(async (manage: App) => {
    manage.addHook('onRequest', buildOperatorAuth(deps.operatorToken, memberAuth, deps.limiters))
    countToShare(manage, ({ params }) => (params as { id?: string }).id)
    shopRoutes(
      manage,
      deps,
      auth,
      buildIdempotency(deps, ({ params }) => pathId(params)),
    )
    officialAccountRoutes(manage, deps)
    keyRoutes(manage, deps, auth)
    stockRoutes(manage, deps)
    auditRoutes(manage, deps)
    operatorHealthRoutes(manage, deps)
    operatorsMessageRoutes(manage, deps)
    memberRoutes(manage, deps, memberAuth)
    operatorRoutes(manage, deps, signIn, memberAuth)
  })

  // The console's sign-in.
  await app.register(async (open: App) => {
    signIn.routes(open)
    passwordRoutes(open, deps, signIn, guessLimits)
    consoleRoutes(open, deps, signIn, memberAuth, guessLimits)
  })

  // The platform's events, signed by it.
  await app.register(async (hooks: App) => platformHookRoutes(hooks, deps, guessLimits))

  return app
}

/**
 * Counts what a request does in the database to the share of its shop, as far as `shopOf` knows it. Twice, since what
 * follows the reading of a body does not follow from the first hook.
 */
function countToShare(app: App, shopOf: (request: FastifyRequest) => string | undefined): void {
  for (const [hook, count] of [
    ['onRequest', inShareOf],
    ['preValidation', asRequestOf],
  ] as const) {
    app.addHook(hook, (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      const shopId = shopOf(request)
      if (shopId === undefined) done()
      else count(shopId, done)
    })
  }
}

/** The setting as Fastify takes it; of a mere number it trusts nobody by itself. */
function trusted(setting: Config['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

/** Whether the path ends where an id should follow: the router takes `/news/` for `/news/:id`. */
function hasEmptyParam(params: unknown): boolean {
  return Object.entries(Object(params)).some(([name, value]) => value === '' && name !== '*')
}

/**
 * Once a stop was asked for, each connection ends with its next response. When the listener is closed, the stop waits for
 * requests in flight, but not for the keep-alive time of their connections afterwards, nor for connections that
 * somebody opened and sent nothing on, as browsers do.
 */
function letConnectionsGo(app: App, { stopping, timings }: Pick<Deps, 'stopping' | 'timings'>): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.isAsked) reply.header('connection', 'close')
    done(null, payload)
  })
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  let stopSweeping = async () => {}
  app.addHook('preClose', async () => {
    const silentUntil = performance.now() + timings.stopSilentConnectionMs
    const failed = (error: unknown) => app.log.warn({ err: error }, 'idle connections were not closed')
    stopSweeping = startLoop({ everyMs: timings.stopSweepEveryMs, failed }, async () => {
      app.server.closeIdleConnections()
      if (performance.now() < silentUntil) return
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    })
  })
  app.addHook('onClose', () => stopSweeping())
}
