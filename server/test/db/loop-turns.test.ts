import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { makeDatabase, onPostgres } from '../support/database.ts'

it.skipIf(onPostgres)(
  'the event loop turns between statements that wait for the embedded database',
  async () => {
    const { database, remove } = await makeDatabase()
    onTestFinished(remove)
    // On any machine, each takes longer than the loop may be blocked.
    const work = () =>
      sql`select count(md5(n::text)) from generate_series(1, 100000) as n`.execute(database.db)
    await work()

    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await Promise.all(Array.from({ length: 20 }, work))
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(20)
  },
  120_000,
)
