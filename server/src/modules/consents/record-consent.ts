import type { Deps } from '../../deps.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { cancelQueuedTo } from '../messages/batches/cancel-queued-to.ts'
import { OPTED_OUT } from '../messages/outcome/endings.ts'
import { lockWallet } from '../wallet/sql.ts'
import { EXEMPT_TAGS } from './rules.ts'
import { type ConsentRow, findCurrentConsent, insertConsent } from './sql.ts'

/**
 * Adds a consent or opt-out to a recipient's history (G-77). If the recipient is opted out afterwards, queued messages to them
 * end as ERROR with code OPTED_OUT, all in one transaction, except those of exempt tags. The wallet is locked first, as a batch
 * does before it reads who has opted out, so the later of a batch and an opt-out sees what the earlier one wrote.
 * @throws the unique violation of `consents_pkey` for an id in use.
 */
export async function recordConsent(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  consent: Omit<ConsentRow, 'created_at'>,
): Promise<{ consent: ConsentRow; cancelled: number }> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    await lockWallet(trx, shopId)
    const row = await insertConsent(trx, shopId, { ...consent, created_at: now })
    const current = await findCurrentConsent(trx, shopId, row)
    if (current?.status !== 'withdrawn') return { consent: row, cancelled: 0 }
    const to = { channel: row.channel, recipient: row.recipient, exemptTags: EXEMPT_TAGS }
    return { consent: row, cancelled: await cancelQueuedTo(trx, shopId, to, { code: OPTED_OUT, ids, now }) }
  })
}
