import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isSuspended } from '../shops/suspended-sql.ts'

export type MessageWork = {
  queued: number
  sending: number
  unknown: number
  sms: number
  oldestUnknownSeconds: number
}

/**
 * How many messages of all shops have no outcome yet, by state, each counted up to `most` with the partial indexes
 * messages_leased, messages_to_settle and message_fallbacks_due; for queued ones, open batches are counted. The oldest
 * unknown message is the one that times out first.
 */
export async function findMessageWork(db: Db, most: number): Promise<MessageWork> {
  const { rows } = await sql<MessageWork>`
    select
      (select count(*) from (select from message_batches where is_open limit ${most}) as counted) as queued,
      (select count(*) from (select from messages where state = 'SENDING' limit ${most}) as counted) as sending,
      (select count(*) from (select from messages where state = 'UNKNOWN' limit ${most}) as counted) as unknown,
      (select count(*) from (select from message_fallbacks where due_at is not null limit ${most}) as counted) as sms,
      coalesce((
        select extract(epoch from now() - sending_at)::integer
        from messages
        where state = 'UNKNOWN' and not ${isSuspended(sql`messages.shop_id`)}
        order by settle_at
        limit 1
      ), 0) as "oldestUnknownSeconds"`.execute(db)
  return rows[0]!
}

/** The sum held in all wallets, in đồng: one narrow row per shop, however many messages it sends. */
export async function findMoneyHeld(db: Db): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(sum(held), 0)::bigint as held
    from wallets`.execute(db)
  return rows[0]!.held
}
