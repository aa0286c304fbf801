import { sql } from 'kysely'
import { it } from 'vitest'
import type { Db } from '../../src/db/client.ts'
import { pauseBatches, restBatches } from '../../src/modules/messages/batches/sql.ts'
import { BATCHES, batchTo, makeBatchShop, phones } from '../support/batches.ts'
import { onPostgres } from '../support/database.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { separateService } from '../support/service.ts'

const running = await separateService()
const { db } = running.deps
const scheduledAt = new Date(Date.now() + 86_400_000)

const STATEMENTS: Record<string, (shopId: string, ids: string[]) => Promise<void>> = {
  pauseBatches: (shopId, ids) =>
    pauseBatches(
      db,
      ids.map((batchId) => ({ shopId, batchId, until: scheduledAt })),
      { reason: 'PLATFORM_UNAVAILABLE', now: new Date() },
    ),
  restBatches: (shopId, ids) =>
    restBatches(
      db,
      ids.map((batchId) => ({ shopId, batchId, revision: 0 })),
      new Date(),
    ),
}

const touch = (trx: Db, shopId: string, id: string) =>
  sql`update message_batches set updated_at = now() where shop_id = ${shopId} and id = ${id}`.execute(trx)

it.runIf(onPostgres).each(Object.keys(STATEMENTS))(
  'G-27 %s takes its batches in the order of their ids: whoever holds the first may take the second',
  async (name) => {
    const sender = await makeBatchShop(running)
    const { shopId } = sender.shop
    const ids: string[] = []
    for (let n = 0; n < 2; n++)
      ids.push((await sender.shop.post(BATCHES, batchTo(sender, phones(1), { scheduledAt }))).body.data.id)
    const [first, second] = ids.sort() as [string, string]
    // The first one is also after the second one in the table, however the statement finds them.
    await touch(db, shopId, first)
    const { waiting } = await db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '1s'`.execute(trx)
      await touch(trx, shopId, first)
      const waiting = STATEMENTS[name]!(shopId, [second, first])
      await lockWaits(db, 1)
      await touch(trx, shopId, second)
      return { waiting }
    })
    await waiting
  },
)
