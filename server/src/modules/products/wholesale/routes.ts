import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { editOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { presentProduct } from '../present.ts'
import { replacedAnswer } from '../record-schema.ts'
import { shownWith } from '../shown-with.ts'
import { replaceWholesalePrices } from './replace-wholesale-prices.ts'
import { replaceWholesalePricesBody } from './schema.ts'

const tags = ['Products']

/** Wholesale prices, replaced as a whole (G-37). */
export function wholesaleRoutes(app: App, { db, ids, clock }: Deps): void {
  app.put(
    '/api/external/v1/products/:id/wholesale-prices',
    {
      schema: {
        tags,
        operationId: 'replaceWholesalePrices',
        summary: 'Replace the wholesale prices of a product',
        description:
          'The tiers of one SKU in ascending order of `minQuantity`. They are shown, not applied: an order line without `price` uses the SKU’s price. A price above the previous tier’s is kept and reported in `warnings`.',
        body: replaceWholesalePricesBody,
        errors: ['RECORD_CHANGED'],
        response: {
          200: Type.Object({ ...replacedAnswer.properties, warnings: Type.Array(Type.String()) }),
        },
      },
    },
    async (request, reply) => {
      const shown = shownWith({ wholesalePrices: true })
      const { row, warnings } = await replaceWholesalePrices(
        db,
        request.shop.id,
        pathId(request.params),
        request.body.wholesalePrices,
        { ids, now: clock.now(), edit: editOf(request), children: shown },
      )
      showVersion(reply, row.version)
      return {
        success: true,
        message: 'Wholesale prices replaced',
        data: presentProduct(row, shown),
        warnings,
      }
    },
  )
}
