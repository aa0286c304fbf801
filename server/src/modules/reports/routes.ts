import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { assertSeesCosts } from '../access/scopes.ts'
import { periodOf } from './period.ts'
import { presentGoodsWithoutCost, presentProfit } from './present.ts'
import { goodsWithoutCostAnswer, MAX_GOODS, profitAnswer, profitQuery } from './schema.ts'
import { listGoodsWithoutCost, listProfit } from './sql.ts'

/** G-38: sales less the cost of their goods. */
export function reportRoutes(app: App, { database, clock }: Deps): void {
  app.get(
    '/api/external/v1/reports/profit',
    {
      schema: {
        tags: ['Reports'],
        operationId: 'getProfitReport',
        summary: 'Sales, cost of goods sold and profit by day',
        description:
          'A line’s cost is the average cost of its SKU at the moment of the sale. Lines of SKUs without a cost are counted separately, never as free. Among the members, only owners may read it.',
        querystring: profitQuery,
        errors: ['COSTS_FOR_OWNERS'],
        response: { 200: profitAnswer },
      },
    },
    async (request) => {
      assertSeesCosts(request)
      const period = periodOf(request.query, clock.now())
      return { data: presentProfit(await listProfit(database.slow, request.shop.id, period)) }
    },
  )

  app.get(
    '/api/external/v1/reports/profit/without-cost',
    {
      schema: {
        tags: ['Reports'],
        operationId: 'getGoodsWithoutCost',
        summary: 'The products behind `linesWithoutCost` of the profit report',
        description:
          'Receive them with a `unitCost`, and later sales have a cost. Among the members, only owners may read it.',
        querystring: profitQuery,
        errors: ['COSTS_FOR_OWNERS'],
        response: { 200: goodsWithoutCostAnswer },
      },
    },
    async (request) => {
      assertSeesCosts(request)
      const period = periodOf(request.query, clock.now())
      const rows = await listGoodsWithoutCost(database.slow, request.shop.id, period, MAX_GOODS)
      return { data: presentGoodsWithoutCost(rows) }
    },
  )
}
