import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { deleteOldRecords } from '../../src/process/retention/retention.ts'
import { makeShop, separateService, unusedId } from '../support/service.ts'

const running = await separateService()
const { db } = running.deps

describe('tables that grow with traffic', () => {
  it('old rows are deleted until none is left, however many there are', async () => {
    const { shopId } = await makeShop(running)
    await sql`
      insert into idempotency_keys (shop_id, key, request_hash, resource_id, claimed_by, locked_until, expires_at)
      select ${shopId}, 'key ' || n, '', ${unusedId()}, ${unusedId()}, now(), now() - interval '1 second'
      from generate_series(1, 60000) n`.execute(db)
    expect(await deleteOldRecords(running.deps, 'idempotency keys')).toBe(60_000)
  }, 60_000)

  it('ended sessions and unused links are deleted, others are kept', async () => {
    const userId = unusedId()
    await sql`
      insert into users (id, name, email, email_verified, is_operator, created_at, updated_at)
      values (${userId}, 'Mai', ${`${userId}@example.test`}, true, false, now(), now())`.execute(db)
    for (const [id, hours] of [
      [unusedId(), -1],
      [unusedId(), 1],
    ] as const) {
      await sql`
        insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
        values (${id}, ${userId}, ${id}, now() + make_interval(hours => ${hours}), now(), now())`.execute(db)
      await sql`
        insert into verifications (id, identifier, value, expires_at, created_at, updated_at)
        values (${id}, ${id}, ${userId}, now() + make_interval(hours => ${hours}), now(), now())`.execute(db)
    }
    expect(await deleteOldRecords(running.deps, 'sessions')).toBe(1)
    expect(await deleteOldRecords(running.deps, 'verifications')).toBe(1)
  })
})
