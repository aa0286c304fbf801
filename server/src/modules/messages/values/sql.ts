import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** The position of a walk along a shop's history; the time is text, which keeps its microseconds. */
export type ValuesPlace = { at: string; id: ObjectId }

/**
 * Looks at the next `limit` ended messages sent before an instant, and erases the values of those that have any. `last` is null
 * at the end. A range of messages_history.
 */
export async function eraseSomeValues(
  db: Db,
  shopId: ObjectId,
  { after, before, limit }: { after: ValuesPlace | undefined; before: Date; limit: number },
): Promise<{ last: ValuesPlace | null; erased: number }> {
  const behind =
    after === undefined
      ? sql``
      : sql`and (m.sending_at, m.id) > (${after.at}::text::timestamptz, ${after.id})`
  const { rows } = await sql<{ last: ValuesPlace | null; erased: number }>`
    with page as materialized (
      select m.id, m.sending_at, m.params <> '{}' or m.platform_answer is not null as has_values
      from messages m
      where m.shop_id = ${shopId} and m.state in ('RECEIVED', 'ERROR') and m.sending_at < ${before} ${behind}
      order by m.sending_at, m.id
      limit ${limit}
    ), erased as (
      update messages m
      set params = '{}', platform_answer = null
      from page
      where m.shop_id = ${shopId} and m.id = page.id and page.has_values
      returning m.id
    )
    select (
        select jsonb_build_object('at', p.sending_at, 'id', p.id)
        from page p
        order by p.sending_at desc, p.id desc
        limit 1
      ) as last,
      (select count(*)::integer from erased) as erased`.execute(db)
  return rows[0]!
}
