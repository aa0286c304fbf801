import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import { accessTokenOf } from '../../../platform/chatapp/chatapp-provider.ts'
import { claimDueRenewals } from './renewal-sql.ts'

const ROUND = 50

/**
 * Renews the tokens of accounts that have sent nothing for a while: a refresh token is valid for three months and each renewal
 * returns a new one. Several processes may do so at once. Stops early when `signal` is aborted.
 */
export async function renewIdleTokens(
  deps: Pick<Deps, 'db' | 'clock' | 'timings' | 'tokens' | 'secrets' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock, timings, tokens, secrets, log } = deps
  for (;;) {
    const now = clock.now()
    const due = await claimDueRenewals(db, {
      renewedBefore: new Date(now.getTime() - timings.tokenRenewAfterMs),
      triedBefore: new Date(now.getTime() - timings.tokenRenewEveryMs),
      now,
      limit: ROUND,
    })
    for (const { shop_id: shopId, oa_id: oaId, access_token } of due) {
      if (signal?.aborted) return
      try {
        const accessToken = accessTokenOf(secrets, oaId, access_token)
        await tokens.refresh({ shopId, oaId, accessToken }, accessToken)
      } catch (error) {
        log.error({ err: error, oaId }, 'the tokens of an idle account could not be renewed')
      }
    }
    if (due.length < ROUND) return
  }
}

/** Runs {@link renewIdleTokens} every hour. @returns a function that stops it. */
export function startTokenRenewal(deps: Deps): () => Promise<void> {
  const everyMs = deps.timings.tokenRenewEveryMs
  const failed = (error: unknown) => deps.log.error({ err: error }, 'a round of renewals failed')
  return startLoop({ everyMs, firstMs: everyMs, failed }, (stopping) => renewIdleTokens(deps, stopping))
}
