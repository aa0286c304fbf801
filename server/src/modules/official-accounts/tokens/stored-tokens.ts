import type { Db } from '../../../db/client.ts'
import type { SecretBox } from '../../../lib/secrets/secret-box.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { simulatorToken } from '../../../platform/chatapp/chatapp-provider.ts'
import { createTokenStore, type TokenStore } from '../../../platform/chatapp/tokens/token-store.ts'
import type { PlatformLog } from '../../../platform/types.ts'
import type { Timings } from '../../../timings.ts'
import { endWaits } from '../../messages/batches/sql.ts'
import { noteFailedRenewal } from './note-failed-renewal.ts'
import { renewedUntil } from './rules.ts'
import { claimTokenRenewal, findTokens, lockRefreshToken, releaseTokenRenewal, updateTokens } from './sql.ts'

/** The tokens of linked official accounts, encrypted in the database; an account linked without tokens uses the simulator's. */
export function officialAccountTokens(given: {
  db: Db
  secrets: SecretBox
  clock: Clock
  timings: Timings
  oauthUrl: string
  log: PlatformLog
}): TokenStore {
  const { db, secrets, clock } = given

  function opened(sealed: Uint8Array | null): string | undefined {
    return sealed === null ? undefined : secrets.open(sealed)
  }

  return createTokenStore({
    oauthUrl: given.oauthUrl,
    timings: given.timings,
    async load(oa) {
      const row = await findTokens(db, oa.shopId, oa.oaId)
      if (row === undefined) return undefined
      const accessToken = opened(row.access_token)
      const refreshToken = opened(row.refresh_token)
      const secretKey = opened(row.app_secret)
      return {
        ...(accessToken === undefined ? {} : { accessToken }),
        ...(refreshToken === undefined ? {} : { refreshToken }),
        ...(secretKey === undefined ? {} : { secretKey }),
        ...(row.app_id === null ? {} : { appId: row.app_id }),
      }
    },
    async save(oa, pair, usedRefreshToken) {
      const now = clock.now()
      return db.transaction().execute(async (trx) => {
        const sealed = await lockRefreshToken(trx, oa.shopId, oa.oaId)
        if (sealed === undefined || opened(sealed) !== usedRefreshToken) return false
        await updateTokens(trx, oa.shopId, oa.oaId, {
          accessToken: secrets.seal(pair.accessToken),
          refreshToken: secrets.seal(pair.refreshToken),
          ...renewedUntil(pair, now),
          now,
        })
        await endWaits(trx, oa.shopId, oa.oaId, { reason: 'ACCOUNT_DISCONNECTED', now })
        return true
      })
    },
    claim: (oa, leaseMs) => claimTokenRenewal(db, oa.shopId, oa.oaId, leaseMs),
    release: (oa, claim) => releaseTokenRenewal(db, oa.shopId, oa.oaId, claim),
    failed: (oa, failure) => noteFailedRenewal(given, oa, failure),
    defaultAccessToken: (oa) => simulatorToken(oa.oaId),
    log: given.log,
  })
}
