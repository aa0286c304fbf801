import { takeSnapshot } from '../../db/snapshot.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { operatorOriginOf } from '../audit/origin.ts'
import { listAccountsByOaId } from '../official-accounts/state-sql.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { countDeliveries } from '../webhooks/delivery/sql.ts'
import { checkDatabase } from './checks.ts'
import { presentCheck, presentCircuit, presentDeliveries, presentQueue } from './present.ts'
import { retryCircuits } from './retry-circuits.ts'
import { checksAnswer, circuitsAnswer, queuesAnswer, snapshotAnswer } from './schema.ts'

const tags = ['Management']

/** The number up to which queued webhook deliveries are counted. */
const COUNTED_DELIVERIES = 100_000

/** The state of the background work and of the platform (G-61); the caller is known to be the operator. */
export function operatorHealthRoutes(app: App, deps: Deps): void {
  const { database, db, clock, ids, jobs, breaker } = deps

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
    async () => {
      const [queues, deliveries] = await Promise.all([jobs.sizes(), countDeliveries(db, COUNTED_DELIVERIES)])
      return { data: [...queues.map(presentQueue), ...presentDeliveries(deliveries, clock.now())] }
    },
  )

  app.get(
    '/api/manage/v1/checks',
    {
      schema: {
        tags,
        operationId: 'listChecks',
        summary: 'Check the database, its schema, its clock and the age of the queues',
        response: { 200: checksAnswer },
      },
    },
    async () => ({ data: (await checkDatabase(db, undefined)).map(presentCheck) }),
  )

  app.post(
    '/api/manage/v1/snapshots',
    {
      schema: {
        tags,
        operationId: 'createSnapshot',
        summary: 'Copy the files of the embedded database to a folder beside it, for shopbell backup',
        description: 'All requests that need the database wait meanwhile. The copy is removed after a day.',
        response: { 201: snapshotAnswer },
      },
    },
    async (_request, reply) => {
      const { folder } = database
      const taken = folder === undefined ? undefined : await takeSnapshot({ db, folder }, ids.next())
      return reply.code(201).send({ data: { folder: taken?.folder ?? null, totals: taken?.totals ?? null } })
    },
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

  app.post(
    '/api/manage/v1/shops/:id/circuits/:accountId/retry',
    {
      schema: {
        tags,
        operationId: 'retryCircuits',
        summary: 'Try the platform again with an official account immediately',
        description:
          'The next call probes each endpoint whose circuit is open: immediately in the process that responds, within 2 s in all others. Batches that wait with `PLATFORM_UNAVAILABLE` continue. If the probe fails, the circuit opens again.',
        response: { 200: circuitsAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const accountId = pathId(request.params, 'accountId')
      const account = await retryCircuits(deps, shopId, accountId, operatorOriginOf(request))
      const circuits = breaker.list().filter(({ oaId }) => oaId === account.oa_id)
      return {
        data: circuits.map(({ endpoint }) =>
          presentCircuit(account, endpoint, breaker.circuit(account.oa_id, endpoint)),
        ),
      }
    },
  )
}
