import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { TemplateParam } from '../../platform/types.ts'
import type { MessageState } from '../messages/rules.ts'

/** The shops that have the number as a customer, a recipient or a consent. Uses an index of each, once per shop. */
export async function listShopsOfPhone(db: Db, phone: string): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    select s.id
    from shops s
    where exists (select from customers c where c.shop_id = s.id and c.phone = ${phone})
      or exists (
        select from messages m where m.shop_id = s.id and m.channel = 'phone' and m.phone = ${phone}
      )
      or exists (
        select from consents c where c.shop_id = s.id and c.channel = 'phone' and c.recipient = ${phone}
      )
    order by s.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many messages to the number are in one of these states, in which they still need it. */
export async function countOpenMessages(
  db: Db,
  shopId: ObjectId,
  phone: string,
  states: readonly MessageState[],
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n
    from messages m
    where m.shop_id = ${shopId} and m.channel = 'phone' and m.phone = ${phone}
      and m.state = any (${states}::text[])`.execute(db)
  return rows[0]!.n
}

export type UploadPiece = { upload_id: ObjectId; n: number }

/** The pieces of files that are being imported or were just uploaded. */
export async function listUploadPieces(db: Db, shopId: ObjectId): Promise<UploadPiece[]> {
  const { rows } = await sql<UploadPiece>`
    select c.upload_id, c.n
    from product_import_chunks c
    where c.shop_id = ${shopId}
    order by c.upload_id, c.n`.execute(db)
  return rows
}

/** More bytes than any spelling of a phone number has. */
const SEAM_BYTES = 200

/** Whether the pattern matches in a piece of an upload, or where it follows the previous piece. */
export async function isInUploadPiece(
  db: Db,
  shopId: ObjectId,
  piece: UploadPiece,
  pattern: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select encode(coalesce(seam.bytes, '') || c.bytes, 'escape') ~ ${pattern} as found
    from product_import_chunks c
    left join lateral (
      select substr(p.bytes, greatest(length(p.bytes) - ${SEAM_BYTES}::integer, 1)) as bytes
      from product_import_chunks p
      where p.shop_id = c.shop_id and p.upload_id = c.upload_id and p.n = c.n - 1
    ) as seam on true
    where c.shop_id = ${shopId} and c.upload_id = ${piece.upload_id} and c.n = ${piece.n}`.execute(db)
  return rows[0]?.found ?? false
}

/**
 * Clears everything about the person in the customer's record; orders still refer to it. @returns the customers' ids.
 */
export async function eraseCustomers(
  trx: Db,
  shopId: ObjectId,
  { phone, name, now }: { phone: string; name: string; now: Date },
): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    update customers c
    set full_name = ${name}, phone = '', email = '', birthday = null, avatar = '', note = '', search = ${name}, updated_at = ${now},
      updated_by = null, version = version + 1
    where c.shop_id = ${shopId} and c.phone = ${phone}
    returning c.id`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Removes address, note and name from up to `limit` of the customers' orders that still have them; lines and sums stay.
 * @returns how many orders. Index orders_by_customer.
 */
export async function eraseOrders(
  db: Db,
  shopId: ObjectId,
  { customerIds, name, limit, now }: { customerIds: ObjectId[]; name: string; limit: number; now: Date },
): Promise<number> {
  const search = sql`concat_ws(' ', lower(o.code), ${name}::text, lower(o.reference))`
  const { rows } = await sql<{ n: number }>`
    with chosen as (
      select o.id
      from orders o
      where o.shop_id = ${shopId} and o.customer_id = any (${customerIds}::text[])
        and (o.user_address is not null or o.note <> '' or o.search <> ${search})
      limit ${limit}
      for no key update
    ), erased as (
      update orders o
      set user_address = null, note = '', search = ${search}, updated_at = ${now},
        updated_by = null, version = version + 1
      from chosen
      where o.shop_id = ${shopId} and o.id = chosen.id
      returning o.id
    )
    select count(*)::integer as n from erased`.execute(db)
  return rows[0]!.n
}

/** Deletes the history of consents of the number, within `allowErasing`. @returns how many. */
export async function deleteConsents(trx: Db, shopId: ObjectId, phone: string): Promise<number> {
  const { rows } = await sql`
    delete from consents c
    where c.shop_id = ${shopId} and c.channel = 'phone' and c.recipient = ${phone}
    returning c.id`.execute(trx)
  return rows.length
}

/**
 * Removes the number, the values and the platform's texts from up to `limit` ended messages to the number. @returns how
 * many. Index messages_history_by_phone.
 */
export async function eraseMessages(
  db: Db,
  shopId: ObjectId,
  { phone, name, limit }: { phone: string; name: string; limit: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with chosen as (
      select m.id
      from messages m
      where m.shop_id = ${shopId} and m.channel = 'phone' and m.phone = ${phone} and m.state in ('RECEIVED', 'ERROR')
      limit ${limit}
      for no key update
    ), erased as (
      update messages m
      set phone = ${name}, params = '{}', error_text = null, platform_answer = null
      from chosen
      where m.shop_id = ${shopId} and m.id = chosen.id
      returning m.id
    )
    select count(*)::integer as n from erased`.execute(db)
  return rows[0]!.n
}

export async function listCustomerIds(db: Db, shopId: ObjectId, phone: string): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    select c.id
    from customers c
    where c.shop_id = ${shopId} and c.phone = ${phone}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The ids of the customers' orders. Index orders_by_customer. */
export async function listOrderIds(db: Db, shopId: ObjectId, customerIds: ObjectId[]): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    select o.id
    from orders o
    where o.shop_id = ${shopId} and o.customer_id = any (${customerIds}::text[])
    order by o.id`.execute(db)
  return rows.map(({ id }) => id)
}

export type OrderSteps = {
  id: ObjectId
  timeline: { kind: string; detail: Record<string, unknown>; at: string }[]
}

/** The timelines of orders. */
export async function listOrderSteps(db: Db, shopId: ObjectId, ids: ObjectId[]): Promise<OrderSteps[]> {
  const { rows } = await sql<OrderSteps>`
    select o.id, coalesce((
      select jsonb_agg(jsonb_build_object('kind', e.kind, 'detail', e.detail, 'at',
        to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by e.id)
      from order_events e
      where e.shop_id = o.shop_id and e.order_id = o.id
    ), '[]') as timeline
    from orders o
    where o.shop_id = ${shopId} and o.id = any (${ids}::text[])`.execute(db)
  return rows
}

/** How many messages to the number there are. Index messages_history_by_phone. */
export async function countMessagesTo(db: Db, shopId: ObjectId, phone: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n
    from messages m
    where m.shop_id = ${shopId} and m.channel = 'phone' and m.phone = ${phone}`.execute(db)
  return rows[0]!.n
}

export type PersonsMessage = {
  id: ObjectId
  template_id: ObjectId
  state: string
  params: Record<string, string>
  declared: TemplateParam[]
  fee: number
  error_code: string | null
  created_at: Date
  delivered_at: Date | null
  timeline: { kind: string; detail: Record<string, unknown>; at: string }[]
}

/** The next messages to the number after a given one, with the timeline of each. Index messages_history_by_phone. */
export async function listMessagesTo(
  db: Db,
  shopId: ObjectId,
  phone: string,
  { after, limit }: { after: { id: ObjectId; created_at: Date } | undefined; limit: number },
): Promise<PersonsMessage[]> {
  const behind =
    after === undefined ? sql`` : sql` and (m.created_at, m.id) > (${after.created_at}, ${after.id})`
  const { rows } = await sql<PersonsMessage>`
    select m.id, m.template_id, m.state, m.params, t.params as declared, m.fee, m.error_code, m.created_at,
      m.delivered_at, coalesce((
        select jsonb_agg(jsonb_build_object('kind', e.kind, 'detail', e.detail, 'at',
          to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by e.id)
        from message_events e
        where e.shop_id = m.shop_id and e.message_id = m.id
      ), '[]') as timeline
    from messages m
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    where m.shop_id = ${shopId} and m.channel = 'phone' and m.phone = ${phone}${behind}
    order by m.created_at, m.id
    limit ${limit}`.execute(db)
  return rows
}
