import { sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Db } from '../client.ts'

/** The parts of a shop's data that change apart; the triggers `…_stamped` say which table is of which. */
export type Area = 'catalogue' | 'sales' | 'customers' | 'news'

/** By area; an area in which nothing has changed yet is missing. */
export type Stamps = Partial<Record<Area, string>>

/**
 * What each area of a shop's data is at: another text after each committed change. Whatever is read after a stamp, and
 * shown while a later look still finds the same, is what a reading at that look would show (decision 0025).
 */
export async function findStamps(db: Db, shopId: ObjectId): Promise<Stamps> {
  const { rows } = await sql<{ area: Area; stamp: string }>`
    select area, sum(stamp)::text as stamp
    from change_stamps
    where shop_id = ${shopId}
    group by area`.execute(db)
  return Object.fromEntries(rows.map(({ area, stamp }) => [area, stamp]))
}
