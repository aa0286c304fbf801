import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { presentAuditEntry } from './present.ts'
import { auditAnswer, auditQuery, shopAuditQuery } from './schema.ts'
import { listAudit, listShopAudit } from './sql.ts'

const tags = ['Management']

/** The audit log (G-61); the caller is known to be the operator. */
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
      const { entries, hasMore } = await listAudit(db, { action }, { page, limit })
      return { data: entries.map(presentAuditEntry), meta: { page, limit, hasMore } }
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
      const { entries, hasMore } = await listShopAudit(db, shopId, { action }, { page, limit })
      return { data: entries.map(presentAuditEntry), meta: { page, limit, hasMore } }
    },
  )
}
