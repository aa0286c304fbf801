import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { runImport } from '../../../src/modules/product-files/import/run-import.ts'
import { insertImport } from '../../../src/modules/product-files/import/sql.ts'
import { insertChunk } from '../../../src/modules/product-files/import/upload-sql.ts'
import { ended, importFile } from '../../support/imports.ts'
import { namesOfProducts } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db, clock, ids } = running.deps

/** An import of single rows that no worker has taken yet. Returns its id. */
async function uploadImport(shop: Partner, file: string): Promise<string> {
  const [id, uploadId, now] = [unusedId(), unusedId(), new Date()]
  await insertChunk(db, shop.shopId, { uploadId, n: 0, bytes: Buffer.from(file), now })
  await insertImport(db, shop.shopId, {
    id,
    uploadId,
    format: 'csv',
    mode: 'each-row',
    isDryRun: false,
    language: 'en',
    createdBy: null,
    warehouseId: null,
    now,
  })
  return id
}

describe('G-37 an import of single rows that goes on where a process died', () => {
  it.each([
    ['itemSku', 'abc-1', 'ABC-1'],
    ['barcode', 'ma-9', 'MA-9'],
  ])('refuses a %s of a line that was done before, also in other letters', async (column, code, sameCode) => {
    const shop = await makeShop(running)
    await importFile(shop, `name,price,${column}\nÁo,1,${code}\n`, 'mode=each-row')
    const id = await uploadImport(shop, `name,price,${column}\nÁo,1,${code}\nMũ,2,${sameCode}\n`)
    await sql`
      update product_imports set done = 1, created = 1, status = 'writing'
      where shop_id = ${shop.shopId} and id = ${id}`.execute(db)
    await runImport({ db, clock, ids }, { shopId: shop.shopId, importId: id }, { isLast: true })
    expect(await ended(shop, id)).toMatchObject({
      status: 'done',
      created: 1,
      updated: 0,
      failed: 1,
      errors: [{ line: 3, column }],
    })
    expect(await namesOfProducts(shop, {})).toEqual(['Áo'])
  })

  it('writes a product whose code is on a line that failed before', async () => {
    const shop = await makeShop(running)
    const file = 'name,price,itemSku\nÁo,đắt,A-1\nÁo,1,A-1\n'
    const id = await uploadImport(shop, file)
    await sql`
      with i as (
        update product_imports set done = 1, failed = 1, errors = 1, status = 'writing'
        where shop_id = ${shop.shopId} and id = ${id}
        returning shop_id, id
      )
      insert into product_import_errors (shop_id, import_id, n, line, column_name, message)
      select shop_id, id, 1, 2, 'price', '"price" must be a number'
      from i`.execute(db)
    await runImport({ db, clock, ids }, { shopId: shop.shopId, importId: id }, { isLast: true })
    const end = await ended(shop, id)
    const whole = await importFile(await makeShop(running), file, 'mode=each-row')
    for (const one of [end, whole]) {
      expect(one).toMatchObject({
        status: 'done',
        created: 1,
        failed: 1,
        errors: [{ line: 2, column: 'price' }],
      })
    }
    expect(await namesOfProducts(shop, {})).toEqual(['Áo'])
  })
})
