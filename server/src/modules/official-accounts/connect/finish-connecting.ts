import type { Deps } from '../../../deps.ts'
import { PlatformAway, Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { sha256 } from '../../../lib/secrets/sha256.ts'
import type { TokenPair } from '../../../platform/chatapp/tokens/token-request.ts'
import { lockRight } from '../../access/members/lock-right.ts'
import { type OperatorOrigin, personOf } from '../../audit/rules.ts'
import { insertAuditEntry } from '../../audit/sql.ts'
import { endWaits } from '../../messages/batches/sql.ts'
import { type OfficialAccountRow, upsertOfficialAccount } from '../sql.ts'
import { renewedUntil } from '../tokens/rules.ts'
import { updateTokens } from '../tokens/sql.ts'
import { isLinkedElsewhere, listConnectingApps, lockOaId, takeConnect } from './sql.ts'

type Parts = Pick<Deps, 'db' | 'ids' | 'clock' | 'secrets' | 'consent' | 'log'>

const MAX_NAME = 200

/**
 * Links the account whose owner came back from the consent page: exchanges the code for tokens, asks the platform for the
 * account's id and name, and stores all of it; batches that waited for it go on (G-27). The account id in the address bar (`oaId`) is used only to refuse early.
 * @throws Refused CONNECT_EXPIRED when the state was not given to this session for this shop, was used, or is too old;
 * OA_LINKED_ELSEWHERE; CONNECT_REFUSED when the platform refuses the code; NO_PLATFORM_APP when the app no longer exists.
 * PlatformAway.
 */
export async function finishConnecting(
  deps: Parts,
  shopId: ObjectId,
  came: { code: string; state: string; oaId: string | undefined; sessionToken: string },
  origin: OperatorOrigin,
): Promise<OfficialAccountRow> {
  const { db, clock, secrets, consent, log } = deps
  const proof = { stateHash: sha256(came.state), sessionHash: sha256(came.sessionToken), now: clock.now() }
  const connect = await takeConnect(db, shopId, proof)
  if (connect === undefined) throw new Refused('CONNECT_EXPIRED')
  if (came.oaId !== undefined && (await isLinkedElsewhere(db, shopId, came.oaId)))
    throw new Refused('OA_LINKED_ELSEWHERE', { oaId: came.oaId })
  const app = (await listConnectingApps(db)).find(({ app_id }) => app_id === connect.app_id)
  if (app === undefined) throw new Refused('NO_PLATFORM_APP')

  const answer = await consent.exchange(
    { appId: app.app_id, appSecret: secrets.open(app.app_secret) },
    { code: came.code, verifier: secrets.open(connect.verifier) },
  )
  if (answer.pair === undefined) {
    log.warn({ appId: app.app_id, cause: answer.cause }, 'a consent’s code gave no tokens')
    if (answer.isRefusal) throw new Refused('CONNECT_REFUSED')
    throw new PlatformAway()
  }
  const account = await consent.account(answer.pair.accessToken)
  if (account === undefined) throw new PlatformAway()
  return storeConnected(deps, shopId, { ...account, appId: app.app_id, pair: answer.pair }, origin)
}

async function storeConnected(
  { db, ids, clock, secrets }: Parts,
  shopId: ObjectId,
  { oaId, name, appId, pair }: { oaId: string; name: string; appId: string; pair: TokenPair },
  origin: OperatorOrigin,
): Promise<OfficialAccountRow> {
  return db.transaction().execute(async (trx) => {
    await lockRight(trx, origin, shopId)
    await lockOaId(trx, oaId)
    if (await isLinkedElsewhere(trx, shopId, oaId)) throw new Refused('OA_LINKED_ELSEWHERE', { oaId })
    const now = clock.now()
    const tokens = {
      accessToken: secrets.seal(pair.accessToken),
      refreshToken: secrets.seal(pair.refreshToken),
    }
    const row = await upsertOfficialAccount(trx, shopId, {
      id: ids.next(),
      oaId,
      name: name.slice(0, MAX_NAME),
      appId,
      secretKey: undefined,
      ...tokens,
      by: personOf(origin),
      now,
    })
    await updateTokens(trx, shopId, oaId, { ...tokens, ...renewedUntil(pair, now), now })
    await endWaits(trx, shopId, oaId, { reason: 'ACCOUNT_DISCONNECTED', now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'official_account.connect',
      target: { officialAccountId: row.id },
      detail: { oaId, name: row.name, appId },
      now,
    })
    return row
  })
}
