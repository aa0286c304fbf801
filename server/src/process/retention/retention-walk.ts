import { inShareOf } from '../../db/share.ts'
import type { Deps } from '../../deps.ts'
import { startLoop } from '../../jobs/loop.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { removeUnusedImages } from '../../modules/images/remove-unused.ts'
import { eraseOldValues } from '../../modules/messages/values/erase-values.ts'
import { listShopIds } from '../../modules/shops/sql.ts'
import { takeWalk, updateWalkedValues } from '../../modules/shops/walks-sql.ts'

const DAY_MS = 86_400_000
const SHOPS = 200
/** Less than a day, so that a shop is not skipped when its last walk began a little later in the day. */
const PAUSE_MS = 20 * 3_600_000

type Given = Pick<Deps, 'database' | 'clock' | 'config' | 'images' | 'log'>

/**
 * Erases old data in rows that are themselves kept: the values of messages, and images that no record uses. Goes
 * through all shops one after the other; each is done once a day, by the process that comes first. A failure in one
 * shop does not stop the others.
 * @returns how many of each were erased.
 */
export async function eraseExpired(
  { database, clock, config, images, log }: Given,
  stopping: Pick<AbortSignal, 'aborted'>,
): Promise<{ values: number; images: number }> {
  const { messageValuesDays, unusedImagesDays } = config.retention
  const db = database.slow
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
  const erased = { values: 0, images: 0 }
  if (messageValuesDays === undefined && unusedImagesDays === undefined) return erased
  for (let after: ObjectId = ''; ; ) {
    const shopIds = await listShopIds(db, { after, limit: SHOPS })
    for (const shopId of shopIds) {
      if (stopping.aborted) return erased
      try {
        await inShareOf(shopId, async () => {
          const now = clock.now()
          const walk = await takeWalk(db, shopId, { now, notSince: new Date(now.getTime() - PAUSE_MS) })
          if (walk === undefined) return
          if (messageValuesDays !== undefined) {
            const span = { since: walk.values_before, before: before(messageValuesDays) }
            erased.values += await eraseOldValues(db, shopId, span, stopping)
            if (!stopping.aborted) await updateWalkedValues(db, shopId, span.before)
          }
          if (unusedImagesDays !== undefined) {
            const old = before(unusedImagesDays)
            erased.images += await removeUnusedImages({ database, images }, shopId, old, stopping)
          }
        })
      } catch (error) {
        log.warn({ err: error, shopId }, 'data past its retention could not be erased')
      }
    }
    if (shopIds.length < SHOPS) return erased
    after = shopIds.at(-1)!
  }
}

/**
 * Runs {@link eraseExpired} soon after the start and then once a day.
 * @returns a function that stops it.
 */
export function startRetentionWalk(deps: Given & Pick<Deps, 'timings'>): () => Promise<void> {
  const { timings, log } = deps
  const failed = (error: unknown) => log.warn({ err: error }, 'erasing old data failed')
  return startLoop(
    { everyMs: timings.retentionWalkEveryMs, firstMs: timings.retentionEveryMs, failed },
    async (stopping) => {
      const erased = await eraseExpired(deps, stopping)
      if (erased.values + erased.images > 0) log.info(erased, 'erased data past its retention')
    },
  )
}
