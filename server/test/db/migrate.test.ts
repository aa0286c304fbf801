import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { migrationNames } from '../../src/db/migrations/migration-files.ts'
import { makeDatabase, makeEmptyPostgres, onPostgres } from '../support/database.ts'

const AT_ONCE = 24

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
      const outcomes = await Promise.allSettled(databases.map(migrate))
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
      const applied = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      expect(applied.toSorted()).toEqual(migrationNames())
      for (const database of databases) await database.close()
      await remove()
    },
  )
})
