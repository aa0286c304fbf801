import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendJson } from '../../http/formats/json.ts'
import { cursorFields, cursorMeta } from '../../http/list-place.ts'
import { readNear } from '../../http/reads/replica-reads.ts'
import { editOf, editorOf, showVersion } from '../../http/record-version.ts'
import { totalFields } from '../../http/validation/fields.ts'
import { optionalObjectId, pathId } from '../../http/validation/object-id.ts'
import { totalMeta } from '../../lib/lists/total.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { createProduct } from './create-product.ts'
import { readListQuery } from './list-query.ts'
import { presentCreatedProduct, presentProduct, presentUpdatedProduct } from './present.ts'
import { createdProductRecord, productRecord, updatedProductRecord } from './record-schema.ts'
import { retireProduct } from './retire-product.ts'
import { noneSelected, parseSelect } from './rules.ts'
import {
  createProductBody,
  listProductsQuery,
  MOST_VALUES_OF_SKUS,
  readProductQuery,
  updateProductBody,
} from './schema.ts'
import { listProducts } from './sql/list.ts'
import { findProduct } from './sql/read.ts'
import { changeProduct } from './update-product.ts'

const tags = ['Products']

/** E8 to E11, and retiring a product (G-37). */
export function productRoutes(app: App, deps: Deps): void {
  const { db, clock, ids } = deps

  app.get(
    '/api/external/v1/products',
    {
      config: { reads: ['catalogue', 'sales'] },
      schema: {
        tags,
        operationId: 'listProducts',
        summary: 'List products',
        description:
          'Without `select`, each product carries `skuDrafts`. Products of every status are listed.',
        querystring: listProductsQuery,
        response: {
          200: Type.Object({
            success: Type.Boolean(),
            data: Type.Object({
              products: Type.Array(productRecord),
              meta: Type.Object({
                ...totalFields,
                currentPage: Type.Number(),
                limit: Type.Number(),
                ...cursorFields,
              }),
            }),
          }),
        },
      },
    },
    async (request, reply) => {
      const query = readListQuery(request.query, request.shop.id)
      const { matches, products, found, fit, last } = await readNear(request, db, (near) =>
        listProducts(near, request.shop.id, query),
      )
      const { page, limit } = request.query
      const meta = {
        ...totalMeta(query.mode, matches, limit),
        currentPage: page,
        limit,
        ...cursorMeta(query.page, found, last, fit),
      }
      return sendJson(
        reply,
        `{"success":true,"data":{"products":[${products}],"meta":${JSON.stringify(meta)}}}`,
      )
    },
  )

  app.get(
    '/api/external/v1/products/:id',
    {
      config: { reads: ['catalogue', 'sales'] },
      schema: {
        tags,
        operationId: 'getProduct',
        summary: 'Read a product',
        description:
          'Includes `skus`, `itemVariants` and `skuDrafts`; `select` adds the other parts, `warehouseId` the stock in that warehouse.',
        querystring: readProductQuery,
        response: { 200: Type.Object({ success: Type.Boolean(), data: productRecord }) },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const select = { ...(parseSelect(request.query.select) ?? noneSelected()), skus: true, variants: true }
      const warehouseId = optionalObjectId(request.query.warehouseId, 'warehouseId')
      const shown = { select, skuDrafts: true, warehouseId }
      const row = await readNear(request, db, (near) => findProduct(near, request.shop.id, id, shown))
      if (row === undefined) throw new NotFound('product')
      showVersion(reply, row.version)
      return { success: true, data: presentProduct(row, shown) }
    },
  )

  app.post(
    '/api/external/v1/products',
    {
      config: { mostValues: MOST_VALUES_OF_SKUS },
      schema: {
        tags,
        operationId: 'createProduct',
        summary: 'Create a product',
        description:
          'Stock is not accepted here; use an inventory entry. A product without `skus` gets one SKU with its name, prices and codes, which follows later updates of the product, even when `variants` are sent.',
        body: createProductBody,
        errors: [404, 'ITEM_SKU_TAKEN', 'BARCODE_TAKEN'],
        response: {
          200: Type.Object({ success: Type.Boolean(), message: Type.String(), data: createdProductRecord }),
        },
      },
    },
    async (request) => {
      const shown = {
        select: { ...noneSelected(), skus: true, variants: true },
        skuDrafts: true,
        warehouseId: undefined,
      }
      const row = await idempotentCreate(request, ids, {
        kind: 'product',
        find: (id) => findProduct(db, request.shop.id, id, shown),
        create: (id) =>
          createProduct(db, request.shop.id, request.body, {
            id,
            ids,
            by: editorOf(request),
            now: clock.now(),
          }),
      })
      return { success: true, message: 'Product created', data: presentCreatedProduct(row) }
    },
  )

  app.patch(
    '/api/external/v1/products/:id',
    {
      schema: {
        tags,
        operationId: 'updateProduct',
        summary: 'Update a product',
        description:
          'Absent fields keep their value, except the slug: when absent, it is generated from the name. Variants and SKUs cannot be changed here.',
        body: updateProductBody,
        errors: ['SHOP_MISMATCH', 'ITEM_SKU_TAKEN', 'BARCODE_TAKEN', 'RECORD_CHANGED'],
        response: {
          200: Type.Object({ success: Type.Boolean(), message: Type.String(), data: updatedProductRecord }),
        },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const { shopId, ...patch } = request.body
      if (shopId.toLowerCase() !== request.shop.id) throw new Refused('SHOP_MISMATCH')
      const context = { edit: editOf(request), now: clock.now() }
      const row = await changeProduct(db, request.shop.id, id, patch, context)
      showVersion(reply, row.version)
      return { success: true, message: 'Product updated', data: presentUpdatedProduct(row) }
    },
  )

  app.delete(
    '/api/external/v1/products/:id',
    {
      schema: {
        tags,
        operationId: 'retireProduct',
        summary: 'Retire a product',
        description:
          'The product is permanently removed from lists, reads, searches, news and new orders; existing orders still show it. Its slug, codes and barcodes become free; its stock stays in the ledger. Refused with PRODUCT_IN_ORDERS while an order that contains it is neither completed nor cancelled.',
        errors: ['PRODUCT_IN_ORDERS'],
        response: { 200: Type.Object({ success: Type.Boolean(), message: Type.String() }) },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      await retireProduct(db, request.shop.id, id, { by: editorOf(request), now: clock.now() })
      return { success: true, message: 'Product retired' }
    },
  )
}
