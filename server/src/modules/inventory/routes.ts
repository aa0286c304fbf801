import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalidQuery } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { cursorFields, cursorMeta, readPlace } from '../../http/list-place.ts'
import { readNear } from '../../http/reads/replica-reads.ts'
import { editOf, editorOf, showVersion } from '../../http/record-version.ts'
import { optionalInstant, optionalStart } from '../../http/validation/instant.ts'
import { optionalObjectId, pathId } from '../../http/validation/object-id.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { changeWarehouse, createWarehouse, removeWarehouse } from './change-warehouses.ts'
import { entryRoutes } from './entry-routes.ts'
import { presentMovement, presentWarehouse } from './present.ts'
import {
  createWarehouseBody,
  listMovementsAnswer,
  listMovementsQuery,
  listWarehousesQuery,
  updateWarehouseBody,
  warehouseRecord,
} from './schema.ts'
import { listMovements } from './sql/entries.ts'
import { findWarehouse, listWarehouses } from './sql/warehouses.ts'

const tags = ['Inventory']
const warehouseAnswer = Type.Object({
  success: Type.Boolean(),
  message: Type.String(),
  data: warehouseRecord,
})

/** G-38: warehouses, manual entries of stock, and its ledger. */
export function inventoryRoutes(app: App, deps: Deps): void {
  warehouseRoutes(app, deps)
  entryRoutes(app, deps)
  const { db } = deps

  app.get(
    '/api/external/v1/inventory/movements',
    {
      schema: {
        tags,
        operationId: 'listInventoryMovements',
        summary: 'List stock movements, newest first',
        description:
          "Append-only: a SKU's stock in a warehouse is the sum of its movements. `cursor`, or `before`, leads to the next page; there is no total.",
        querystring: listMovementsQuery,
        response: { 200: listMovementsAnswer },
      },
    },
    async (request) => {
      const { skuId, warehouseId, type, orderId, from, to, before } = request.query
      const place = readPlace(request.query, request.shop.id, 'movements.createdAt.desc')
      const { movements, isKnown, hasMore, last } = await listMovements(
        db,
        request.shop.id,
        {
          skuId: optionalObjectId(skuId, 'skuId'),
          warehouseId: optionalObjectId(warehouseId, 'warehouseId'),
          type,
          orderId: optionalObjectId(orderId, 'orderId'),
          from: optionalStart(from, 'from'),
          to: optionalInstant(to, 'to'),
          ids: place.ids,
        },
        { before: optionalObjectId(before, 'before'), limit: place.limit, after: place.after },
      )
      if (!isKnown) throw invalidQuery('before', 'shop.unknown', { kind: 'movement' })
      const meta = {
        limit: place.limit,
        ...cursorMeta(place, movements.length, last),
        nextBefore: hasMore ? movements.at(-1)!.id : null,
      }
      const shown = movements.map((row) => presentMovement(row, request.shop.seesCosts))
      return { success: true, data: { movements: shown, meta } }
    },
  )
}

function warehouseRoutes(app: App, deps: Deps): void {
  const { db, ids } = deps

  app.get(
    '/api/external/v1/warehouses',
    {
      config: { reads: ['catalogue'] },
      schema: {
        tags,
        operationId: 'listWarehouses',
        summary: 'List warehouses, oldest first',
        querystring: listWarehousesQuery,
        response: {
          200: Type.Object({
            success: Type.Boolean(),
            data: Type.Object({
              warehouses: Type.Array(warehouseRecord),
              meta: Type.Object({
                page: Type.Number(),
                limit: Type.Number(),
                total: Type.Number(),
                totalPages: Type.Number(),
                ...cursorFields,
              }),
            }),
          }),
        },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const shopId = request.shop.id
      const place = readPlace(request.query, shopId, 'warehouses.createdAt.asc')
      const { warehouses, total, last } = await readNear(request, db, (near) =>
        listWarehouses(near, shopId, place, place.ids),
      )
      const meta = {
        page,
        limit,
        total,
        totalPages: Math.ceil(total / limit),
        ...cursorMeta(place, warehouses.length, last),
      }
      return {
        success: true,
        data: { warehouses: warehouses.map((row) => presentWarehouse(row, shopId)), meta },
      }
    },
  )

  app.post(
    '/api/external/v1/warehouses',
    {
      schema: {
        tags,
        operationId: 'createWarehouse',
        summary: 'Create a warehouse',
        body: createWarehouseBody,
        response: { 201: warehouseAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const row = await idempotentCreate(request, ids, {
        find: (id) => findWarehouse(db, shopId, id),
        create: (id) => createWarehouse(deps, shopId, request.body, id, editorOf(request)),
      })
      return reply
        .code(201)
        .send({ success: true, message: 'Warehouse created', data: presentWarehouse(row, shopId) })
    },
  )

  app.patch(
    '/api/external/v1/warehouses/:id',
    {
      schema: {
        tags,
        operationId: 'updateWarehouse',
        summary: 'Change fields of a warehouse',
        description:
          'Absent fields keep their value. `isDefault: true` makes this warehouse the default in place of the previous one.',
        body: updateWarehouseBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: warehouseAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const id = pathId(request.params)
      const row = await changeWarehouse(deps, shopId, id, request.body, editOf(request))
      showVersion(reply, row.version)
      return { success: true, message: 'Warehouse updated', data: presentWarehouse(row, shopId) }
    },
  )

  app.delete(
    '/api/external/v1/warehouses/:id',
    {
      schema: {
        tags,
        operationId: 'deleteWarehouse',
        summary: 'Delete a warehouse that was never used',
        description:
          'Refused with WAREHOUSE_IS_DEFAULT for the default warehouse, and with WAREHOUSE_IN_USE if it has or had stock.',
        errors: ['WAREHOUSE_IS_DEFAULT', 'WAREHOUSE_IN_USE'],
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      },
    },
    async (request) => {
      await removeWarehouse(deps, request.shop.id, pathId(request.params))
      return { success: true }
    },
  )
}
