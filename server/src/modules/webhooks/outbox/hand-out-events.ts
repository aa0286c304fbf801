import { isDatabaseAway } from '../../../db/client.ts'
import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { handOutEvents, handOutEventsOf, listWaitingShops } from './hand-out-sql.ts'

/** How many shops have their turn in one statement, and the most events of each. */
const SHOPS = 32
export const PER_SHOP = 20
/** The most events of a shop in one turn if none of its endpoints is enabled. */
const FOR_NOBODY = 500
/** An endpoint with this many due deliveries gets no more for now: twice as many as may be in progress at a time. */
export const ENOUGH = 8
/** The most shops when they are handled one by one. */
const SHOPS_ONE_BY_ONE = 1_000

/**
 * Creates the function that hands out committed events (G-62). Shops take turns with a few events each, so a shop with
 * a million events delays no other. @returns a function that hands out some events and returns how many.
 */
export function createHandOut({ db, log }: Pick<Deps, 'db' | 'log'>): () => Promise<number> {
  /** The shop that had its turn last; empty: the turns start over. */
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

  /** One by one, a locked row delays only its own shop. */
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
