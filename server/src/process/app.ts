import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../config.ts'
import { findStamps } from '../db/fragments/change-stamps-sql.ts'
import { asRequestOf, inShareOf } from '../db/share.ts'
import type { Deps } from '../deps.ts'
import { NotFound } from '../errors.ts'
import { logRequests } from '../http/access-log.ts'
import type { App } from '../http/app-type.ts'
import { consolePages } from '../http/console/console.ts'
import { domainProofRoutes } from '../http/console/domain-proof.ts'
import { setErrorMap } from '../http/error-map.ts'
import { healthRoutes } from '../http/health.ts'
import { buildGuessLimits } from '../http/limits/guess-limits.ts'
import { limitLargeResponses } from '../http/limits/large-responses.ts'
import { buildRateLimit, buildReaderLimit } from '../http/limits/rate-limit.ts'
import { type NoRoute, watchRoutes } from '../http/no-route.ts'
import { compressForSession } from '../http/reads/compress.ts'
import { buildRepeatedReads } from '../http/reads/repeated-reads.ts'
import { buildReplicaChoice } from '../http/reads/replica-reads.ts'
import { nameBytes } from '../http/record-version.ts'
import { traceRequests } from '../http/request-spans.ts'
import { setSecurityHeaders } from '../http/security-headers.ts'
import {
  answerMalformedPath,
  answerUnknownExpectation,
  answerUnreadableHttp,
} from '../http/unreadable-requests.ts'
import { setBodyParser, setValidation } from '../http/validation/body.ts'
import { pathId } from '../http/validation/object-id.ts'
import { startLoop } from '../jobs/loop.ts'
import { forRequest } from '../lib/request-id.ts'
import { singleFlight } from '../lib/single-flight.ts'
import { buildAuth, buildOperatorAuth } from '../modules/access/auth.ts'
import { keyRoutes } from '../modules/access/keys/routes.ts'
import { buildMemberAuth } from '../modules/access/member-auth.ts'
import { consoleRoutes } from '../modules/access/members/console-routes.ts'
import { memberRoutes } from '../modules/access/members/routes.ts'
import { operatorRoutes } from '../modules/access/operators/routes.ts'
import { passwordRoutes } from '../modules/access/passwords/routes.ts'
import { addScopes, checkScopes } from '../modules/access/scopes.ts'
import { buildSignIn } from '../modules/access/sessions/sign-in.ts'
import { visitRoutes } from '../modules/access/visits/routes.ts'
import { audienceRoutes } from '../modules/audiences/routes.ts'
import { auditRoutes } from '../modules/audit/routes.ts'
import { categoryRoutes } from '../modules/categories/routes.ts'
import { consentRoutes } from '../modules/consents/routes.ts'
import { changeRoutes } from '../modules/copies/changes/routes.ts'
import { exportRoutes } from '../modules/copies/exports/routes.ts'
import { customerImportRoutes } from '../modules/customers/import/routes.ts'
import { customerRoutes } from '../modules/customers/routes.ts'
import { buildIdempotency } from '../modules/idempotency/hook.ts'
import { imageRoutes, imageUploadRoutes } from '../modules/images/routes.ts'
import { stockRoutes } from '../modules/inventory/manage-routes.ts'
import { inventoryRoutes } from '../modules/inventory/routes.ts'
import { audienceBatchRoutes } from '../modules/messages/batches/audience-routes.ts'
import { batchRoutes } from '../modules/messages/batches/routes.ts'
import { chargeRoutes } from '../modules/messages/charges/routes.ts'
import { smsReportRoutes } from '../modules/messages/fallback/routes.ts'
import { messageHistoryRoutes, operatorsMessageRoutes } from '../modules/messages/history/routes.ts'
import { messageRoutes } from '../modules/messages/routes.ts'
import { newsDraftRoutes } from '../modules/news/drafts/routes.ts'
import { newsRoutes } from '../modules/news/routes.ts'
import { connectRoutes } from '../modules/official-accounts/connect/routes.ts'
import { officialAccountRoutes } from '../modules/official-accounts/manage-routes.ts'
import { accountRoutes } from '../modules/official-accounts/routes.ts'
import { jobRoutes } from '../modules/operations/job-routes.ts'
import { operatorHealthRoutes } from '../modules/operations/routes.ts'
import { orderChangeRoutes } from '../modules/orders/change-routes.ts'
import { debtRoutes } from '../modules/orders/debts/routes.ts'
import { returnRoutes } from '../modules/orders/returns/routes.ts'
import { orderRoutes } from '../modules/orders/routes.ts'
import { overviewRoutes } from '../modules/overview/routes.ts'
import { peopleRoutes } from '../modules/people/routes.ts'
import { platformAppRoutes } from '../modules/platform-apps/routes.ts'
import { platformHookRoutes } from '../modules/platform-inbox/routes.ts'
import { productExportRoutes } from '../modules/product-files/export/routes.ts'
import { importRoutes } from '../modules/product-files/import/routes.ts'
import { barcodeRoutes } from '../modules/products/barcodes/routes.ts'
import { productHistoryRoutes } from '../modules/products/history/routes.ts'
import { productRoutes } from '../modules/products/routes.ts'
import { subItemRoutes } from '../modules/products/sub-items/routes.ts'
import { variantRoutes } from '../modules/products/variants/routes.ts'
import { wholesaleRoutes } from '../modules/products/wholesale/routes.ts'
import { reportRoutes } from '../modules/reports/routes.ts'
import { savedViewRoutes } from '../modules/saved-views/routes.ts'
import { shiftRoutes } from '../modules/shifts/routes.ts'
import { deletionRoutes } from '../modules/shops/deletion/routes.ts'
import { shopRoutes } from '../modules/shops/routes.ts'
import { suspensionRoutes } from '../modules/shops/suspension-routes.ts'
import { smsSenderRoutes } from '../modules/sms-senders/routes.ts'
import { operatorsTemplateReportRoutes, templateReportRoutes } from '../modules/templates/report/routes.ts'
import { templateRoutes } from '../modules/templates/routes.ts'
import { smsTextRoutes } from '../modules/templates/sms-text/routes.ts'
import { unfinishedTemplateRoutes } from '../modules/templates/unfinished/routes.ts'
import { walletRoutes } from '../modules/wallet/routes.ts'
import { webhookRoutes } from '../modules/webhooks/endpoints/routes.ts'
import { eventRoutes } from '../modules/webhooks/events/routes.ts'
import { replayRoutes } from '../modules/webhooks/replay/routes.ts'
import { docsPage } from './document/docs-page.ts'
import { guidePages } from './document/guide-pages.ts'
import { apiDocument } from './document/openapi.ts'
import { measureRequests } from './metrics/metrics.ts'

/** More than Node accepts as URL and headers, so an id of any length reaches the check of ids (G-04). */
const MAX_PARAM_LENGTH = 16 * 1024
const BODY_LIMIT = 1024 * 1024

/**
 * Builds the HTTP service on `deps`; it is not listening yet. The steps of a request: request id → key → rate limit →
 * the key's scopes → kept response of a repeated read → body and query → its idempotency key → choice of the replica →
 * the module's handler → its SQL. With `consoleFolder`, the console is served at `/`.
 */
export async function buildApp(deps: Deps, consoleFolder?: string): Promise<App> {
  const { app, noRoute } = await buildServer(deps)
  healthRoutes(app, deps)
  // A worker process serves only health and metrics.
  if (deps.config.role === 'worker') return app
  imageRoutes(app, deps)
  await app.register(async (docs: App) => {
    docs.addHook('onRequest', buildReaderLimit(deps.limiters))
    await docsPage(docs)
    await guidePages(docs)
  })
  const { domainProof } = deps.config
  domainProofRoutes(app, domainProof, { hasConsole: consoleFolder !== undefined })
  if (consoleFolder !== undefined) await consolePages(app, consoleFolder, { meta: domainProof.meta, noRoute })

  const callers = knowCallers(deps)
  const { signIn, memberAuth, guessLimits, limitCaller } = callers
  await app.register(async (external: App) => externalApi(external, deps, callers))
  await app.register(async (manage: App) => managementApi(manage, deps, callers))

  // The console's sign-in.
  await app.register(async (open: App) => {
    signIn.routes(open)
    passwordRoutes(open, deps, signIn, guessLimits)
    consoleRoutes(open, deps, signIn, memberAuth, guessLimits)
    visitRoutes(open, deps, signIn, memberAuth)
  })

  // A member's own things in the shop that `x-shop-id` names.
  await app.register(async (own: App) => {
    own.addHook('onRequest', memberAuth.requireShop)
    countToShare(own, (request) => request.shop.id)
    own.addHook('onRequest', limitCaller)
    savedViewRoutes(own, deps)
  })

  // The platform's events, which it signs, and the SMS provider's reports.
  await app.register(async (hooks: App) => platformHookRoutes(hooks, deps, guessLimits))
  await app.register(async (hooks: App) => smsReportRoutes(hooks, deps, guessLimits))

  return app
}

/** The framework with what holds for every route: errors, validation, headers, limits, metrics, logs, the API document. */
async function buildServer(deps: Deps): Promise<{ app: App; noRoute: NoRoute }> {
  const app: App = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: deps.timings.requestArrivalMs,
    http: {
      connectionsCheckingInterval: deps.timings.requestArrivalLookEveryMs,
      // By default 60 s. Node exchanges the two time-outs if this one is longer, so that bodies would have 60 s.
      headersTimeout: deps.timings.requestArrivalMs,
      requestTimeout: deps.timings.requestArrivalMs,
    },
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the listener is closing is served like any other.
    return503OnClosing: false,
    requestIdHeader: false,
    trustProxy: trusted(deps.config.trustProxy),
    genReqId: () => deps.ids.next(),
    // The log takes the request's id from `forRequest`.
    childLoggerFactory: (log) => log,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: answerMalformedPath,
    clientErrorHandler: answerUnreadableHttp(deps.ids),
  }).withTypeProvider<TypeBoxTypeProvider>()

  carryRequestId(app)
  if (deps.config.tracesUrl !== undefined) traceRequests(app)
  app.server.on('checkExpectation', answerUnknownExpectation(deps.ids))
  app.decorateRequest('shop')
  app.decorateRequest('memberId')
  app.decorateRequest('isOperator', false)
  app.decorateRequest('sessionToken')
  app.decorateRequest('idempotency')
  app.decorateRequest('stampBefore')
  app.decorateRequest('replica')
  setErrorMap(app)
  const noRoute = watchRoutes(app)
  setValidation(app)
  setBodyParser(app)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  // Registered before any hook that can refuse, so that a 404 has these headers too.
  setSecurityHeaders(app, false)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // Checked before the body is read, because the framework requires a content type for QUERY.
    if (request.is404) throw noRoute(request)
    if (hasEmptyParam(request.params)) throw new NotFound('route')
    done()
  })
  letConnectionsGo(app, deps)
  limitLargeResponses(app, deps.timings.stuckResponseMs)
  await apiDocument(app)
  measureRequests(app, deps)
  logRequests(app)
  app.addHook('onResponse', ({ method }, { statusCode }, done) => {
    if (method !== 'GET' && statusCode < 400) deps.deliveryWake.wake()
    done()
  })
  return { app, noRoute }
}

type Callers = ReturnType<typeof knowCallers>

/** How callers are recognized (a shop's key, a member's session, an operator) and how much each may ask. */
function knowCallers(deps: Deps) {
  const signIn = buildSignIn(deps)
  const memberAuth = buildMemberAuth(deps, signIn)
  const { ratePerMinute, sessionRatePerMinute } = deps.config
  const rates = { shop: ratePerMinute, member: sessionRatePerMinute }
  return {
    signIn,
    memberAuth,
    auth: buildAuth(deps, memberAuth),
    guessLimits: buildGuessLimits(deps.limiters),
    ...buildRateLimit(deps.limiters, rates),
  }
}

/** E1 to E16 and our extensions. Callers use a shop's key or a member's session. */
async function externalApi(external: App, deps: Deps, { auth, limitCaller }: Callers): Promise<void> {
  const idempotency = buildIdempotency(deps)
  const stampsOf = singleFlight((shopId) => findStamps(deps.db, shopId))
  const repeated = buildRepeatedReads(stampsOf, deps.config.readCacheMb * 1024 ** 2)
  external.addHook('onRoute', addScopes)
  external.addHook('onRequest', auth.authenticate)
  countToShare(external, (request) => request.shop.id)
  external.addHook('onRequest', limitCaller)
  external.addHook('onRequest', checkScopes)
  external.addHook('preValidation', idempotency.checkKey)
  external.addHook('preValidation', repeated.answer)
  external.addHook('preHandler', idempotency.claim)
  if (deps.replica !== undefined) external.addHook('preHandler', buildReplicaChoice(deps.replica, stampsOf))
  external.addHook('onSend', nameBytes)
  external.addHook('onSend', repeated.keep)
  external.addHook('onSend', idempotency.finish)
  external.addHook('onSend', compressForSession)
  templateRoutes(external, deps)
  smsTextRoutes(external, deps)
  templateReportRoutes(external, deps)
  unfinishedTemplateRoutes(external, deps)
  messageRoutes(external, deps)
  batchRoutes(external, deps)
  audienceBatchRoutes(external, deps)
  messageHistoryRoutes(external, deps)
  accountRoutes(external, deps)
  walletRoutes(external, deps)
  overviewRoutes(external, deps)
  productRoutes(external, deps)
  variantRoutes(external, deps)
  productHistoryRoutes(external, deps)
  wholesaleRoutes(external, deps)
  barcodeRoutes(external, deps)
  subItemRoutes(external, deps)
  productExportRoutes(external, deps)
  await importRoutes(external, deps)
  categoryRoutes(external, deps)
  imageUploadRoutes(external, deps)
  inventoryRoutes(external, deps)
  orderRoutes(external, deps)
  orderChangeRoutes(external, deps)
  debtRoutes(external, deps)
  returnRoutes(external, deps)
  shiftRoutes(external, deps)
  reportRoutes(external, deps)
  customerRoutes(external, deps)
  customerImportRoutes(external, deps)
  consentRoutes(external, deps)
  audienceRoutes(external, deps)
  newsRoutes(external, deps)
  newsDraftRoutes(external, deps)
  webhookRoutes(external, deps)
  replayRoutes(external, deps)
  eventRoutes(external, deps)
  changeRoutes(external, deps)
  exportRoutes(external, deps)
}

/** Management. Callers use the operator's token, or the session of an operator or an owner. */
function managementApi(manage: App, deps: Deps, { signIn, memberAuth, auth, limitMember }: Callers): void {
  manage.addHook('onRequest', buildOperatorAuth(deps.operatorTokens, memberAuth, deps.limiters))
  manage.addHook('onRequest', limitMember)
  countToShare(manage, ({ params }) => (params as { id?: string }).id)
  manage.addHook('onSend', nameBytes)
  manage.addHook('onSend', compressForSession)
  shopRoutes(
    manage,
    deps,
    auth,
    buildIdempotency(deps, ({ params }) => pathId(params)),
  )
  const forgetShop = (shopId: string) => {
    auth.forget(shopId)
    memberAuth.forgetShop(shopId)
  }
  suspensionRoutes(manage, deps, forgetShop)
  deletionRoutes(manage, deps, forgetShop)
  officialAccountRoutes(manage, deps)
  smsSenderRoutes(manage, deps)
  connectRoutes(manage, deps)
  platformAppRoutes(manage, deps)
  keyRoutes(manage, deps, auth)
  stockRoutes(manage, deps)
  auditRoutes(manage, deps)
  operatorHealthRoutes(manage, deps)
  jobRoutes(manage, deps)
  operatorsMessageRoutes(manage, deps)
  operatorsTemplateReportRoutes(manage, deps)
  chargeRoutes(manage, deps)
  peopleRoutes(manage, deps)
  memberRoutes(manage, deps, memberAuth)
  operatorRoutes(manage, deps, signIn, memberAuth)
}

/**
 * Runs the hooks and the handler under the request's id. This takes two hooks, because the first hook's async context
 * is lost when a body is read.
 */
function carryRequestId(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => forRequest(request.id, done))
  app.addHook('preValidation', (request, _reply, done) => {
    if (hasNoBody(request)) done()
    else forRequest(request.id, done)
  })
}

/**
 * Counts a request's database work to the share of its shop, if `shopOf` returns one. This takes two hooks, because the
 * first hook's async context is lost when a body is read.
 */
function countToShare(app: App, shopOf: (request: FastifyRequest) => string | undefined): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const shopId = shopOf(request)
    if (shopId === undefined) done()
    else if (hasNoBody(request)) asRequestOf(shopId, done)
    else inShareOf(shopId, done)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const shopId = hasNoBody(request) ? undefined : shopOf(request)
    if (shopId === undefined) done()
    else asRequestOf(shopId, done)
  })
}

/** Whether the framework reads no body for this method, whatever is sent. */
function hasNoBody({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Converts the setting for Fastify, which would trust no proxy if it got a bare number. */
function trusted(setting: Config['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

/** Whether an id is missing at the end of the path: the router matches `/news/` with `/news/:id`. */
function hasEmptyParam(params: unknown): boolean {
  const given = Object(params) as Record<string, unknown>
  for (const name in given) if (given[name] === '' && name !== '*') return true
  return false
}

/**
 * After a stop was requested, closes each connection with its next response. When the listener is closed, the stop
 * waits for requests in flight, but not for idle keep-alive connections, nor for connections without a request, which
 * browsers open.
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
