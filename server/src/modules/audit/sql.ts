import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { allowErasing } from '../people/places-sql.ts'
import type { AuditAction, OperatorAction, OperatorOrigin, Origin } from './rules.ts'

/** What is recorded about a change. `target` holds ids by name; `detail` must not contain a secret. */
export type NewAuditEntry = {
  id: ObjectId
  origin: Origin
  action: AuditAction
  target: Record<string, string>
  detail: Record<string, unknown>
  now: Date
}

type NewOperatorEntry = Omit<NewAuditEntry, 'origin' | 'action'> & {
  origin: OperatorOrigin
  action: OperatorAction
}

export type AuditRow = {
  /** null: concerns no shop. */
  shop_id: ObjectId | null
  id: ObjectId
  actor: Origin['actor']
  actor_id: ObjectId | null
  action: string
  target: Record<string, string>
  detail: Record<string, unknown>
  request_id: ObjectId | null
  address: string | null
  created_at: Date
  /** The shop that the entry concerns, as it is called now; null if it concerns none, or it was erased. */
  shop_name: string | null
  /** The author as they are called now; null for the operator's token and the service, and for people who were deleted. */
  actor_name: string | null
  actor_email: string | null
}

export type AuditPage = { entries: AuditRow[]; hasMore: boolean; last: Keyset | undefined }

type AuditFilter<Action> = { action: Action | undefined; ids: ObjectId[] | undefined }

/** Records a change, in the transaction that makes it (G-61). */
export async function insertAuditEntry(trx: Trx, shopId: ObjectId, entry: NewAuditEntry): Promise<void> {
  const { origin } = entry
  const isRequest = origin.actor !== 'service'
  await sql`
    insert into audit_entries
      (shop_id, id, actor, actor_id, action, target, detail, request_id, address, created_at)
    values (${shopId}, ${entry.id}, ${origin.actor}, ${'actorId' in origin ? origin.actorId : null}, ${entry.action},
      ${JSON.stringify(entry.target)}::jsonb, ${JSON.stringify(entry.detail)}::jsonb,
      ${isRequest ? origin.requestId : null}, ${isRequest ? origin.address : null}, ${entry.now})`.execute(
    trx,
  )
}

/** Records an operator's change that concerns no shop, with the change or before it (G-61). */
export async function insertOperatorAuditEntry(db: Db, entry: NewOperatorEntry): Promise<void> {
  const { origin } = entry
  await sql`
    insert into operator_audit_entries
      (id, actor, actor_id, action, target, detail, request_id, address, created_at)
    values (${entry.id}, ${origin.actor}, ${'actorId' in origin ? origin.actorId : null}, ${entry.action},
      ${JSON.stringify(entry.target)}::jsonb, ${JSON.stringify(entry.detail)}::jsonb, ${origin.requestId},
      ${origin.address}, ${entry.now})`.execute(db)
}

const ownColumns = sql`id, actor, actor_id, action, target, detail, request_id, address, created_at`
const columns = sql`shop_id, ${ownColumns}`
const cursorKey = sql`${microseconds(sql`created_at`)} as cursor_key`

/**
 * A page `entries` with the names of shops and authors. An entry of the operators' log names the shop that it concerns in
 * its target. Reads three primary keys for each entry.
 */
function named(entries: RawBuilder<unknown>, email: RawBuilder<unknown>) {
  return sql`
    select e.*, s.name as shop_name, coalesce(nullif(u.name, ''), k.name) as actor_name, ${email} as actor_email
    from (${entries}) e
    left join shops s on s.id = coalesce(e.shop_id, e.target ->> 'shopId')
    left join users u on e.actor = 'member' and u.id = e.actor_id
    left join api_keys k on e.actor = 'key' and k.shop_id = e.shop_id and k.id = e.actor_id
    order by e.created_at desc, e.id desc`
}

/**
 * One page of a shop's audit log, newest first. Index audit_entries_by_created. Without the email addresses of operators,
 * since the shop's owner reads it.
 */
export async function listShopAudit(
  db: Db,
  shopId: ObjectId,
  filter: AuditFilter<AuditAction>,
  { limit, offset, after }: Place,
): Promise<AuditPage> {
  const entries = sql`
      select ${columns}, ${cursorKey}
      from audit_entries
      where shop_id = ${shopId}${matching(filter)}${rowsAfter(sql`created_at`, sql`id`, after)}
      order by created_at desc, id desc
      limit ${limit + 1}
      offset ${offset}`
  const { rows } = await sql<
    AuditRow & { cursor_key: number }
  >`${named(entries, sql`case when not u.is_operator then u.email end`)}`.execute(db)
  const { page, hasMore, last } = pageOf(rows, limit)
  return { entries: page, hasMore, last }
}

/**
 * One page of the audit log of all shops and of the operators, newest first, for the operator. Indexes
 * audit_entries_newest and operator_audit_entries_newest, each read as far as the page goes.
 */
export async function listAudit(
  db: Db,
  filter: AuditFilter<AuditAction | OperatorAction>,
  { limit, offset, after }: Place,
): Promise<AuditPage> {
  const upTo = offset + limit + 1
  const newest = sql`
      where true${matching(filter)}${rowsAfter(sql`created_at`, sql`id`, after)}
      order by created_at desc, id desc
      limit ${upTo}`
  // Not filtered by shop_id, since the operator sees every shop.
  const entries = sql`
      select *, ${cursorKey}
      from (
        (select ${columns} from audit_entries ${newest})
        union all
        (select null as shop_id, ${ownColumns} from operator_audit_entries ${newest})
      ) entries
      order by created_at desc, id desc
      limit ${limit + 1}
      offset ${offset}`
  const { rows } = await sql<AuditRow & { cursor_key: number }>`${named(entries, sql`u.email`)}`.execute(db)
  const { page, hasMore, last } = pageOf(rows, limit)
  return { entries: page, hasMore, last }
}

/** Conditions on the action and the ids, to be added to a `where`. */
function matching({ action, ids }: AuditFilter<string>) {
  return sql`${action === undefined ? sql`` : sql` and action = ${action}`}${
    ids === undefined ? sql`` : sql` and id = any(${ids}::text[])`
  }`
}

type Old = { before: Date; limit: number }

/** Deletes up to `limit` entries of all shops' logs that are older than `before`. @returns how many. */
export async function deleteOldAuditEntries(db: Db, old: Old): Promise<number> {
  return db.transaction().execute((trx) => deleteAuditEntries(trx, old))
}

/** The same for the operators' log. */
export async function deleteOldOperatorEntries(db: Db, old: Old): Promise<number> {
  return db.transaction().execute((trx) => deleteOperatorEntries(trx, old))
}

/** Index audit_entries_newest. */
async function deleteAuditEntries(trx: Trx, { before, limit }: Old): Promise<number> {
  await allowErasing(trx)
  const { numAffectedRows } = await sql`
    delete from audit_entries e
    using (
      select shop_id, id
      from audit_entries
      where created_at < ${before}
      order by created_at
      limit ${limit}
    ) old
    where e.shop_id = old.shop_id and e.id = old.id`.execute(trx)
  return Number(numAffectedRows)
}

/** Index operator_audit_entries_newest. */
async function deleteOperatorEntries(trx: Trx, { before, limit }: Old): Promise<number> {
  await allowErasing(trx)
  const { numAffectedRows } = await sql`
    delete from operator_audit_entries
    where id in (
      select id
      from operator_audit_entries
      where created_at < ${before}
      order by created_at
      limit ${limit}
    )`.execute(trx)
  return Number(numAffectedRows)
}
