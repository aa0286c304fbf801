import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { migrationNames } from '../../src/db/migrations/migration-files.ts'
import { makeDatabase, makeEmptyPostgres, onPostgres } from '../support/database.ts'

const AT_ONCE = 24
/** It adds a column to the orders. */
const OF_ORDERS = '0100_senders_of_orders.sql'
const HELD_MS = 4_000
/** A migration waits for a lock for one second; the rest is for a slow machine. */
const MOST_MS = 1_500

describe('migrations', () => {
  it('refuses a database whose schema is newer, with both numbers', async () => {
    const { database, remove } = await makeDatabase()
    await database.execScript("insert into schema_migrations (name) values ('9041_of_a_later_version.sql')")
    const ours = migrationNames().at(-1)!.slice(0, 4)
    await expect(migrate(database)).rejects.toThrow(new RegExp(`9041.*${ours}`))
    await remove()
  })

  it.runIf(onPostgres)(
    `${AT_ONCE} at once on one empty database: none is rejected, each file is applied once`,
    async () => {
      const { url, remove } = await makeEmptyPostgres()
      const databases = Array.from({ length: AT_ONCE }, () => openPostgres(url, { max: 1 }))
      const outcomes = await Promise.allSettled(databases.map((one) => migrate(one)))
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
      const applied = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      expect(applied.toSorted()).toEqual(migrationNames())
      for (const database of databases) await database.close()
      await remove()
    },
    // Each process tries each file: 21 s with 116 of them and nothing beside it (2026-11-29).
    60_000,
  )

  it.runIf(onPostgres)(
    'waits for a long transaction in short attempts, so that reads of the table go on, and is then applied',
    async () => {
      const { database, url, remove } = await makeDatabase()
      const { db } = database
      await sql`alter table orders drop column sent_by`.execute(db)
      await sql`delete from schema_migrations where name = ${OF_ORDERS}`.execute(db)
      const migrating = openPostgres(url!, { max: 1 })
      const lines: { level: number; msg: string; [name: string]: unknown }[] = []
      const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
      let isApplied = false
      let longestMs = 0
      let applying: Promise<string[]> | undefined

      const pid = await db.transaction().execute(async (trx) => {
        await sql`lock table orders in access share mode`.execute(trx)
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
        applying = migrate(migrating, log).finally(() => {
          isApplied = true
        })
        const until = performance.now() + HELD_MS
        while (performance.now() < until) {
          const startedAt = performance.now()
          await sql`select count(*) from orders`.execute(db)
          longestMs = Math.max(longestMs, performance.now() - startedAt)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        expect(isApplied).toBe(false)
        return rows[0]!.pid
      })
      expect(longestMs).toBeLessThan(MOST_MS)
      expect(await applying).toEqual([OF_ORDERS])
      await sql`select sent_by from orders`.execute(db)
      expect(lines[0]).toMatchObject({ level: 40, migration: OF_ORDERS, pids: [pid] })
      expect(lines.at(-1)).toMatchObject({ level: 30, migration: OF_ORDERS, ms: expect.any(Number) })
      await migrating.close()
      await remove()
    },
    60_000,
  )
})
