import { isDatabaseAway } from '../../../db/client.ts'
import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { handOutEvents, handOutEventsOf, listWaitingShops } from './hand-out-sql.ts'

/** In one statement so many shops have their turn, with so many events each. */
const SHOPS = 32
export const PER_SHOP = 20
/** Of a shop that has no endpoint switched on (any more). */
const FOR_NOBODY = 500
/** An endpoint that has so many deliveries due needs no further ones: twice as many as are in progress at a time. */
export const ENOUGH = 8
/** Where the shops have to be taken one by one. */
const SHOPS_ONE_BY_ONE = 1_000

/**
 * What hands out the events that were committed since (G-62), the shops in turns: some of each, so that a shop with a million
 * of them stands before nobody. @returns a function that hands out some and returns how many.
 */
export function createHandOut({ db, log }: Pick<Deps, 'db' | 'log'>): () => Promise<number> {
  /** The shop that had its turn last; empty: the turn begins anew. */
  let last = ''

  async function inTurns(): Promise<number> {
    const after = last
    const turns = await handOutEvents(db, {
      after,
      shops: SHOPS,
      perShop: PER_SHOP,
      enough: ENOUGH,
      forNobody: FOR_NOBODY,
    })
    last = turns.length < SHOPS ? '' : turns.at(-1)!.shop_id
    const events = turns.reduce((sum, turn) => sum + turn.events, 0)
    return events === 0 && after !== '' ? inTurns() : events
  }

  /** A row that somebody holds then delays its own shop only. */
  async function oneByOne(): Promise<number> {
    const shops = await listWaitingShops(db, SHOPS_ONE_BY_ONE)
    const counts = await Promise.all(
      shops.map((shopId) =>
        inShareOf(shopId, () => handOutEventsOf(db, shopId, PER_SHOP)).catch((error: unknown) => {
          log.warn({ err: error, shopId }, 'the events of a shop were not handed out')
          return 0
        }),
      ),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  return async () => {
    try {
      return await inTurns()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.warn({ err: error }, 'events are handed out shop by shop')
      return oneByOne()
    }
  }
}
