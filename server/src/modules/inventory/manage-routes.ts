import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { originOf } from '../audit/origin.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { presentDifference } from './present.ts'
import { repairStock } from './repair-stock.ts'
import { differencesAnswer } from './schema.ts'
import { listStockDifferences, type StockDifference } from './sql/verify.ts'

const tags = ['Management']
const LISTED = 1000

/** Comparing stock with its ledger (G-38); the caller has been authenticated as the operator. */
export function stockRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/manage/v1/shops/:id/stock/differences',
    {
      schema: {
        tags,
        operationId: 'listStockDifferences',
        summary: 'List stock quantities that differ from their ledger',
        response: { 200: differencesAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(deps.db, request.params)
      return answer(await listStockDifferences(deps.database.slow, shopId, { limit: LISTED }))
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/stock/repair',
    {
      schema: {
        tags,
        operationId: 'repairStock',
        summary: 'Set stock quantities to the values in their ledger',
        description: 'The response lists what was repaired. The ledger itself never changes.',
        response: { 200: differencesAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(deps.db, request.params)
      return answer(await repairStock({ ...deps, db: deps.database.slow }, shopId, LISTED, originOf(request)))
    },
  )
}

function answer({ total, differences }: { total: number; differences: StockDifference[] }) {
  return { data: { total, differences: differences.map(presentDifference) } }
}
