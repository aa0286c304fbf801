import type { Deps } from '../../../deps.ts'
import { detailOf } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { asksForDetails } from '../../../http/error-map.ts'
import { editorOf } from '../../../http/record-version.ts'
import { importCustomers } from './import-customers.ts'
import { importCustomersAnswer, importCustomersBody } from './schema.ts'

/** G-125: customers of another program. */
export function customerImportRoutes(app: App, deps: Deps): void {
  app.post(
    '/api/external/v1/customers/import',
    {
      schema: {
        tags: ['Customers'],
        operationId: 'importCustomers',
        summary: 'Store up to 500 customers and their opening debts',
        description:
          'A customer with the phone number, or without one with the name, is known: they keep what they have and get what they lack. The same rows again change nothing, so a request without a response can be repeated.',
        body: importCustomersBody,
        response: { 200: importCustomersAnswer },
      },
    },
    async (request) => {
      const { customers, dryRun = false } = request.body
      const options = { dryRun, by: editorOf(request) }
      const { problems, ...counts } = await importCustomers(deps, request.shop.id, customers, options)
      const errors = problems.map(({ row, problem }) => {
        const { key: field, message, ...rule } = detailOf(problem)
        return { row, field, message, ...(asksForDetails(request) ? rule : {}) }
      })
      return { data: { ...counts, failed: problems.length, errors } }
    },
  )
}
