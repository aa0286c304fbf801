import type { Db, Trx } from '../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ids, ObjectId } from '../lib/object-id.ts'
import type { Pictures } from './pictures.ts'

/** What every part of the demo is made with: one transaction, and one moment that is "now" for all. */
export type Seeding = {
  trx: Trx
  shopId: ObjectId
  ids: Ids
  now: Date
  /** When the shop began; its products and customers came in the weeks after, before the first order shown. */
  opened: Date
  pictures: Pictures
  /** The shop's default one. */
  warehouseId: ObjectId
  /** What an operation is given that is done at a moment of the past. Its own transaction is a part of this one. */
  at(moment: Date): { db: Db; ids: Ids; clock: Clock }
  /** The same numbers at every making: 0 ≤ n < `below`. */
  random(below: number): number
}

/** The transaction as a database for operations: what they do in a transaction of their own joins it. */
export function joining(trx: Trx): Db {
  return new Proxy<Db>(trx, {
    get(_, key) {
      if (key === 'transaction') return () => ({ execute: (work: (joined: Trx) => unknown) => work(trx) })
      const value: unknown = Reflect.get(trx, key)
      return typeof value === 'function' ? value.bind(trx) : value
    },
  })
}
