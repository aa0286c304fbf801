import { type RawBuilder, sql } from 'kysely'
import { microseconds } from '../../../db/fragments/keyset-sql.ts'

/**
 * When a row of shop_events was written, in microseconds: of two events of one record, the greater tells of the later change, since an
 * event is written while its transaction holds the record's lock (decision 0062).
 */
export function sequenceOf(event: string): RawBuilder<number> {
  return microseconds(sql`coalesce(${sql.ref(event)}.written_at, ${sql.ref(event)}.created_at)`)
}
