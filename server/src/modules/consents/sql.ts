import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { ConsentStatus, Recipient } from './rules.ts'

export type ConsentRow = Recipient & {
  id: ObjectId
  status: ConsentStatus
  source: string
  said_at: Date
  actor: 'key' | 'member'
  actor_id: ObjectId
  created_at: Date
}

const columns = sql`c.id, c.channel, c.recipient, c.status, c.source, c.said_at, c.actor, c.actor_id, c.created_at`

/** Adds a consent or opt-out to a recipient's history. @throws the unique violation of `consents_pkey` for an id in use. */
export async function insertConsent(trx: Db, shopId: ObjectId, consent: ConsentRow): Promise<ConsentRow> {
  const { rows } = await sql<ConsentRow>`
    insert into consents as c
      (shop_id, id, channel, recipient, status, source, said_at, actor, actor_id, created_at)
    values (${shopId}, ${consent.id}, ${consent.channel}, ${consent.recipient}, ${consent.status},
      ${consent.source}, ${consent.said_at}, ${consent.actor}, ${consent.actor_id}, ${consent.created_at})
    returning ${columns}`.execute(trx)
  return rows[0]!
}

export async function findConsent(db: Db, shopId: ObjectId, id: ObjectId): Promise<ConsentRow | undefined> {
  const { rows } = await sql<ConsentRow>`
    select ${columns}
    from consents c
    where c.shop_id = ${shopId} and c.id = ${id}`.execute(db)
  return rows[0]
}

/** The newest consent or opt-out of a recipient, which is the one that applies. Index consents_by_recipient. */
export async function findCurrentConsent(
  db: Db,
  shopId: ObjectId,
  { channel, recipient }: Recipient,
): Promise<ConsentRow | undefined> {
  const { rows } = await sql<ConsentRow>`
    select ${columns}
    from consents c
    where c.shop_id = ${shopId} and c.channel = ${channel} and c.recipient = ${recipient}
    order by c.said_at desc, c.id desc
    limit 1`.execute(db)
  return rows[0]
}

/**
 * One page of a shop's consents and opt-outs, newest first. Index consents_by_said or consents_by_recipient. The first
 * page has no bound limit or offset, so that its statement is planned once: for bound ones, PostgreSQL expects a tenth of the table.
 */
export async function listConsents(
  db: Db,
  shopId: ObjectId,
  { of, ids }: { of: Recipient | undefined; ids: ObjectId[] | undefined },
  { limit, offset, after }: Place,
): Promise<{ consents: ConsentRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and c.id = any(${ids}::text[])`
  const to = of === undefined ? sql`` : sql` and c.channel = ${of.channel} and c.recipient = ${of.recipient}`
  const { rows } = await sql<ConsentRow & { cursor_key: number }>`
    select ${columns}, ${microseconds(sql`c.said_at`)} as cursor_key
    from consents c
    where c.shop_id = ${shopId}${to}${among}${rowsAfter(sql`c.said_at`, sql`c.id`, after)}
    order by c.said_at desc, c.id desc
    limit ${sql.lit(limit + 1)}
    ${offset === 0 ? sql`` : sql`offset ${offset}`}`.execute(db)
  const { page: consents, hasMore, last } = pageOf(rows, limit)
  return { consents, hasMore, last }
}

/**
 * Whether a recipient's newest consent is an opt-out (G-77); false if there is none. Each part is an expression of the statement
 * around it. Index consents_by_recipient.
 */
export function isWithdrawn(
  of: Record<'shopId' | 'channel' | 'recipient', RawBuilder<unknown>>,
): RawBuilder<boolean> {
  return sql<boolean>`coalesce((
    select c.status = 'withdrawn'
    from consents c
    where c.shop_id = ${of.shopId} and c.channel = ${of.channel} and c.recipient = ${of.recipient}
    order by c.said_at desc, c.id desc
    limit 1
  ), false)`
}

/**
 * Those of the recipients who opted out of messages of this template (G-77); none for a template whose tag is exempt. An
 * operation that sends automatically calls this in the transaction that holds the fees, with the wallet locked, so that no
 * opt-out is recorded in between. Index consents_by_recipient.
 */
export async function findOptedOut(
  trx: Db,
  shopId: ObjectId,
  { templateId, exemptTags }: { templateId: ObjectId; exemptTags: readonly string[] },
  recipients: Recipient[],
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select given.channel, given.recipient
    from jsonb_to_recordset(${JSON.stringify(recipients)}::jsonb) as given (channel text, recipient text)
    join templates t on t.shop_id = ${shopId} and t.id = ${templateId} and t.tag <> all (${exemptTags}::text[])
    where ${isWithdrawn({ shopId: sql`${shopId}`, channel: sql`given.channel`, recipient: sql`given.recipient` })}`.execute(
    trx,
  )
  return rows
}
