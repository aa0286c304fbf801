import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { presentEntry } from './present.ts'
import { historyAnswer } from './schema.ts'
import { listHistory } from './sql.ts'

/** As many as are kept. */
const MOST = 200

/** G-114: what changed in a product, and who did it. */
export function productHistoryRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/external/v1/products/:id/history',
    {
      schema: {
        tags: ['Products'],
        operationId: 'getProductHistory',
        summary: 'Read what changed in a product and who did it, newest first',
        response: { 200: historyAnswer },
      },
    },
    async (request) => {
      const rows = await listHistory(db, request.shop.id, pathId(request.params), MOST)
      if (rows === undefined) throw new NotFound('product')
      return { data: rows.map(presentEntry) }
    },
  )
}
