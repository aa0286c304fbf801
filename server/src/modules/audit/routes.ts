import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { ALL_SHOPS, cursorMeta, readPlace } from '../../http/list-place.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { presentAuditEntry } from './present.ts'
import { auditAnswer, auditQuery, shopAuditQuery } from './schema.ts'
import { listAudit, listShopAudit } from './sql.ts'

const tags = ['Management']

/**
 * The audit log (G-61). The caller has been authenticated: as the operator for all shops, as the operator or an owner for one.
 */
export function auditRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/manage/v1/audit',
    {
      schema: {
        tags,
        operationId: 'listAuditEntries',
        summary: 'List the audit log of all shops and of the operators, newest first',
        querystring: auditQuery,
        response: { 200: auditAnswer },
      },
    },
    async (request) => {
      const { page, limit, action } = request.query
      const place = readPlace(request.query, ALL_SHOPS, 'audit.createdAt.desc')
      const { entries, hasMore, last } = await listAudit(db, { action, ids: place.ids }, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, entries.length, last) }
      return { data: entries.map(presentAuditEntry), meta }
    },
  )

  app.get(
    '/api/manage/v1/shops/:id/audit',
    {
      schema: {
        tags,
        operationId: 'listShopAuditEntries',
        summary: 'List the audit log of a shop, newest first',
        querystring: shopAuditQuery,
        response: { 200: auditAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const { page, limit, action } = request.query
      const place = readPlace(request.query, shopId, 'audit.createdAt.desc')
      const { entries, hasMore, last } = await listShopAudit(db, shopId, { action, ids: place.ids }, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, entries.length, last) }
      return { data: entries.map(presentAuditEntry), meta }
    },
  )
}
