import type { Trx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import { storedName } from '../../stored-text.ts'
import { lockRight } from '../access/members/lock-right.ts'
import type { OperatorOrigin } from '../audit/rules.ts'
import { insertOperatorAuditEntry } from '../audit/sql.ts'
import { given } from '../shops/rules.ts'
import {
  countAccountsOfApp,
  deletePlatformApp,
  type ListedAppRow,
  lockPlatformApp,
  type PlatformAppRow,
  upsertPlatformApp,
} from './sql.ts'

type Parts = Pick<Deps, 'db' | 'ids' | 'clock' | 'secrets'>

/** The fields to set of an app, in plain text; undefined ones stay unchanged. */
export type AskedApp = {
  appId: string
  name?: string
  appSecret?: string
  oaSecretKey?: string
  previousOaSecretKey?: string | null
}

/**
 * Sets the given fields of the operator's app; the app is created if there is none with this id (G-61). When the OA
 * secret key changes, the old one becomes the previous one, so that events signed with either are accepted.
 * @throws ValidationError for a blank name.
 */
export async function setPlatformApp(
  parts: Parts,
  asked: AskedApp,
  origin: OperatorOrigin,
): Promise<ListedAppRow> {
  return parts.db.transaction().execute(async (trx) => {
    await lockRight(trx, origin)
    const row = await writePlatformApp(parts, trx, asked, origin)
    return { ...row, accounts: await countAccountsOfApp(trx, asked.appId) }
  })
}

/** Does the same in the caller's transaction; the caller has checked the permission. */
export async function writePlatformApp(
  { ids, clock, secrets }: Omit<Parts, 'db'>,
  trx: Trx,
  asked: AskedApp,
  origin: OperatorOrigin,
): Promise<PlatformAppRow> {
  const { appId } = asked
  const now = clock.now()
  const known = await lockPlatformApp(trx, appId)
  const name = asked.name === undefined ? (known?.name ?? appId) : storedName(asked.name)
  const row = await upsertPlatformApp(trx, { appId, name, ...sealedSecrets(secrets, known, asked), now })
  const { appSecret, oaSecretKey, previousOaSecretKey } = asked
  await insertOperatorAuditEntry(trx, {
    id: ids.next(),
    origin,
    action: 'platform_app.set',
    target: { appId },
    detail: { name, credentials: Object.keys(given({ appSecret, oaSecretKey, previousOaSecretKey })) },
    now,
  })
  return row
}

/** Removes an app. @throws NotFound; Refused APP_IN_USE while official accounts refer to it. */
export async function removePlatformApp(
  { db, ids, clock }: Parts,
  appId: string,
  origin: OperatorOrigin,
): Promise<ListedAppRow> {
  return db.transaction().execute(async (trx) => {
    await lockRight(trx, origin)
    const row = await lockPlatformApp(trx, appId)
    if (row === undefined) throw new NotFound('platformApp')
    if ((await countAccountsOfApp(trx, appId)) > 0) throw new Refused('APP_IN_USE')
    await deletePlatformApp(trx, appId)
    await insertOperatorAuditEntry(trx, {
      id: ids.next(),
      origin,
      action: 'platform_app.remove',
      target: { appId },
      detail: { name: row.name },
      now: clock.now(),
    })
    return { ...row, accounts: 0 }
  })
}

function sealedSecrets(secrets: SecretBox, known: PlatformAppRow | undefined, asked: AskedApp) {
  const { appSecret, oaSecretKey, previousOaSecretKey } = asked
  const before = known?.oa_secret_key ?? null
  const isReplaced = oaSecretKey !== undefined && before !== null && secrets.open(before) !== oaSecretKey
  const previous = isReplaced ? before : (known?.previous_oa_secret_key ?? null)
  return {
    appSecret: appSecret === undefined ? (known?.app_secret ?? null) : secrets.seal(appSecret),
    oaSecretKey: oaSecretKey === undefined ? before : secrets.seal(oaSecretKey),
    previousOaSecretKey:
      previousOaSecretKey === undefined
        ? previous
        : previousOaSecretKey === null
          ? null
          : secrets.seal(previousOaSecretKey),
  }
}
