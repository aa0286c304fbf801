import type { Db, Trx } from '../db/client.ts'
import type { Ids, ObjectId } from '../lib/object-id.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Pictures } from './pictures.ts'

/** The input for seeding each part of the demo: one transaction, and one common "now". */
export type Seeding = {
  trx: Trx
  shopId: ObjectId
  ids: Ids
  now: Date
  /**
   * When the shop opened; its products and customers were added in the following weeks, before the first order shown.
   */
  opened: Date
  pictures: Pictures
  /** The shop's default warehouse. */
  warehouseId: ObjectId
  /** The dependencies of an operation that is run at a time in the past; its transaction joins this one. */
  at(moment: Date): { db: Db; ids: Ids; clock: Clock }
  /** A pseudo-random number, 0 ≤ n < `below`; the sequence is the same each time. */
  random(below: number): number
}

/** The transaction as a database for operations: their own transactions join it. */
export function joining(trx: Trx): Db {
  return new Proxy<Db>(trx, {
    get(_, key) {
      if (key === 'transaction') return () => ({ execute: (work: (joined: Trx) => unknown) => work(trx) })
      const value: unknown = Reflect.get(trx, key)
      return typeof value === 'function' ? value.bind(trx) : value
    },
  })
}
