import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { interruptImport } from '../support/interrupted-import.ts'
import { temporaryFolder } from '../support/process.ts'

/** Fourteen groups of lines, so the import is far from complete after the first. */
const PRODUCTS = 4_000

describe.runIf(onPostgres).concurrent('G-37 an import whose process is asked to stop', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it.each(['each-row', 'all-or-nothing'])(
    '%s: ends with 0 between two groups of lines, and goes on after the next start: each product once',
    async (mode) => {
      const { service, open, expectWholeAfterStart } = await interruptImport({
        dataDir: join(folder.path, `${mode}-${randomBytes(4).toString('hex')}`),
        mode,
        products: PRODUCTS,
        env: { DRAIN_SECONDS: '0' },
        limitMs: 90_000,
      })

      const askedAt = performance.now()
      expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
      // Most of this time is for slow machines: the work itself is one group of lines.
      expect(performance.now() - askedAt).toBeLessThan(30_000)
      const between = open()
      const { rows } = await sql<{ n: number; done: number; tries: number }>`
      select (select count(*) from products) as n, done,
        (select max(retry_count) from pgboss.job where name = 'import-products') as tries
      from product_imports`.execute(between.db)
      await between.close()
      expect(rows[0]!.n).toBeLessThan(PRODUCTS)
      expect(rows[0]).toMatchObject({ n: mode === 'each-row' ? rows[0]!.done : 0, tries: 0 })

      await expectWholeAfterStart(200_000)
    },
    400_000,
  )
})
