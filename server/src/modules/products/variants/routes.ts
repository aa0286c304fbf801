import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { editOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { presentProduct } from '../present.ts'
import { replacedAnswer } from '../record-schema.ts'
import { MOST_VALUES_OF_SKUS } from '../schema.ts'
import { shownWith } from '../shown-with.ts'
import { replaceVariants } from './replace-variants.ts'
import { replaceVariantsBody } from './schema.ts'

const tags = ['Products']

/** Variant groups and SKUs, replaced as a whole (G-37). */
export function variantRoutes(app: App, { db, ids, clock }: Deps): void {
  app.put(
    '/api/external/v1/products/:id/variants',
    {
      config: { mostValues: MOST_VALUES_OF_SKUS },
      schema: {
        tags,
        operationId: 'replaceProductVariants',
        summary: 'Replace the variant groups and SKUs of a product',
        description:
          'The body replaces all variant groups and SKUs. A SKU is kept if its `_id` is sent, or else if one has the same options (without options: the same name), and takes every field from the body. A missing SKU is deleted; if an order, a stock movement or stock refers to it, it is retired instead: orders still show it, new orders cannot use it, its code becomes free, and it returns when it is sent again. Groups and options are kept by `id` or else by name. Without `skus`, the product has one SKU with its name, prices and codes again.',
        body: replaceVariantsBody,
        errors: ['ITEM_SKU_TAKEN', 'BARCODE_TAKEN', 'RECORD_CHANGED'],
        response: { 200: replacedAnswer },
      },
    },
    async (request, reply) => {
      const shown = shownWith({})
      const row = await replaceVariants(db, request.shop.id, pathId(request.params), request.body, {
        ids,
        now: clock.now(),
        edit: editOf(request),
        children: shown,
      })
      showVersion(reply, row.version)
      return { success: true, message: 'Variants replaced', data: presentProduct(row, shown) }
    },
  )
}
