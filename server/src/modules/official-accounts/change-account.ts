import type { Trx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { storedName } from '../../stored-text.ts'
import { changesOf, type OperatorOrigin, type Origin, personOf } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import { endWaits } from '../messages/batches/sql.ts'
import { writePlatformApp } from '../platform-apps/set-app.ts'
import { lockPlatformApp } from '../platform-apps/sql.ts'
import { given } from '../shops/rules.ts'
import {
  type ChargeOn,
  clearOwnSecret,
  deleteOfficialAccount,
  lockOfficialAccount,
  type OfficialAccountRow,
  updateOfficialAccount,
  upsertOfficialAccount,
} from './sql.ts'
import { forgetTokenTimes } from './tokens/sql.ts'

type Parts = Pick<Deps, 'db' | 'ids' | 'clock' | 'secrets'>

/** The credentials of an official account, unencrypted; they are encrypted before they are stored. */
type Credentials = { secretKey?: string; accessToken?: string; refreshToken?: string }

/**
 * Links an official account; linking it again replaces its name and the credentials given (G-61), which wakes the batches that
 * waited for them (G-27). Its app is created if the operator has not set one with this id.
 */
export async function linkOfficialAccount(
  parts: Parts,
  shopId: ObjectId,
  asked: { oaId: string; name: string; appId?: string } & Credentials,
  origin: OperatorOrigin,
): Promise<OfficialAccountRow> {
  const { db, ids, clock, secrets } = parts
  const { oaId, appId } = asked
  const name = storedName(asked.name)
  return db.transaction().execute(async (trx) => {
    const now = clock.now()
    const row = await upsertOfficialAccount(trx, shopId, {
      id: ids.next(),
      oaId,
      name,
      appId,
      ...sealed(secrets, asked),
      by: personOf(origin),
      now,
    })
    await keepSecretWithApp(parts, trx, shopId, row, origin)
    if (hasTokens(asked)) await forgetTokenTimes(trx, shopId, row.id)
    if (namesOf(asked).length > 0) await endWaits(trx, shopId, oaId, { reason: 'ACCOUNT_DISCONNECTED', now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'official_account.link',
      target: { officialAccountId: row.id },
      detail: { oaId, name, ...given({ appId }), credentials: namesOf(asked) },
      now,
    })
    return row
  })
}

/**
 * Changes the given fields of an official account: its name, app, prices, when its messages are charged, and credentials (G-61),
 * which wake the batches that waited for them (G-27).
 * @throws NotFound; RecordChanged; ValidationError for a blank name.
 */
export async function changeOfficialAccount(
  parts: Parts,
  shopId: ObjectId,
  id: ObjectId,
  asked: {
    name?: string
    appId?: string | null
    price?: number | null
    priceUID?: number | null
    chargeOn?: ChargeOn
  } & Credentials,
  origin: OperatorOrigin,
  edit: Edit,
): Promise<OfficialAccountRow> {
  const { db, ids, clock, secrets } = parts
  const fields = given({
    name: asked.name === undefined ? undefined : storedName(asked.name),
    appId: asked.appId,
    pricePhone: asked.price,
    priceUid: asked.priceUID,
    chargeOn: asked.chargeOn,
  })
  return db.transaction().execute(async (trx) => {
    const row = await lockOfficialAccount(trx, shopId, id, { for: 'change' })
    if (row === undefined) throw new NotFound('officialAccount')
    await assertVersion(trx, shopId, 'official_accounts', row, edit)
    const before = {
      name: row.name,
      appId: row.app_id,
      pricePhone: row.price_phone,
      priceUid: row.price_uid,
      chargeOn: row.charge_on,
    }
    const after = { ...before, ...fields }
    const changes = changesOf(before, after)
    const credentials = namesOf(asked)
    if (Object.keys(changes).length === 0 && credentials.length === 0) return row
    const now = clock.now()
    const updated = await updateOfficialAccount(trx, shopId, id, {
      ...after,
      ...sealed(secrets, asked),
      by: edit.by,
      now,
    })
    await keepSecretWithApp(parts, trx, shopId, updated, origin)
    if (hasTokens(asked)) await forgetTokenTimes(trx, shopId, id)
    if (credentials.length > 0)
      await endWaits(trx, shopId, row.oa_id, { reason: 'ACCOUNT_DISCONNECTED', now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'official_account.update',
      target: { officialAccountId: id },
      detail: { oaId: row.oa_id, ...changes, ...(credentials.length === 0 ? {} : { credentials }) },
      now,
    })
    return updated
  })
}

/**
 * Unlinks an official account: nothing is sent with its templates until it is linked again (G-61).
 * @throws NotFound; Refused OA_IN_USE while messages wait to be sent with it, or have no result yet.
 */
export async function unlinkOfficialAccount(
  { db, ids, clock }: Pick<Parts, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  id: ObjectId,
  origin: Origin,
): Promise<OfficialAccountRow> {
  return db.transaction().execute(async (trx) => {
    const row = await lockOfficialAccount(trx, shopId, id, { for: 'unlinking' })
    if (row === undefined) throw new NotFound('officialAccount')
    if (!(await deleteOfficialAccount(trx, shopId, id))) throw new Refused('OA_IN_USE')
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'official_account.unlink',
      target: { officialAccountId: id },
      detail: { oaId: row.oa_id, name: row.name },
      now: clock.now(),
    })
    return row
  })
}

/** An app has one secret: the account's secret is moved to its app, which is created if there is none. */
async function keepSecretWithApp(
  parts: Parts,
  trx: Trx,
  shopId: ObjectId,
  { id, app_id: appId, secret_key: secretKey }: OfficialAccountRow,
  origin: OperatorOrigin,
): Promise<void> {
  if (appId === null) return
  if (secretKey !== null) {
    await writePlatformApp(parts, trx, { appId, appSecret: parts.secrets.open(secretKey) }, origin)
    await clearOwnSecret(trx, shopId, id)
  } else if ((await lockPlatformApp(trx, appId)) === undefined) {
    await writePlatformApp(parts, trx, { appId }, origin)
  }
}

function hasTokens({ accessToken, refreshToken }: Credentials): boolean {
  return accessToken !== undefined || refreshToken !== undefined
}

/** The names of the given credentials; the audit log may hold the names, never the values. */
function namesOf(asked: Credentials): string[] {
  return Object.keys(
    given({ secretKey: asked.secretKey, accessToken: asked.accessToken, refreshToken: asked.refreshToken }),
  )
}

function sealed(secrets: Parts['secrets'], asked: Credentials) {
  const seal = (secret: string | undefined) => (secret === undefined ? undefined : secrets.seal(secret))
  return {
    secretKey: seal(asked.secretKey),
    accessToken: seal(asked.accessToken),
    refreshToken: seal(asked.refreshToken),
  }
}
