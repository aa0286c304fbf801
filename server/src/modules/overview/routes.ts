import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { presentOverview } from './present.ts'
import { overviewAnswer, overviewQuery } from './schema.ts'
import { findOverview } from './sql.ts'

export function overviewRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/api/external/overview',
    {
      schema: {
        tags: ['Overview'],
        operationId: 'getOverview',
        summary: 'Orders and messages by day, and what needs attention',
        querystring: overviewQuery,
        response: { 200: overviewAnswer },
      },
    },
    async (request) => {
      const at = { now: clock.now(), days: request.query.days }
      return { data: presentOverview(await findOverview(db, request.shop.id, at)) }
    },
  )
}
