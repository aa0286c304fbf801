import type { Deps } from '../../../deps.ts'
import type { Refused } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { asksForDetails, languageOfRequest, refusalMessage } from '../../../http/error-map.ts'
import { normalizeObjectId } from '../../../lib/object-id.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { acceptBatch } from './accept-batch.ts'
import { messagesToAudience } from './audience-messages.ts'
import { presentBatch, presentPreview, presentRefused } from './present.ts'
import { previewBatch } from './preview-batch.ts'
import { startOf } from './rules.ts'
import {
  audienceBatchAnswer,
  audienceBatchBody,
  audiencePreviewAnswer,
  previewAudienceBatchBody,
} from './schema.ts'
import { findBatch } from './sql.ts'

const tags = ['Messages']
const PATH = '/api/external/notify-message/batches/to-audience'

/** G-27: batches to the customers of an audience (G-119). */
export function audienceBatchRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  app.post(
    PATH,
    {
      schema: {
        tags,
        operationId: 'sendBatchToAudience',
        summary: 'Send to up to 1,000 customers of an audience',
        description:
          'The customers are looked up now and their messages stored: repeated with the same `Idempotency-Key`, the request returns the same batch, even if customers joined the audience meanwhile. If `next` is not null, send the next batch with it as `after` and another key: no customer appears twice.',
        body: audienceBatchBody,
        errors: [404, 'TEMPLATE_NOT_SENDABLE', 'OA_NOT_LINKED', 'RECIPIENT_OPTED_OUT'],
        response: { 202: audienceBatchAnswer },
      },
    },
    async (request, reply) => {
      const { templateId, name } = request.body
      const shopId = request.shop.id
      const language = languageOfRequest(request)
      const scheduledAt = startOf(request.body.scheduledAt, clock.now())
      const asked = askedOf(request.body)
      const find = (id: string) => findBatch(db, shopId, id)
      const batch = await idempotentCreate(request, ids, {
        find,
        async create(id) {
          const { messages, customerIds, next } = await messagesToAudience(db, shopId, asked, clock.now())
          const audience = { id: asked.audienceId, next, customerIds }
          const plan = { templateId, messages, name, scheduledAt, audience }
          await acceptBatch(deps, shopId, id, plan, (refused) => refusalMessage(refused, language))
          return (await find(id))!
        },
      })
      const refused = presentRefused(batch.refused, asksForDetails(request))
      const data = { ...presentBatch(batch, clock.now()), refused, next: batch.audience_next }
      return reply.code(202).send({ data })
    },
  )

  app.post(
    `${PATH}/preview`,
    {
      schema: {
        tags,
        operationId: 'previewBatchToAudience',
        summary: 'Check a batch to an audience without sending it',
        description: 'The result is what sending would give at this moment; nothing is stored or held.',
        body: previewAudienceBatchBody,
        errors: [404, 'TEMPLATE_NOT_SENDABLE', 'OA_NOT_LINKED', 'RECIPIENT_OPTED_OUT'],
        response: { 200: audiencePreviewAnswer },
      },
    },
    async (request) => {
      const { templateId, feesBefore, messagesBefore } = request.body
      const shopId = request.shop.id
      const language = languageOfRequest(request)
      const found = await messagesToAudience(db, shopId, askedOf(request.body), clock.now())
      const scheduledAt = startOf(request.body.scheduledAt, clock.now())
      const asked = { templateId, messages: found.messages, feesBefore, messagesBefore, scheduledAt }
      const says = (refused: Refused) => refusalMessage(refused, language)
      const preview = await previewBatch(deps, shopId, asked, says)
      const named = preview.refused.map((row) => ({ ...row, customerId: found.customerIds[row.index]! }))
      const presented = presentPreview({ ...preview, refused: named }, asksForDetails(request))
      return { data: { ...presented, next: found.next } }
    },
  )
}

function askedOf(body: { audienceId: string; params: Record<string, string>; after?: string }) {
  const { audienceId, params, after } = body
  return {
    audienceId: normalizeObjectId(audienceId),
    params,
    after: after === undefined ? '' : normalizeObjectId(after),
  }
}
