import type { Trx } from '../db/client.ts'
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
  /** The same numbers at every making: 0 ≤ n < `below`. */
  random(below: number): number
}
