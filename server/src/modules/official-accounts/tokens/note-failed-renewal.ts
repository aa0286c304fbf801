import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { recordEvent } from '../../webhooks/outbox/sql.ts'
import { updateFailedRenewal } from './renewal-sql.ts'
import { stopsAt } from './rules.ts'

/**
 * Records that an account's tokens could not be renewed, and notifies the shop, once, when the account counts as disconnected: at
 * once if the platform refused, after two days if the platform could not be reached.
 */
export async function noteFailedRenewal(
  { db, clock, timings }: Pick<Deps, 'db' | 'clock' | 'timings'>,
  { shopId, oaId }: { shopId: ObjectId; oaId: string },
  failure: { cause: string; isRefusal: boolean },
): Promise<void> {
  const now = clock.now()
  const failingBefore = new Date(now.getTime() - timings.tokenFailingMs)
  await db.transaction().execute(async (trx) => {
    const { cause: problem, isRefusal: isRefused } = failure
    const row = await updateFailedRenewal(trx, shopId, oaId, { problem, isRefused, failingBefore, now })
    if (row === undefined || !row.is_disconnected_now) return
    await recordEvent(trx, shopId, {
      type: 'official_account.disconnected',
      data: { accountId: row.id, oaId, name: row.name, stopsAt: stopsAt(row)?.toISOString() ?? null },
      at: now,
    })
  })
}
