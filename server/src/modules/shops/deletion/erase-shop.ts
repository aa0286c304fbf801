import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { deleteUsersOfShop } from '../../access/members/delete-users.ts'
import { allowErasing } from '../../people/places-sql.ts'
import { lockShop } from '../sql.ts'
import { inOrderOfDeletion } from './rules.ts'
import { beginErasing, deletePlatformEvents, deleteShop, insertClosing, listShopsToErase } from './sql.ts'
import { deleteTableRows, listShopTables, untieTableRows } from './tables-sql.ts'

/** How many rows a turn deletes: its transaction takes some tens of milliseconds. */
const TURN = 500
const SHOPS_A_ROUND = 10

type Given = Pick<Deps, 'database' | 'clock' | 'jobs' | 'images'>

/**
 * Erases a shop whose deletion is due and whose export was read (G-69): images, jobs, the platform's events, people who were in no
 * other shop, then every table with a `shop_id`, by the catalogue, in turns of some hundred rows. A closing with the sums of its
 * ledger stays. Ended in the middle, it goes on where it was: what is done is found no more.
 * @returns whether the shop is gone; not if `stopping` came, or the deletion was withdrawn.
 */
export async function eraseShop(
  { database, clock, jobs, images }: Given,
  shopId: ObjectId,
  stopping: Pick<AbortSignal, 'aborted'>,
): Promise<boolean> {
  const db = database.slow
  const begun = await db.transaction().execute(async (trx) => {
    await lockShop(trx, shopId)
    if (!(await beginErasing(trx, shopId, clock.now()))) return false
    await insertClosing(trx, shopId)
    return true
  })
  if (!begun) return false
  const tables = inOrderOfDeletion(await listShopTables(db))
  const steps: (() => Promise<number>)[] = [
    () => jobs.deleteOf(db, shopId),
    () => deletePlatformEvents(db, shopId, TURN),
    () => images.removeSome(shopId),
    () => deleteUsersOfShop(db, shopId, TURN),
    ...tables
      .filter(({ ownParents }) => ownParents.length > 0)
      .map((table) => () => untieTableRows(db, shopId, table, TURN)),
    ...tables.map(
      (table) => () =>
        db.transaction().execute(async (trx) => {
          await allowErasing(trx)
          return deleteTableRows(trx, shopId, table, TURN)
        }),
    ),
  ]
  // A deletion notes changes in tables that were already empty: until a round finds nothing.
  for (let isClean = false; !isClean; ) {
    isClean = true
    for (const step of steps) {
      for (let count = 1; count > 0; ) {
        if (stopping.aborted) return false
        count = await step()
        if (count > 0) isClean = false
      }
    }
  }
  await db.transaction().execute(async (trx) => {
    // What nothing refers from could have been written since.
    await allowErasing(trx)
    for (const table of tables) await deleteTableRows(trx, shopId, table, TURN)
    await deleteShop(trx, shopId, clock.now())
  })
  return true
}

/** Erases the shops whose time has come. @returns how many are gone. */
export async function eraseDueShops(given: Given, stopping: AbortSignal): Promise<number> {
  let erased = 0
  for (const shopId of await listShopsToErase(given.database.slow, given.clock.now(), SHOPS_A_ROUND)) {
    if (stopping.aborted) return erased
    if (await inShareOf(shopId, () => eraseShop(given, shopId, stopping))) erased += 1
  }
  return erased
}

/** Looks for them as often as for records past their retention. @returns what stops it. */
export function startErasingShops(deps: Given & Pick<Deps, 'timings' | 'log'>): () => Promise<void> {
  const everyMs = deps.timings.retentionEveryMs
  const failed = (error: unknown) =>
    deps.log.error({ err: error }, 'erasing a deleted shop failed; the next round goes on')
  return startLoop({ everyMs, firstMs: everyMs, failed }, async (stopping) => {
    const erased = await eraseDueShops(deps, stopping)
    if (erased > 0) deps.log.info({ erased }, 'erased deleted shops')
  })
}
