import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { periodOf } from '../../reports/period.ts'
import { existingShop } from '../../shops/existing-shop.ts'
import { presentTemplateReport } from './present.ts'
import { MAX_TEMPLATES, reportAnswer, reportQuery } from './schema.ts'
import { listTemplateDays } from './sql.ts'

const description =
  'From counters that are kept with each message. Quality and quota are the last ones that the platform gave on a day.'

/** G-120: the outcomes of each template's messages, by day. */
export function templateReportRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/api/external/notify-template/report',
    {
      schema: {
        tags: ['Templates'],
        operationId: 'getTemplateReport',
        summary: 'Messages, cost and quality of each template by day',
        description,
        querystring: reportQuery,
        response: { 200: reportAnswer },
      },
    },
    async (request) => {
      const period = periodOf(request.query, clock.now())
      const rows = await listTemplateDays(db, request.shop.id, period, MAX_TEMPLATES)
      return { data: presentTemplateReport(rows, period) }
    },
  )
}

/** The same report for the operator, for any shop. */
export function operatorsTemplateReportRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/api/manage/v1/shops/:id/template-report',
    {
      schema: {
        tags: ['Management'],
        operationId: 'getShopTemplateReport',
        summary: 'Messages, cost and quality of each template of a shop by day',
        description,
        querystring: reportQuery,
        response: { 200: reportAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const period = periodOf(request.query, clock.now())
      const rows = await listTemplateDays(db, shopId, period, MAX_TEMPLATES)
      return { data: presentTemplateReport(rows, period) }
    },
  )
}
