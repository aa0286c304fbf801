import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { cursorMeta, readPlace } from '../../http/list-place.ts'
import { ENDPOINTS } from '../../platform/breaker.ts'
import { presentAccount } from './state-present.ts'
import { accountsAnswer, accountsQuery } from './state-schema.ts'
import { listAccounts } from './state-sql.ts'

/** The official accounts that a shop sends with, and whether the platform accepts their calls (G-24). */
export function accountRoutes(app: App, { db, config, breaker }: Deps): void {
  // G-24: the circuits of the shop's accounts.
  app.get(
    '/api/external/official-accounts',
    {
      schema: {
        tags: ['Official accounts'],
        operationId: 'listOfficialAccounts',
        summary: 'List the linked official accounts and whether the platform accepts their calls',
        description:
          'Repeated failures of the platform open the circuit of an account and endpoint: E5 and E6 then immediately return 503 with `Retry-After`, and batches wait with `PLATFORM_UNAVAILABLE`.',
        querystring: accountsQuery,
        response: { 200: accountsAnswer },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const place = readPlace(request.query, request.shop.id, 'officialAccounts.createdAt.asc')
      const { accounts, hasMore, last } = await listAccounts(db, request.shop.id, place.ids, place)
      const isTokenNeeded = config.platform !== undefined
      return {
        data: accounts.map((account) => {
          const circuits = ENDPOINTS.map(
            (endpoint) => [endpoint, breaker.circuit(account.oa_id, endpoint)] as const,
          )
          return presentAccount(account, circuits, isTokenNeeded)
        }),
        meta: { page, limit, hasMore, ...cursorMeta(place, accounts.length, last) },
      }
    },
  )
}
