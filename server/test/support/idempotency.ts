import { sql } from 'kysely'
import type { Db } from '../../src/db/client.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of one table, read by column
export async function keyRow(db: Db, shopId: string, key: string): Promise<any> {
  const { rows } =
    await sql`select * from idempotency_keys where shop_id = ${shopId} and key = ${key}`.execute(db)
  return rows[0]
}

/** Leaves a key as a process leaves it that dies after the effect and before the answer is kept: its lease is over. */
export async function loseAnswer(db: Db, shopId: string, key: string): Promise<void> {
  await sql`
    update idempotency_keys
    set status = null, body = null, locked_until = '2026-01-01'
    where shop_id = ${shopId} and key = ${key}`.execute(db)
}

/** Leaves a key as if its request were still at work, until `lockedUntil`. */
export async function keepRunning(db: Db, shopId: string, key: string, lockedUntil: Date): Promise<void> {
  await sql`
    update idempotency_keys
    set status = null, body = null, locked_until = ${lockedUntil}
    where shop_id = ${shopId} and key = ${key}`.execute(db)
}

/** Lets the 24 hours of a shop's keys be over. */
export async function expireKeys(db: Db, shopId: string): Promise<void> {
  await sql`update idempotency_keys set expires_at = '2026-01-01' where shop_id = ${shopId}`.execute(db)
}
