import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { deleteOldRecords } from '../../../src/process/retention/retention.ts'
import { IMPORTS, importFile } from '../../support/imports.ts'
import { makeShop, separateService, unusedId } from '../../support/service.ts'

const running = await separateService()
const { db } = running.deps

async function endedDaysAgo(id: string, days: number): Promise<void> {
  await sql`
    update product_imports set finished_at = now() - make_interval(days => ${days}::integer)
    where id = ${id}`.execute(db)
}

describe('G-37 what is kept of imports', () => {
  it('an import is deleted with its errors 30 days after its end, however many they are; younger and open ones stay', async () => {
    const shop = await makeShop(running)
    const bad = 'name,price\nA,\n'
    const [old, recent, open] = [
      await importFile(shop, bad),
      await importFile(shop, bad),
      await importFile(shop, bad),
    ]
    await sql`
      insert into product_import_errors (shop_id, import_id, n, line, column_name, message)
      select ${shop.shopId}, ${old._id}, n, n, '', 'x'
      from generate_series(2, 2500) n`.execute(db)
    await endedDaysAgo(old._id, 31)
    await endedDaysAgo(recent._id, 29)
    await sql`
      update product_imports set finished_at = null, created_at = now() - interval '40 days'
      where id = ${open._id}`.execute(db)
    expect(await deleteOldRecords(running.deps, 'imports')).toBe(0)
    expect(await deleteOldRecords(running.deps, 'errors of imports')).toBe(2500)
    expect(await deleteOldRecords(running.deps, 'imports')).toBe(1)
    expect((await shop.get(`${IMPORTS}/${old._id}`)).status).toBe(404)
    const left = (await shop.get(IMPORTS)).body.data.map(({ _id }: { _id: string }) => _id)
    expect(left).toEqual([open._id, recent._id])
    expect((await shop.get(`${IMPORTS}/${recent._id}`)).body.data.errors).toHaveLength(1)
  })

  it('pieces of an upload without an import are deleted after an hour, those of a waiting import stay', async () => {
    const shop = await makeShop(running)
    const waiting = await importFile(shop, 'name,price\nA,1\n')
    await sql`update product_imports set finished_at = null where id = ${waiting._id}`.execute(db)
    const { rows } = await sql<{ upload_id: string }>`
      select upload_id from product_imports where id = ${waiting._id}`.execute(db)
    const insert = (uploadId: string, minutes: number) =>
      sql`
        insert into product_import_chunks (shop_id, upload_id, n, bytes, created_at)
        values (${shop.shopId}, ${uploadId}, 9, ''::bytea, now() - make_interval(mins => ${minutes}::integer))`.execute(
        db,
      )
    const [left, fresh] = [unusedId(), unusedId()]
    await insert(left, 61)
    await insert(fresh, 50)
    await insert(rows[0]!.upload_id, 61)
    expect(await deleteOldRecords(running.deps, 'uploads')).toBe(1)
    const kept = await sql<{ upload_id: string }>`
      select upload_id from product_import_chunks where shop_id = ${shop.shopId}`.execute(db)
    expect(kept.rows.map((row) => row.upload_id).sort()).toEqual([fresh, rows[0]!.upload_id].sort())
  })
})
