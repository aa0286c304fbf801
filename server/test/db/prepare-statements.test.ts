import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { openFiles } from '../../src/db/embedded/embedded.ts'
import { prepareStatements } from '../../src/db/embedded/prepare-statements.ts'

const folder = mkdtempSync(join(tmpdir(), 'shopbell-prepared-'))
let pglite: PGlite

beforeAll(async () => {
  const run = inject('databaseRun')
  if ('folder' in run) cpSync(join(run.folder, 'template'), join(folder, 'pg'), { recursive: true })
  pglite = await openFiles(join(folder, 'pg'))
  prepareStatements(pglite, (text) => text.includes('$1') && !text.startsWith('anew'), 3)
})
afterAll(async () => {
  await pglite.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => pglite.exec('drop table if exists t; create table t (a int primary key, b text)'))

async function prepared(): Promise<string[]> {
  const { rows } = await pglite.query<{ statement: string }>(
    "select statement from pg_prepared_statements where name <> '' order by prepare_time, name",
  )
  return rows.map(({ statement }) => statement)
}

it('a statement with parameters is prepared once, with the values of each call', async () => {
  for (const value of [1, 2, 3]) {
    const { rows } = await pglite.query('select $1::int * 2 as twice', [value])
    expect(rows).toEqual([{ twice: value * 2 }])
  }
  expect((await prepared()).filter((text) => text.includes('twice'))).toHaveLength(1)
})

it('a statement without parameters is not prepared', async () => {
  await pglite.query('select 1 as alone')
  expect((await prepared()).filter((text) => text.includes('alone'))).toEqual([])
})

it('a statement that fails is refused each time, and the next ones are executed', async () => {
  for (let time = 0; time < 3; time++) {
    await expect(pglite.query('select nothing from nowhere where a = $1', [1])).rejects.toMatchObject({
      code: '42P01',
    })
    await expect(pglite.query('select $1::int as a', ['x'])).rejects.toMatchObject({ code: '22P02' })
    expect((await pglite.query('select $1::int as a', [time])).rows).toEqual([{ a: time }])
  }
})

it('a statement stays prepared when the transaction that used it first is rolled back', async () => {
  const insert = 'insert into t values ($1, $2)'
  await expect(
    pglite.transaction(async (trx) => {
      await trx.query(insert, [1, 'a'])
      await trx.query(insert, [1, 'b'])
    }),
  ).rejects.toMatchObject({ code: '23505' })
  await pglite.transaction((trx) => trx.query(insert, [1, 'c']))
  expect((await pglite.query('select * from t')).rows).toEqual([{ a: 1, b: 'c' }])
})

it('beyond the most that are kept, those used longest ago are closed, and prepared again when they are used', async () => {
  const texts = Array.from({ length: 7 }, (_, n) => `select $1::int + ${n} as sum`)
  for (let round = 0; round < 2; round++) {
    for (const [n, text] of texts.entries()) {
      expect((await pglite.query(text, [round])).rows).toEqual([{ sum: round + n }])
      expect((await prepared()).length).toBeLessThanOrEqual(3)
    }
  }
  expect(await prepared()).toEqual(texts.slice(-3))
})

it('callers that do not wait for each other get their own answers', async () => {
  const sums = Array.from({ length: 60 }, async (_, n) => {
    const { rows } = await pglite.query<{ sum: number }>(`select $1::int + ${n % 5} as sum`, [n])
    return rows[0]!.sum
  })
  expect(await Promise.all(sums)).toEqual(Array.from({ length: 60 }, (_, n) => n + (n % 5)))
})

it('a prepared statement is planned again after its table has changed', async () => {
  const text = 'select b from t where a = $1'
  for (let time = 0; time < 7; time++) await pglite.query(text, [time])
  await pglite.exec("alter table t add column c int; create index on t (b); insert into t values (1, 'x', 2)")
  expect((await pglite.query(text, [1])).rows).toEqual([{ b: 'x' }])
})
