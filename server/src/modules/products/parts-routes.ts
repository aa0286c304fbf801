import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { replaceSubItemsGroupsBody, replaceVariantsBody, replaceWholesalePricesBody } from './parts-schema.ts'
import { presentProduct } from './present.ts'
import { productRecord } from './record-schema.ts'
import { replaceSubItemsGroups, replaceWholesalePrices } from './replace-parts.ts'
import { noneSelected, type Selected } from './rules.ts'
import { replaceVariants } from './variants/replace-variants.ts'

const tags = ['Products']
const answer = Type.Object({ success: Type.Boolean(), message: Type.String(), data: productRecord })

/** What a product is made of, each replaced as a whole (G-37). The answers are E9's, with the part that was sent. */
export function productPartRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  app.put(
    '/api/external/v1/products/:id/variants',
    {
      schema: {
        tags,
        summary: 'Replace the variant groups and SKUs of a product',
        description:
          'The body replaces all variant groups and SKUs. A SKU is kept if its `_id` is sent, or else if one has the same options (without options: the same name), and takes every field from the body. A missing SKU is deleted; if an order, a stock movement or stock refers to it, it is retired instead: orders still show it, new orders cannot use it, its code becomes free, and it returns when it is sent again. Groups and options are kept by `id` or else by name. Without `skus`, the product has one SKU with its name, prices and codes again.',
        body: replaceVariantsBody,
        response: { 200: answer },
      },
    },
    async (request) => {
      const shown = shownWith({})
      const row = await replaceVariants(db, request.shop.id, pathId(request.params), request.body, {
        ids,
        now: clock.now(),
        children: shown,
      })
      return { success: true, message: 'Variants replaced', data: presentProduct(row, shown) }
    },
  )

  app.put(
    '/api/external/v1/products/:id/wholesale-prices',
    {
      schema: {
        tags,
        summary: 'Replace the wholesale prices of a product',
        description:
          'The tiers of one SKU in ascending order of `minQuantity`. They are shown, not applied: an order line without `price` uses the SKU’s price. A price above the previous tier’s is kept and reported in `warnings`.',
        body: replaceWholesalePricesBody,
        response: {
          200: Type.Object({ ...answer.properties, warnings: Type.Array(Type.String()) }),
        },
      },
    },
    async (request) => {
      const shown = shownWith({ wholesalePrices: true })
      const { row, warnings } = await replaceWholesalePrices(
        db,
        request.shop.id,
        pathId(request.params),
        request.body.wholesalePrices,
        { ids, now: clock.now(), children: shown },
      )
      return {
        success: true,
        message: 'Wholesale prices replaced',
        data: presentProduct(row, shown),
        warnings,
      }
    },
  )

  app.put(
    '/api/external/v1/products/:id/sub-items-groups',
    {
      schema: {
        tags,
        summary: 'Replace the sub-items groups of a product',
        description:
          'A group or item sent with its `_id` is kept; the others are new. The order is that of the body.',
        body: replaceSubItemsGroupsBody,
        response: { 200: answer },
      },
    },
    async (request) => {
      const shown = shownWith({ subItemsGroups: true })
      const row = await replaceSubItemsGroups(
        db,
        request.shop.id,
        pathId(request.params),
        request.body.subItemsGroups,
        { ids, now: clock.now(), children: shown },
      )
      return { success: true, message: 'Sub-items groups replaced', data: presentProduct(row, shown) }
    },
  )
}

function shownWith(more: Partial<Selected>) {
  const select = { ...noneSelected(), skus: true, variants: true, ...more }
  return { select, skuDrafts: true, warehouseId: undefined }
}
