import type { Trx } from '../../../db/client.ts'
import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { deleteUsersOfShop } from '../../access/members/delete-users.ts'
import { allowErasing } from '../../people/places-sql.ts'
import { lockShop } from '../sql.ts'
import { inOrderOfDeletion } from './rules.ts'
import {
  beginErasing,
  deletePlatformEvents,
  deleteShop,
  foldEntries,
  insertClosing,
  listShopsToErase,
} from './sql.ts'
import { clearOwnReferences, deleteTableRows, listShopTables, type ShopTable } from './tables-sql.ts'

/** How many rows one step deletes: its transaction takes some tens of milliseconds. */
const TURN = 500
const SHOPS = 50

type Given = Pick<Deps, 'database' | 'clock' | 'jobs' | 'images'>

/**
 * Erases a shop whose deletion is due and whose export was downloaded (G-69): images, jobs, the platform's events,
 * people who belong to no other shop, then every table with a `shop_id`, as listed by the catalogue, in steps of some
 * hundred rows. A closing record with the sums of its ledger stays. If it is interrupted, the next run continues:
 * deleted rows are no longer found.
 * @returns whether the shop is erased; false if `stopping` was aborted, or the deletion was withdrawn.
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
      .map((table) => () => clearOwnReferences(db, shopId, table, TURN)),
    ...tables.map(
      (table) => () =>
        db.transaction().execute(async (trx) => {
          await allowErasing(trx)
          return deleteRows(trx, shopId, table)
        }),
    ),
  ]
  // Deletions write to change tables that may already be empty, so rounds repeat until one finds nothing.
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
    // Tables that refer to no other table could have got rows since.
    await allowErasing(trx)
    for (const table of tables) await deleteRows(trx, shopId, table)
    await deleteShop(trx, shopId, clock.now())
  })
  return true
}

/** Deletes some rows of a table, within `allowErasing`; the ledger's sums are kept. @returns how many rows. */
function deleteRows(trx: Trx, shopId: ObjectId, table: ShopTable): Promise<number> {
  return table.table === 'wallet_entries'
    ? foldEntries(trx, shopId, TURN)
    : deleteTableRows(trx, shopId, table, TURN)
}

/** Erases the shops that are due; if one fails, the others are still erased. @returns how many were erased. */
export async function eraseDueShops(
  given: Given & Pick<Deps, 'log'>,
  stopping: AbortSignal,
): Promise<number> {
  const { database, clock, log } = given
  let erased = 0
  for (let after: ObjectId = ''; ; ) {
    const shopIds = await listShopsToErase(database.slow, clock.now(), { after, limit: SHOPS })
    for (const shopId of shopIds) {
      if (stopping.aborted) return erased
      try {
        if (await inShareOf(shopId, () => eraseShop(given, shopId, stopping))) erased += 1
      } catch (error) {
        log.error({ err: error, shopId }, 'erasing a deleted shop failed; the next round continues')
      }
    }
    if (shopIds.length < SHOPS) return erased
    after = shopIds.at(-1)!
  }
}

/** Erases due shops at the interval of retention. @returns a function that stops it. */
export function startErasingShops(deps: Given & Pick<Deps, 'timings' | 'log'>): () => Promise<void> {
  const everyMs = deps.timings.retentionEveryMs
  const failed = (error: unknown) =>
    deps.log.error({ err: error }, 'erasing deleted shops failed; the next round continues')
  return startLoop({ everyMs, firstMs: everyMs, failed }, async (stopping) => {
    const erased = await eraseDueShops(deps, stopping)
    if (erased > 0) deps.log.info({ erased }, 'erased deleted shops')
  })
}
