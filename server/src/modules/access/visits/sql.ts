import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type ShopProfile, shopProfile } from '../../shops/sql.ts'
import type { MemberShop } from '../members/sql.ts'

/**
 * The shop that an operator visits, with the role of a viewer, and since when. Undefined unless the operator's latest visit entry
 * in the shop's audit log after `begunAfter` is the beginning of a visit. Visits are kept only in the log: nobody can be in a
 * shop without an entry. Index audit_entries_by_created.
 */
export async function findVisit(
  db: Db,
  shopId: ObjectId,
  userId: ObjectId,
  begunAfter: Date,
): Promise<{ shop: MemberShop; since: Date } | undefined> {
  const { rows } = await sql<Omit<MemberShop, 'role'> & { action: string; since: Date }>`
    select s.id, s.language, s.oversell, s.suspended_at is not null as "isSuspended", e.action, e.created_at as since
    from audit_entries e
    join shops s on s.id = e.shop_id
    join users u on u.id = ${userId} and u.is_operator
    where e.shop_id = ${shopId} and e.created_at > ${begunAfter} and e.actor = 'member' and e.actor_id = ${userId}
      and e.action in ('shop.visit', 'shop.leave')
    order by e.created_at desc, e.id desc
    limit 1`.execute(db)
  const row = rows[0]
  if (row === undefined || row.action !== 'shop.visit') return undefined
  const { id, language, oversell, isSuspended, since } = row
  return { shop: { id, language, oversell, isSuspended, role: 'viewer' }, since }
}

export type VisitRow = ShopProfile & {
  id: ObjectId
  name: string
  language: 'vi' | 'en'
  lowStockAt: number
  since: Date
}

/** The shops that an operator visits now, by name. Index audit_entries_newest, read as far back as a visit can last. */
export async function listVisits(db: Db, userId: ObjectId, begunAfter: Date): Promise<VisitRow[]> {
  const { rows } = await sql<VisitRow>`
    select s.id, s.name, s.language, s.low_stock_at as "lowStockAt", last.since, ${shopProfile(sql`s`)}
    from (
      select distinct on (e.shop_id) e.shop_id, e.action, e.created_at as since
      from audit_entries e
      where e.created_at > ${begunAfter} and e.actor = 'member' and e.actor_id = ${userId}
        and e.action in ('shop.visit', 'shop.leave')
      order by e.shop_id, e.created_at desc, e.id desc
    ) as last
    join shops s on s.id = last.shop_id
    where last.action = 'shop.visit'
    order by s.name, s.id`.execute(db)
  return rows
}
