import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { periodOf } from '../reports/period.ts'
import { presentOverview } from './present.ts'
import { comparisonsOf, lastDayOf } from './rules.ts'
import { overviewAnswer, overviewQuery } from './schema.ts'
import { findOverview } from './sql.ts'

/** The numbers of the home (G-40, decision 0041). */
export function overviewRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/api/external/overview',
    {
      schema: {
        tags: ['Overview'],
        operationId: 'getOverview',
        summary: 'Sales and messages of a period, and what needs attention',
        querystring: overviewQuery,
        response: { 200: overviewAnswer },
      },
    },
    async (request) => {
      const now = clock.now()
      const period = periodOf(request.query, now)
      const asked = { period, comparisons: comparisonsOf(period, now), lastDay: lastDayOf(period, now), now }
      return { data: presentOverview(await findOverview(db, request.shop.id, asked), asked) }
    },
  )
}
