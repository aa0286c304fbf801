import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { allowErasing } from '../people/places-sql.ts'
import type { AuditAction, OperatorAction, OperatorOrigin, Origin } from './rules.ts'

/** What is recorded of a change. `target` holds ids by name; `detail` must not contain a secret. */
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
}

export type AuditPage = { entries: AuditRow[]; hasMore: boolean }

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

/** One page of a shop's audit log, newest first. Index audit_entries_by_created. */
export async function listShopAudit(
  db: Db,
  shopId: ObjectId,
  filter: { action: AuditAction | undefined },
  page: { page: number; limit: number },
): Promise<AuditPage> {
  const { rows } = await sql<AuditRow>`
    select ${columns}
    from audit_entries
    where shop_id = ${shopId}
      ${filter.action === undefined ? sql`` : sql`and action = ${filter.action}`}
    order by created_at desc, id desc
    limit ${page.limit + 1}
    offset ${(page.page - 1) * page.limit}`.execute(db)
  return { entries: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

/**
 * One page of the audit log of all shops and of the operators, newest first, for the operator. Indexes
 * audit_entries_newest and operator_audit_entries_newest, each read as far as the page goes.
 */
export async function listAudit(
  db: Db,
  filter: { action: AuditAction | OperatorAction | undefined },
  page: { page: number; limit: number },
): Promise<AuditPage> {
  const upTo = page.page * page.limit + 1
  const newest = sql`
      ${filter.action === undefined ? sql`` : sql`where action = ${filter.action}`}
      order by created_at desc, id desc
      limit ${upTo}`
  // Not filtered by shop_id: the operator sees every shop.
  const { rows } = await sql<AuditRow>`
    select *
    from (
      (select ${columns} from audit_entries ${newest})
      union all
      (select null as shop_id, ${ownColumns} from operator_audit_entries ${newest})
    ) entries
    order by created_at desc, id desc
    limit ${page.limit + 1}
    offset ${(page.page - 1) * page.limit}`.execute(db)
  return { entries: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

type Old = { before: Date; limit: number }

/** Deletes up to `limit` old entries of all shops' logs. @returns how many. */
export async function deleteOldAuditEntries(db: Db, old: Old): Promise<number> {
  return db.transaction().execute((trx) => deleteAuditEntries(trx, old))
}

/** The same of the operators' log. */
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
