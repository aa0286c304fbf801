import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { presentCircuit, presentQueue } from './present.ts'
import { circuitsAnswer, queuesAnswer } from './schema.ts'
import { listAccountsByOaId } from './sql.ts'

const tags = ['Management']

/** How the background work and the platform do (G-61); the caller has been found to be the operator. */
export function operatorHealthRoutes(app: App, { db, jobs, breaker }: Deps): void {
  app.get(
    '/api/manage/v1/queues',
    {
      schema: {
        tags,
        operationId: 'listQueues',
        summary: 'List the background queues and their jobs',
        response: { 200: queuesAnswer },
      },
    },
    async () => ({ data: (await jobs.sizes()).map(presentQueue) }),
  )

  app.get(
    '/api/manage/v1/circuits',
    {
      schema: {
        tags,
        operationId: 'listCircuits',
        summary: 'List the official accounts of all shops whose calls to the platform failed recently',
        response: { 200: circuitsAnswer },
      },
    },
    async () => {
      const failing = breaker.list()
      if (failing.length === 0) return { data: [] }
      const accounts = await listAccountsByOaId(db, [...new Set(failing.map(({ oaId }) => oaId))])
      return {
        data: accounts.flatMap((account) =>
          failing
            .filter(({ oaId }) => oaId === account.oa_id)
            .map(({ endpoint }) =>
              presentCircuit(account, endpoint, breaker.circuit(account.oa_id, endpoint)),
            ),
        ),
      }
    },
  )
}
