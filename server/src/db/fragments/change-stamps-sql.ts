import { sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Db } from '../client.ts'

/** The parts of a shop's data that change separately. The triggers `…_stamped` define the area of each table. */
export type Area = 'catalogue' | 'sales' | 'customers' | 'news'

/** The stamp of each area. An area in which nothing has changed yet is missing. */
export type Stamps = Partial<Record<Area, string>>

/**
 * The stamp of each area of a shop's data, which differs after each committed change. What was read after a stamp was
 * looked up is still current as long as a later look-up finds the same stamp (decision 0025).
 */
export async function findStamps(db: Db, shopId: ObjectId): Promise<Stamps> {
  const { rows } = await sql<{ area: Area; stamp: string }>`
    select area, sum(stamp)::text as stamp
    from change_stamps
    where shop_id = ${shopId}
    group by area`.execute(db)
  return Object.fromEntries(rows.map(({ area, stamp }) => [area, stamp]))
}
