import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { type Database, openPostgres } from '../src/db/client.ts'
import { openEmbedded } from '../src/db/embedded.ts'
import { migrate, migrationNames } from '../src/db/migrate.ts'
import { makeEmptyPostgres } from './support/database.ts'

/** A database with the migrations before `name`, as a version before left it. */
async function databaseBefore(name: string): Promise<Database> {
  const run = inject('databaseRun')
  let database: Database
  if ('prefix' in run) {
    const { url, remove } = await makeEmptyPostgres(process.env.TEST_DATABASE_URL!, run.prefix)
    database = openPostgres(url, { max: 2 })
    onTestFinished(async () => {
      await database.close()
      await remove()
    })
  } else {
    const folder = mkdtempSync(join(tmpdir(), 'shopbell-old-'))
    database = await openEmbedded(join(folder, 'pg'))
    onTestFinished(async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })
  }
  await database.execScript(
    'create table schema_migrations (name text primary key, applied_at timestamptz default now())',
  )
  for (const each of migrationNames().filter((each) => each < name)) {
    await database.execScript(readFileSync(new URL(`../migrations/${each}`, import.meta.url), 'utf8'))
    await sql`insert into schema_migrations (name) values (${each})`.execute(database.db)
  }
  return database
}

const SHOP = 'a'.repeat(24)
const idOf = (n: number) => String(n).padStart(24, '0')

describe('a database of the version before, with rows', () => {
  it('VAT rates become basis points, slugs get their base, clashing codes stay and are found', async () => {
    const database = await databaseBefore('0028')
    const { db } = database
    await sql`
      insert into shops (id, name, created_at, updated_at) values (${SHOP}, 'Tiệm', now(), now())`.execute(db)
    const rows = [
      ['Áo', 'ao', 8, 'ao', 'sp1', 'mã-1'.normalize('NFD')],
      ['Áo', 'ao-2', 10, 'ao', 'SP1', 'mã-2'],
      ['Ghế 5', 'ghe-5', 0, 'ghe 5', 'Đ12', ''],
      ['Mũ', 'hang-hieu', 5, 'mu', 'sP1', ''],
      ['日本', 'product', 5, '日本', '', ''],
    ] as const
    for (const [n, [name, slug, vat, search, code, barcode]] of rows.entries()) {
      await sql`
        insert into products (shop_id, id, name, slug, vat, price, search, sku_drafts, created_at, updated_at)
        values (${SHOP}, ${idOf(n)}, ${name}, ${slug}, ${vat}, 1, ${search}, '{}', now(), now())`.execute(db)
      for (const [kind, text] of [
        ['sku', code],
        ['barcode', barcode],
      ].filter(([, text]) => text !== '')) {
        await sql`
          insert into product_codes (shop_id, kind, code, product_id)
          values (${SHOP}, ${kind}, ${text}, ${idOf(n)})`.execute(db)
      }
    }
    await migrate(database)

    const products = await sql<{ vat_basis_points: number; slug_base: string }>`
      select vat_basis_points, slug_base from products where shop_id = ${SHOP} order by id`.execute(db)
    expect(products.rows.map((row) => row.vat_basis_points)).toEqual([800, 1000, 0, 500, 500])
    expect(products.rows.map((row) => row.slug_base)).toEqual(['ao', 'ao', 'ghe-5', 'hang-hieu', 'product'])

    const codes = await sql<{ code: string; folded: string; is_duplicate: boolean }>`
      select code, folded, is_duplicate from product_codes where shop_id = ${SHOP} order by product_id, kind`.execute(
      db,
    )
    expect(codes.rows.map(({ folded, is_duplicate }) => [folded, is_duplicate])).toEqual([
      ['MÃ-1', false],
      ['SP1', false],
      ['MÃ-2', false],
      ['SP1', true],
      ['Đ12', false],
      ['SP1', true],
    ])
    // A further product cannot have it in any spelling; nor can a race make it.
    await expect(
      sql`
        insert into product_codes (shop_id, kind, code, product_id)
        values (${SHOP}, 'sku', 'đ12', ${idOf(4)})`.execute(db),
    ).rejects.toMatchObject({ code: '23505' })
  }, 120_000)

  it('totals of stock move from the products to rows beside them', async () => {
    const database = await databaseBefore('0033')
    const { db } = database
    await sql`
      insert into shops (id, name, created_at, updated_at) values (${SHOP}, 'Tiệm', now(), now())`.execute(db)
    const rows = [
      [12, 5, null],
      [0, 3, null],
      [7, 0, '2026-01-01'],
    ] as const
    for (const [n, [total, reserved, deletedAt]] of rows.entries()) {
      await sql`
        insert into products (shop_id, id, name, slug, price, search, sku_drafts, total_quantity, reserved_quantity,
          created_at, updated_at, deleted_at)
        values (${SHOP}, ${idOf(n)}, 'Áo', ${idOf(n)}, 1, 'ao', '{}', ${total}, ${reserved}, now(), now(),
          ${deletedAt}::timestamptz)`.execute(db)
    }
    await migrate(database)

    const moved = await sql<{ n: string }>`
      select concat_ws(' ', product_id, total_quantity, reserved_quantity, stock_quantity, is_retired) as n
      from product_stock
      where shop_id = ${SHOP}
      order by product_id`.execute(db)
    expect(moved.rows.map(({ n }) => n)).toEqual([
      `${idOf(0)} 12 5 7 f`,
      `${idOf(1)} 0 3 -3 f`,
      `${idOf(2)} 7 0 7 t`,
    ])
  }, 120_000)
})
