import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound, type Refused } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { asksForDetails, languageOfRequest, refusalMessage } from '../../../http/error-map.ts'
import { cursorMeta, readPlace } from '../../../http/list-place.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { acceptBatch } from './accept-batch.ts'
import { cancelQueuedMessages } from './cancel-batch.ts'
import { presentBatch, presentPreview, presentRefused } from './present.ts'
import { previewBatch } from './preview-batch.ts'
import { startOf } from './rules.ts'
import {
  batchAnswer,
  batchBody,
  batchesAnswer,
  batchesQuery,
  batchPreviewAnswer,
  batchWithRefusals,
  previewBatchBody,
} from './schema.ts'
import { findBatch, listBatches } from './sql.ts'

const tags = ['Messages']
const PATH = '/api/external/notify-message/batches'
/** Enough for a thousand messages with long values. */
const BODY_LIMIT = 8 * 1024 * 1024
const MOST_VALUES = 100_000

/** G-27: many messages in one call, and their progress. */
export function batchRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  // G-27: many messages in one call.
  app.post(
    PATH,
    {
      bodyLimit: BODY_LIMIT,
      config: { mostValues: MOST_VALUES },
      schema: {
        tags,
        operationId: 'sendBatch',
        summary: 'Send up to 1,000 messages',
        description:
          'Each message is checked like a single message. Those that pass are accepted and their fees held; `refused` lists the others by `index`. Messages are sent in the background within the platform’s limits, and wait for its night window and quotas.',
        body: batchBody,
        errors: [404, 'TEMPLATE_NOT_SENDABLE', 'OA_NOT_LINKED', 'RECIPIENT_OPTED_OUT'],
        response: { 202: batchWithRefusals },
      },
    },
    async (request, reply) => {
      const { templateId, messages, name, scheduledAt, isTest = false } = request.body
      if (isTest && messages.length > 1) throw invalidField(['messages'], 'array.max', { limit: 1 })
      const shopId = request.shop.id
      const language = languageOfRequest(request)
      const plan = { templateId, messages, name, isTest, scheduledAt: startOf(scheduledAt, clock.now()) }
      const find = (id: string) => findBatch(db, shopId, id)
      const batch = await idempotentCreate(request, ids, {
        find,
        async create(id) {
          await acceptBatch(deps, shopId, id, plan, (refused) => refusalMessage(refused, language))
          return (await find(id))!
        },
      })
      const refused = presentRefused(batch.refused, asksForDetails(request))
      return reply.code(202).send({ data: { ...presentBatch(batch, clock.now()), refused } })
    },
  )

  // G-27: the result that sending them would have.
  app.post(
    `${PATH}/preview`,
    {
      bodyLimit: BODY_LIMIT,
      config: { mostValues: MOST_VALUES },
      schema: {
        tags,
        operationId: 'previewBatch',
        summary: 'Check up to 1,000 messages without sending them',
        description:
          'Each message is checked by the same rules as when the batch is sent; nothing is stored or held. Use `feesBefore` for a list that takes several calls.',
        body: previewBatchBody,
        errors: [404, 'TEMPLATE_NOT_SENDABLE', 'OA_NOT_LINKED', 'RECIPIENT_OPTED_OUT'],
        response: { 200: batchPreviewAnswer },
      },
    },
    async (request) => {
      const scheduledAt = startOf(request.body.scheduledAt, clock.now())
      const language = languageOfRequest(request)
      const says = (refused: Refused) => refusalMessage(refused, language)
      const preview = await previewBatch(deps, request.shop.id, { ...request.body, scheduledAt }, says)
      return { data: presentPreview(preview, asksForDetails(request)) }
    },
  )

  // G-27: newest first.
  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listBatches',
        summary: 'List the batches, newest first',
        querystring: batchesQuery,
        response: { 200: batchesAnswer },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const place = readPlace(request.query, request.shop.id, 'batches.createdAt.desc')
      const { batches, hasMore, last } = await listBatches(db, request.shop.id, place.ids, place)
      const now = clock.now()
      const meta = { page, limit, hasMore, ...cursorMeta(place, batches.length, last) }
      return { data: batches.map((batch) => presentBatch(batch, now)), meta }
    },
  )

  // G-27: the progress of one.
  app.get(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'getBatch',
        summary: 'Read a batch and its progress',
        response: { 200: batchWithRefusals },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      const batch = await findBatch(db, request.shop.id, id)
      if (batch === undefined) throw new NotFound('batch')
      const refused = presentRefused(batch.refused, asksForDetails(request))
      return { data: { ...presentBatch(batch, clock.now()), refused } }
    },
  )

  // G-27: queued messages are cancelled; those in progress finish.
  app.post(
    `${PATH}/:id/cancel`,
    {
      schema: {
        tags,
        operationId: 'cancelBatch',
        summary: 'Cancel a batch',
        description:
          'Unsent messages end as ERROR with code CANCELLED and their fees are released; messages in progress finish. Cancelling again changes nothing.',
        response: { 200: batchAnswer },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      const shopId = request.shop.id
      await cancelQueuedMessages(deps, shopId, id)
      return { data: presentBatch((await findBatch(db, shopId, id))!, clock.now()) }
    },
  )
}
