import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../src/db/client.ts'
import { type Answer, makeShop, type Partner, type Service } from './service.ts'
import { insertEnabledTemplate, messagesOnPlatform, topUp, VALUES } from './templates.ts'

export const SEND = '/api/external/notify-message/send'
const SEND_UID = '/api/external/chatapp/uid-notify/send-message'
export const ORDER = '/api/external/order/pos/create'

export const newKey = () => ({ 'idempotency-key': randomUUID() })
export const withKey = (key: string) => ({ 'idempotency-key': key })

export const isReplayed = (answer: Answer) => answer.headers['idempotency-replayed'] === 'true'

/** A shop that can send, by phone and by UID, with the given headers. */
export async function makeSender(running: Service, money = 10_000) {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId)
  if (money > 0) await topUp(running, shop.shopId, money)
  const toPhone = (headers: Record<string, string>, receiverPhone = '0901234567') =>
    shop.post(SEND, { templateId: template.id, receiverPhone, params: VALUES }, headers)
  const toUid = (headers: Record<string, string>, userUID = 'uid-1') =>
    shop.post(SEND_UID, { templateId: template.id, userUID, templateData: VALUES }, headers)
  return { shop, template, toPhone, toUid, sent: () => messagesOnPlatform(running, template.oaId) }
}

/** The number of the shop's rows in a table. */
export async function countRows(db: Db, table: string, { shopId }: Partner): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where shop_id = ${shopId}`.execute(db)
  return rows[0]!.n
}

// biome-ignore lint/suspicious/noExplicitAny: rows of one table, read by column
export async function keyRow(db: Db, shopId: string, key: string): Promise<any> {
  const { rows } =
    await sql`select * from idempotency_keys where shop_id = ${shopId} and key = ${key}`.execute(db)
  return rows[0]
}

/** Leaves a key as a process does that dies after the effect and before the response is stored: its lease is over. */
export async function loseAnswer(db: Db, shopId: string, key: string): Promise<void> {
  await sql`
    update idempotency_keys
    set status = null, body = null, locked_until = '2026-01-01'
    where shop_id = ${shopId} and key = ${key}`.execute(db)
}

/** Leaves a key as if its request were still running, until `lockedUntil`. */
export async function keepRunning(db: Db, shopId: string, key: string, lockedUntil: Date): Promise<void> {
  await sql`
    update idempotency_keys
    set status = null, body = null, locked_until = ${lockedUntil}
    where shop_id = ${shopId} and key = ${key}`.execute(db)
}

/** Lets the 24 hours of a shop's keys expire. */
export async function expireKeys(db: Db, shopId: string): Promise<void> {
  await sql`update idempotency_keys set expires_at = '2026-01-01' where shop_id = ${shopId}`.execute(db)
}
