import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../db/client.ts'
import { debtOf, orderNet } from '../../db/fragments/owed-sql.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { type Goods, skusOf } from './buyers-sql.ts'
import type { Definition, Member, Test } from './rules.ts'

/** A test for goods whose buyers have been looked up. */
export type BuyersTest = { kind: 'buyers'; hasSome: boolean; customerIds: ObjectId[] }

/** The customers to find: those that pass all or any of the tests, as {@link Definition.match} says. */
export type Wanted = { match: Definition['match']; tests: (Test | BuyersTest)[] }

/** The range of a statement: at most `walk` customers whose ids follow `after`. */
export type Stretch = { after: ObjectId; walk: number }

/** `last`: the id of the last customer that was looked at; null if no customer follows it. */
type Walked = { last: ObjectId | null }

/**
 * The next members of an audience in the order of their ids, at most `limit`, with the values that their messages may need. Looks
 * at at most `walk` customers, each by index orders_by_customer, so that its cost is bounded even if few of them are members.
 */
export async function listMembers(
  db: Db,
  shopId: ObjectId,
  wanted: Wanted,
  { after, walk, limit }: Stretch & { limit: number },
): Promise<Walked & { members: Member[] }> {
  const { rows } = await sql<{ last: ObjectId | null; is_end: boolean; members: Member[] }>`
    ${planned}
    with ${walked(shopId, { after, walk })}, members as materialized (
      select c.id, c.full_name, c.phone, c.birthday
      from customers c
      where c.shop_id = ${shopId} and c.id > ${after} and c.id <= (select last from walked) and c.phone <> ''
        and ${isMember(shopId, wanted)}
      order by c.id
      limit ${limit}
    )
    select walked.last, walked.n < ${walk} as is_end, (
      select coalesce(json_agg(json_build_object('id', m.id, 'fullName', m.full_name, 'phone', m.phone,
        'birthday', m.birthday, 'debt', ${debtOf(shopId, sql.ref('m.id'))}, 'lastOrder', (
          select json_build_object('code', o.code, 'day', shop_day(o.created_at), 'price', ${orderNet})
          from orders o
          where o.shop_id = ${shopId} and o.customer_id = m.id and o.status <> 'cancelled'
          order by o.created_at desc, o.id desc
          limit 1
        )) order by m.id), '[]')
      from members m
    ) as members
    from walked`.execute(db)
  const { last, is_end: isEnd, members } = rows[0]!
  if (members.length === limit) return { members, last: members.at(-1)!.id }
  return { members, last: isEnd ? null : last }
}

/**
 * How many of the next customers are members, and how many more would be members if they had a phone number. Its cost is bounded
 * like that of {@link listMembers}.
 */
export async function countMembers(
  db: Db,
  shopId: ObjectId,
  wanted: Wanted,
  { after, walk }: Stretch,
): Promise<Walked & { customers: number; withoutPhone: number }> {
  const { rows } = await sql<{
    last: ObjectId | null
    is_end: boolean
    customers: number
    without_phone: number
  }>`
    ${planned}
    with ${walked(shopId, { after, walk })}
    select walked.last, walked.n < ${walk} as is_end, counted.customers, counted.without_phone
    from walked, lateral (
      select count(*) filter (where c.phone <> '') as customers, count(*) filter (where c.phone = '') as without_phone
      from customers c
      where c.shop_id = ${shopId} and c.id > ${after} and c.id <= walked.last and ${isMember(shopId, wanted)}
    ) as counted`.execute(db)
  const { last, is_end: isEnd, customers, without_phone: withoutPhone } = rows[0]!
  return { customers, withoutPhone, last: isEnd ? null : last }
}

/** The CTE `walked`: the id of the last of the next customers, and how many these are. */
function walked(shopId: ObjectId, { after, walk }: Stretch): RawBuilder<unknown> {
  return sql`walked as materialized (
      select max(id) as last, count(*) as n
      from (
        select c.id
        from customers c
        where c.shop_id = ${shopId} and c.id > ${after}
        order by c.id
        limit ${walk}
      ) as next
    )`
}

/** Whether a customer `c` passes all or any of the tests. */
function isMember(shopId: ObjectId, { match, tests }: Wanted): RawBuilder<unknown> {
  const passed = tests.map((test) => sql`(${passes(shopId, test)})`)
  return sql`(${sql.join(passed, match === 'all' ? sql` and ` : sql` or `)})`
}

function passes(shopId: ObjectId, test: Test | BuyersTest): RawBuilder<unknown> {
  if (test.kind === 'buyers')
    return sql`c.id ${test.hasSome ? sql`= any` : sql`<> all`}(${test.customerIds}::text[])`
  if (test.kind === 'birthday') return sql`to_char(c.birthday, 'MM-DD') = any(${test.days}::text[])`
  if (test.kind === 'debt') return sql`${debtOf(shopId, sql.ref('c.id'))} >= ${test.atLeast}::bigint`
  const { hasSome, from, productIds, categoryIds } = test
  const since = from === undefined ? sql`` : sql` and o.created_at >= ${from}`
  const isAny = productIds.length === 0 && categoryIds.length === 0
  const goods = isAny ? sql`` : sql` and ${hasGoods(shopId, { productIds, categoryIds })}`
  // With `offset`, the planner checks it customer by customer; as a join, it may read all orders of the shop.
  return sql`${hasSome ? sql`` : sql`not `}exists (
          select
          from orders o
          where o.shop_id = ${shopId} and o.customer_id = c.id and o.status <> 'cancelled'${since}${goods}
          offset 0
        )`
}

/**
 * Whether an order `o` contains one of the products, or a product of one of the categories. Their SKUs are looked up once per
 * statement: `is true` stops the planner from making that a join for each order.
 */
function hasGoods(shopId: ObjectId, goods: Goods): RawBuilder<unknown> {
  return sql`exists (
            select
            from order_items i
            where i.shop_id = ${shopId} and i.order_id = o.id and (i.sku_id in (
              ${skusOf(shopId, goods)}
            )) is true
            offset 0
          )`
}
