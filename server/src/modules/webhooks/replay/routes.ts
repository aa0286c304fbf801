import type { Deps } from '../../../deps.ts'
import { NotFound, Refused } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { recentInstant } from '../../../http/validation/instant.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { findEndpoint } from '../endpoints/sql.ts'
import { replayAnswer, replayBody } from './schema.ts'
import { startReplay } from './sql.ts'

/** How long events are kept. */
const KEPT_DAYS = 30

/** G-68: gives an endpoint the events from before it was registered. */
export function replayRoutes(app: App, { db, clock }: Deps): void {
  app.post(
    '/api/external/webhooks/:id/replay-missing',
    {
      schema: {
        tags: ['Webhooks'],
        operationId: 'replayMissingWebhookEvents',
        summary: 'Deliver the events since a given time that the endpoint was never given',
        description:
          'For a new endpoint, or one that asks for more types than before. They are delivered in the background, alongside new events; events that the endpoint has had or is about to get are left out.',
        body: replayBody,
        errors: ['WEBHOOK_DISABLED'],
        response: { 202: replayAnswer },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const shopId = request.shop.id
      const since = recentInstant(request.body.since, 'since', { now: clock.now(), days: KEPT_DAYS })
      const endpoint = await findEndpoint(db, shopId, id)
      if (endpoint === undefined) throw new NotFound('webhook')
      if (endpoint.disabled_at !== null) throw new Refused('WEBHOOK_DISABLED')
      const replayingSince = await startReplay(db, shopId, id, since)
      if (replayingSince === undefined) throw new NotFound('webhook')
      return reply.code(202).send({ data: { id, replayingSince: replayingSince.toISOString() } })
    },
  )
}
