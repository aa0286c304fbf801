import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound, Refused } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { cursorMeta, readPlace } from '../../../http/list-place.ts'
import { editOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { isObjectId, normalizeObjectId } from '../../../lib/object-id.ts'
import { parseIsoInstant } from '../../../lib/time/dates.ts'
import { outboundRule, plainProblem } from '../../../platform/guarded-fetch.ts'
import { SCOPES } from '../../access/keys/rules.ts'
import { originOf } from '../../audit/origin.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { changeEndpoint, createEndpoint, removeEndpoint, renewSecret } from './change-endpoints.ts'
import { presentAttempt, presentEndpoint } from './present.ts'
import { isAttemptKey, MAX_ENDPOINTS, normalizedEvents } from './rules.ts'
import {
  attemptsAnswer,
  attemptsQuery,
  createdAnswer,
  endpointAnswer,
  endpointBody,
  endpointPatch,
  endpointsAnswer,
  eventAnswer,
  recoverAnswer,
  recoverBody,
  resendBody,
  rotatedAnswer,
} from './schema.ts'
import {
  type EndpointRow,
  findEndpoint,
  insertTestEvent,
  listAttempts,
  listEndpoints,
  requeueDelivery,
  requeueFailed,
} from './sql.ts'

const tags = ['Webhooks']
const PATH = '/api/external/webhooks'
const RECOVERED_AT_ONCE = 5_000

/** The addresses that get a shop's events (G-62). */
export function webhookRoutes(app: App, deps: Deps): void {
  const { db, ids, clock, secrets } = deps
  const allows = outboundRule(deps.config.outboundAllowPrivate)

  app.post(
    PATH,
    {
      config: { hasSecretAnswer: true },
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Register a webhook endpoint',
        description: `Deliveries are POST requests signed as in Standard Webhooks. Each event is delivered at least once, in no fixed order. A shop can have at most ${MAX_ENDPOINTS} endpoints.`,
        body: endpointBody,
        errors: [404, 'WEBHOOK_LIMIT'],
        response: { 201: createdAnswer },
      },
    },
    async (request, reply) => {
      const { url, events } = request.body
      checkUrl(url)
      const shopId = request.shop.id
      const row = await idempotentCreate<EndpointRow>(request, ids, {
        kind: 'webhook',
        find: (id) => findEndpoint(db, shopId, id),
        create: (id) =>
          createEndpoint(deps, shopId, { id, url, events: normalizedEvents(events) }, originOf(request)),
      })
      return reply.code(201).send({
        data: { ...presentEndpoint(row, mayChange(request.shop)), secret: secrets.open(row.secret) },
      })
    },
  )

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: 'List the endpoints',
        response: { 200: endpointsAnswer },
      },
    },
    async (request) => {
      const rows = await listEndpoints(db, request.shop.id, MAX_ENDPOINTS)
      return { data: rows.map((row) => presentEndpoint(row, mayChange(request.shop))) }
    },
  )

  app.get(
    `${PATH}/:id`,
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getWebhook',
        summary: 'Read an endpoint',
        response: { 200: endpointAnswer },
      },
    },
    async (request, reply) => {
      const row = await existing(request.shop.id, pathId(request.params))
      showVersion(reply, row.version)
      return { data: presentEndpoint(row, mayChange(request.shop)) }
    },
  )

  app.patch(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'updateWebhook',
        summary: 'Change, disable or enable an endpoint',
        body: endpointPatch,
        errors: ['RECORD_CHANGED'],
        response: { 200: endpointAnswer },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const { url, events, enabled } = request.body
      if (url !== undefined) checkUrl(url)
      const change = { url, events: events && normalizedEvents(events), isEnabled: enabled }
      const row = await changeEndpoint(deps, request.shop.id, id, change, originOf(request), editOf(request))
      showVersion(reply, row.version)
      return { data: presentEndpoint(row, mayChange(request.shop)) }
    },
  )

  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'deleteWebhook',
        summary: 'Delete an endpoint; its queued events are discarded',
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      await removeEndpoint(deps, request.shop.id, id, originOf(request))
      return { success: true }
    },
  )

  app.post(
    `${PATH}/:id/test`,
    {
      schema: {
        tags,
        operationId: 'testWebhook',
        summary: 'Send the event `webhook.test` to an endpoint',
        errors: ['WEBHOOK_DISABLED'],
        response: { 202: eventAnswer },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const shopId = request.shop.id
      await switchedOn(shopId, id)
      const eventId = ids.next()
      await insertTestEvent(db, shopId, id, { eventId, now: clock.now() })
      return reply.code(202).send({ data: { eventId } })
    },
  )

  app.get(
    `${PATH}/:id/attempts`,
    {
      schema: {
        tags,
        operationId: 'listWebhookAttempts',
        summary: 'List the delivery attempts of an endpoint, newest first; kept for 30 days',
        querystring: attemptsQuery,
        response: { 200: attemptsAnswer },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const id = pathId(request.params)
      const place = readPlace(request.query, request.shop.id, `attempts.${id}`, isAttemptKey)
      const found = await listAttempts(db, request.shop.id, id, place)
      if (found === undefined) throw new NotFound('webhook')
      const { attempts, hasMore, last } = found
      const meta = { page, limit, hasMore, ...cursorMeta(place, attempts.length, last) }
      return { data: attempts.map(presentAttempt), meta }
    },
  )

  app.post(
    `${PATH}/:id/resend`,
    {
      schema: {
        tags,
        operationId: 'resendWebhookEvent',
        summary: 'Deliver an event to an endpoint again, whether or not it arrived',
        body: resendBody,
        errors: ['WEBHOOK_DISABLED'],
        response: { 202: eventAnswer },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const eventId = normalizeObjectId(request.body.eventId)
      if (!isObjectId(eventId)) throw invalidField(['eventId'], 'id.form')
      await switchedOn(request.shop.id, id)
      const isThere = await requeueDelivery(db, request.shop.id, id, eventId, clock.now())
      if (!isThere) throw new NotFound('event')
      return reply.code(202).send({ data: { eventId } })
    },
  )

  app.post(
    `${PATH}/:id/recover`,
    {
      schema: {
        tags,
        operationId: 'recoverWebhookEvents',
        summary:
          'Deliver again the events since a given time that failed or occurred while the endpoint was disabled',
        body: recoverBody,
        errors: ['WEBHOOK_DISABLED'],
        response: { 202: recoverAnswer },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const since = parseIsoInstant(request.body.since)
      if (since === undefined) throw invalidField(['since'], 'date.format')
      await switchedOn(request.shop.id, id)
      const now = clock.now()
      let queued = 0
      for (let count = RECOVERED_AT_ONCE; count === RECOVERED_AT_ONCE; ) {
        count = await requeueFailed(db, request.shop.id, id, { since, limit: RECOVERED_AT_ONCE, now })
        queued += count
      }
      return reply.code(202).send({ data: { queued } })
    },
  )

  app.post(
    `${PATH}/:id/rotate-secret`,
    {
      config: { hasSecretAnswer: true },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate an endpoint’s secret; both secrets sign for 24 hours',
        response: { 200: rotatedAnswer },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      const row = await renewSecret(deps, request.shop.id, id, originOf(request), request.idempotency)
      return {
        data: {
          ...presentEndpoint(row, mayChange(request.shop)),
          secret: secrets.open(row.secret),
          oldSecretUntil: row.old_secret_until!.toISOString(),
        },
      }
    },
  )

  function checkUrl(url: string): void {
    const problem = plainProblem(url, allows)
    if (problem === undefined) return
    throw invalidField(['url'], problem.reason === 'private' ? 'webhook.privateAddress' : 'webhook.url')
  }

  async function existing(shopId: string, id: string): Promise<EndpointRow> {
    const row = await findEndpoint(db, shopId, id)
    if (row === undefined) throw new NotFound('webhook')
    return row
  }

  /** Checks that the endpoint is enabled. @throws NotFound; Refused WEBHOOK_DISABLED. */
  async function switchedOn(shopId: string, id: string): Promise<void> {
    if ((await existing(shopId, id)).disabled_at !== null) throw new Refused('WEBHOOK_DISABLED')
  }
}

/** Whether a key or member may change endpoints and therefore see their whole addresses. */
function mayChange({ scopes }: FastifyRequest['shop']): boolean {
  return SCOPES.every((scope) => scopes.includes(scope))
}
