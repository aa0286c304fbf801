import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { cursorMeta, isTextKey, readPlace } from '../../http/list-place.ts'
import { editorOf } from '../../http/record-version.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { assertSeesCosts } from '../access/scopes.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import {
  costsAnswer,
  entryAnswer,
  entryBody,
  entryDetailAnswer,
  entryPreviewAnswer,
  listCostsQuery,
  listEntriesAnswer,
  listEntriesQuery,
  listSuppliersQuery,
  suppliersAnswer,
} from './entry-schema.ts'
import {
  type CostsShown,
  presentCost,
  presentEntry,
  presentEntryDetail,
  presentEntryPreview,
  presentSupplier,
} from './present.ts'
import { previewEntry } from './preview-entry.ts'
import { recordEntry } from './record-entry.ts'
import { listCosts } from './sql/costs.ts'
import { findEntry, listEntries } from './sql/entry-list.ts'
import { listSuppliers } from './sql/suppliers.ts'

const tags = ['Inventory']
const PATH = '/api/external/v1/inventory/entries'

/** The entries whose costs the caller may see: all, or only those that the caller recorded. */
const costsFor = (request: FastifyRequest): CostsShown => ({
  all: request.shop.seesCosts,
  ofEntriesBy: editorOf(request),
})

/** G-38: goods received, issued, counted and transferred, their suppliers, and their average costs. */
export function entryRoutes(app: App, deps: Deps): void {
  const { db, ids } = deps

  app.post(
    PATH,
    {
      schema: {
        tags,
        operationId: 'createInventoryEntry',
        summary: 'Receive, issue, count or transfer stock',
        description:
          'Books all items or none. A transfer of more than is available is refused with OUT_OF_STOCK, naming each SKU that falls short; so is an issue if the shop denies overselling; in a shop that allows it, the stock may go below 0. A count sets the stock regardless of reservations. Goods received with a `unitCost` change the average cost of their SKUs.',
        body: entryBody,
        errors: ['OUT_OF_STOCK', 'STOCK_CHANGED', 'AMOUNT_TOO_LARGE'],
        response: { 201: entryAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const { shopId: _, ...entry } = request.body
      const find = (id: string) => findEntry(db, shopId, id)
      const row = await idempotentCreate(request, ids, {
        find,
        async create(id) {
          await recordEntry(deps, shopId, entry, id, editorOf(request))
          return (await find(id))!
        },
      })
      return reply.code(201).send({
        success: true,
        message: 'Stock entered',
        data: presentEntryDetail(row, shopId, costsFor(request)),
      })
    },
  )

  app.post(
    `${PATH}/preview`,
    {
      schema: {
        tags,
        operationId: 'previewInventoryEntry',
        summary: 'Show what an entry would change, without booking it',
        description:
          'The stock of each line now, the difference that a count would book, the shortage of a transfer, and the average cost before and after.',
        body: entryBody,
        errors: ['AMOUNT_TOO_LARGE'],
        response: { 200: entryPreviewAnswer },
      },
    },
    async (request) => {
      const { shopId: _, ...entry } = request.body
      const preview = await previewEntry(db, request.shop.id, entry)
      return { success: true, data: presentEntryPreview(preview, request.shop.seesCosts) }
    },
  )

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listInventoryEntries',
        summary: 'List stock entries, newest first unless sorted otherwise',
        querystring: listEntriesQuery,
        response: { 200: listEntriesAnswer },
      },
    },
    async (request) => {
      const shopId = request.shop.id
      const { page, limit, type, sortType } = request.query
      const place = readPlace(request.query, shopId, `entries.createdAt.${sortType}`)
      const filter = { type, ids: place.ids }
      const { entries, hasMore, last } = await listEntries(db, shopId, filter, sortType, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, entries.length, last) }
      const costs = costsFor(request)
      return {
        success: true,
        data: { entries: entries.map((row) => presentEntry(row, shopId, costs)), meta },
      }
    },
  )

  app.get(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'getInventoryEntry',
        summary: 'Read a stock entry',
        response: { 200: entryDetailAnswer },
      },
    },
    async (request) => {
      const row = await findEntry(db, request.shop.id, pathId(request.params))
      if (row === undefined) throw new NotFound('entry')
      return { success: true, data: presentEntryDetail(row, request.shop.id, costsFor(request)) }
    },
  )

  app.get(
    '/api/external/v1/inventory/suppliers',
    {
      schema: {
        tags,
        operationId: 'listSuppliers',
        summary: 'List suppliers, most recently used first',
        description: 'The names with which goods received were entered.',
        querystring: listSuppliersQuery,
        response: { 200: suppliersAnswer },
      },
    },
    async (request) => {
      const { page, limit, search } = request.query
      const place = readPlace(request.query, request.shop.id, 'suppliers.lastReceivedAt.desc')
      const filter = { search, ids: place.ids }
      const { suppliers, hasMore, last } = await listSuppliers(db, request.shop.id, filter, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, suppliers.length, last) }
      return { success: true, data: { suppliers: suppliers.map(presentSupplier), meta } }
    },
  )

  app.get(
    '/api/external/v1/inventory/costs',
    {
      schema: {
        tags,
        operationId: 'listAverageCosts',
        summary: 'List the average costs of SKUs, by the SKU’s id',
        description:
          'SKUs that were never received with a cost are not listed. Among the members, only owners may read it.',
        querystring: listCostsQuery,
        errors: ['COSTS_FOR_OWNERS'],
        response: { 200: costsAnswer },
      },
    },
    async (request) => {
      assertSeesCosts(request)
      const { page, limit } = request.query
      const place = readPlace(request.query, request.shop.id, 'costs.skuId.asc', isTextKey)
      const { costs, hasMore, last } = await listCosts(db, request.shop.id, place.ids, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, costs.length, last) }
      return { success: true, data: { costs: costs.map(presentCost), meta } }
    },
  )
}
