import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { interruptImport } from '../support/interrupted-import.ts'
import { checkInvariants } from '../support/invariants.ts'
import { temporaryFolder } from '../support/process.ts'

/** Six groups of lines. */
const PRODUCTS = 1_800

describe.runIf(onPostgres).concurrent('G-37 an import whose process is killed', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it.each(['each-row', 'all-or-nothing'])(
    '%s: whole or not at all while it is down, each product once after the next start',
    async (mode) => {
      const { service, open, expectWholeAfterStart } = await interruptImport({
        dataDir: join(folder.path, mode),
        mode,
        products: PRODUCTS,
        limitMs: 60_000,
      })
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })

      const between = open()
      const { rows } = await sql<{ n: number; done: number }>`
        select (select count(*) from products) as n, done from product_imports`.execute(between.db)
      await checkInvariants(between.db)
      await between.close()
      const { n, done } = rows[0]!
      expect(n).toBeLessThan(PRODUCTS)
      expect(n).toBe(mode === 'each-row' ? done : 0)

      await expectWholeAfterStart(150_000)
    },
    300_000,
  )
})
