import { randomBytes } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { invalidField, NotFound } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { sealKeysOf, type TextProviderCode } from '../../platform/providers.ts'
import { lockRight } from '../access/members/lock-right.ts'
import type { OperatorOrigin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import {
  deleteSmsSender,
  findSmsSender,
  insertFormerSender,
  lockSenderVersion,
  type SmsSenderRow,
  updateSenderVersion,
  upsertSmsSender,
} from './sql.ts'

type Parts = Pick<Deps, 'db' | 'ids' | 'clock' | 'secrets'>

/** The fields to set of an SMS sender; without keys it keeps its keys. */
export type AskedSender = {
  provider: TextProviderCode
  brandname: string
  price: number
  apiKey?: string
  secretKey?: string
}

const KEY_BYTES = 24

/**
 * Sets a shop's SMS sender (G-90). New keys come with a new address for the provider's reports. The old keys are kept
 * for a while for SMS that were handed over with them; an SMS with an unknown outcome is not handed over again with the
 * new keys.
 * @throws RecordChanged; ValidationError for one key without the other, or none where the shop has none of this provider.
 */
export async function setSmsSender(
  { db, ids, clock, secrets }: Parts,
  shopId: ObjectId,
  asked: AskedSender,
  origin: OperatorOrigin,
  edit: Edit,
): Promise<{ row: SmsSenderRow; version: number }> {
  const { provider, brandname, price, apiKey, secretKey } = asked
  return db.transaction().execute(async (trx) => {
    await lockRight(trx, origin)
    const from = await lockSenderVersion(trx, shopId)
    await assertVersion(trx, shopId, 'sms_senders', { id: shopId, version: from }, edit)
    const known = await findSmsSender(trx, shopId)
    const kept = known?.provider === provider ? known : undefined
    if (apiKey === undefined && (secretKey !== undefined || kept === undefined))
      throw invalidField(['apiKey'], 'any.required')
    if (secretKey === undefined && apiKey !== undefined) throw invalidField(['secretKey'], 'any.required')
    const isRenewed = apiKey !== undefined && secretKey !== undefined
    const { keys, keys_id } = isRenewed
      ? {
          keys: sealKeysOf(provider, secrets, {
            apiKey,
            secretKey,
            reportKey: randomBytes(KEY_BYTES).toString('base64url'),
          }),
          keys_id: ids.next(),
        }
      : kept!
    const now = clock.now()
    if (isRenewed && known !== undefined) await insertFormerSender(trx, shopId, known, now)
    const row = await upsertSmsSender(trx, shopId, { provider, brandname, keys, keys_id, price, now })
    const version = await updateSenderVersion(trx, shopId, { by: edit.by, now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'sms_sender.set',
      target: { shopId },
      detail: { provider, brandname, price, credentials: isRenewed ? ['apiKey', 'secretKey'] : [] },
      now,
    })
    return { row, version }
  })
}

/**
 * Removes a shop's SMS sender: no new SMS is created, and waiting ones end unsent. Its keys are kept for a while for
 * SMS that were handed over with them. @throws NotFound; RecordChanged
 */
export async function removeSmsSender(
  { db, ids, clock }: Omit<Parts, 'secrets'>,
  shopId: ObjectId,
  origin: OperatorOrigin,
  edit: Edit,
): Promise<{ row: SmsSenderRow; version: number }> {
  return db.transaction().execute(async (trx) => {
    await lockRight(trx, origin)
    const from = await lockSenderVersion(trx, shopId)
    await assertVersion(trx, shopId, 'sms_senders', { id: shopId, version: from }, edit)
    const row = await deleteSmsSender(trx, shopId)
    if (row === undefined) throw new NotFound('smsSender')
    const { provider, brandname } = row
    const now = clock.now()
    await insertFormerSender(trx, shopId, row, now)
    const version = await updateSenderVersion(trx, shopId, { by: edit.by, now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'sms_sender.remove',
      target: { shopId },
      detail: { provider, brandname },
      now,
    })
    return { row, version }
  })
}
