import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { csvFile, labels, sendCsv } from '../../../http/formats/csv.ts'
import { askedIds, exportedIds } from '../../../http/list-place.ts'
import { optionalObjectId } from '../../../http/validation/object-id.ts'
import { listProductsQuery } from '../../products/schema.ts'
import { exportProducts } from './export-products.ts'

const { search, category, minPrice, maxPrice, barcode, stockAtMost, stocked } = listProductsQuery.properties

/** G-37: the bulk export of products; `../import` imports them. */
export function productExportRoutes(app: App, deps: Deps): void {
  const { clock } = deps

  app.get(
    '/api/external/v1/products/export',
    {
      schema: {
        tags: ['Products'],
        operationId: 'exportProducts',
        summary: 'Export products as CSV, oldest first',
        description:
          "All products that match the list's filters, without retired ones. UTF-8 with a byte order mark, one line per SKU, with the product's columns on each. A text that a spreadsheet would read as a formula starts with an apostrophe, which the import removes: importing the file into the same shop changes nothing. With `labels` it has the stock in all warehouses too, which an import does not set; the console imports it.",
        querystring: Type.Object({
          ids: exportedIds,
          search,
          category,
          minPrice,
          maxPrice,
          barcode,
          stockAtMost,
          stocked,
          labels,
        }),
        response: { 200: csvFile },
      },
    },
    async (request, reply) => {
      const { query } = request
      const filter = {
        ids: askedIds(query.ids),
        search: query.search,
        categoryId: optionalObjectId(query.category, 'category'),
        minPrice: query.minPrice === undefined ? undefined : Math.ceil(query.minPrice),
        maxPrice: query.maxPrice === undefined ? undefined : Math.floor(query.maxPrice),
        barcode: query.barcode,
        stockAtMost: query.stockAtMost,
        isStocked: query.stocked,
      }
      const chunks = exportProducts(deps.database.slow, request.shop.id, filter, query.labels)
      return sendCsv(reply, { name: 'products', now: clock.now(), chunks })
    },
  )
}
