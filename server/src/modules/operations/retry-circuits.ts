import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import { startLoop } from '../../jobs/loop.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { endWaits } from '../messages/batches/sql.ts'
import {
  type AccountOfShop,
  askCircuitRetry,
  type CircuitRetry,
  listCircuitRetries,
} from '../official-accounts/state-sql.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'breaker'>

/**
 * Tries the platform again for an account at once, without waiting for its circuits (G-61): immediately in this
 * process, and in all others by {@link startCircuitWatch}. If no circuit is open, nothing changes.
 * @throws NotFound
 */
export async function retryCircuits(
  deps: Needs & Pick<Deps, 'ids'>,
  shopId: ObjectId,
  accountId: ObjectId,
  origin: Origin,
): Promise<AccountOfShop> {
  const now = deps.clock.now()
  const account = await deps.db.transaction().execute(async (trx) => {
    const asked = await askCircuitRetry(trx, shopId, accountId, now)
    if (asked === undefined) throw new NotFound('officialAccount')
    await insertAuditEntry(trx, shopId, {
      id: deps.ids.next(),
      origin,
      action: 'official_account.retry',
      target: { accountId },
      detail: {},
      now,
    })
    return asked
  })
  await tryAgain(deps, { shop_id: shopId, oa_id: account.oa_id, circuit_retry_at: now })
  return account
}

/**
 * Circuits are in each process's memory: while one of this process is open, it checks every `circuitRetrySeenMs`
 * whether a retry was requested. @returns a function that stops it.
 */
export function startCircuitWatch(deps: Needs & Pick<Deps, 'timings' | 'log'>): () => Promise<void> {
  const everyMs = deps.timings.circuitRetrySeenMs
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'could not check whether to try the platform again')
  return startLoop({ everyMs, firstMs: everyMs, failed }, async () => {
    const open = deps.breaker
      .list()
      .filter(({ oaId, endpoint }) => deps.breaker.circuit(oaId, endpoint).state === 'open')
    if (open.length === 0) return
    const retries = await listCircuitRetries(deps.db, [...new Set(open.map(({ oaId }) => oaId))])
    for (const retry of retries) await tryAgain(deps, retry)
  })
}

/**
 * Closes this process's circuits and makes waiting work due. Another process whose circuit is still open may defer it
 * again.
 */
async function tryAgain({ db, clock, breaker }: Needs, retry: CircuitRetry): Promise<void> {
  if (breaker.tryAgain(retry.oa_id, retry.circuit_retry_at))
    await endWaits(db, retry.shop_id, retry.oa_id, { reason: 'PLATFORM_UNAVAILABLE', now: clock.now() })
}
