import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ended, IMPORTS, importFile, upload } from '../../support/imports.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { eventually, makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const { db } = running.database

const fileOf = (count: number) =>
  `name,price,itemSku\n${Array.from({ length: count }, (_, n) => `Trà ${n},${n},T${n}`).join('\n')}`

async function chunksOf(partner: Partner): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from product_import_chunks where shop_id = ${partner.shopId}`.execute(db)
  return rows[0]!.n
}

async function countProducts(partner: Partner): Promise<number> {
  return (await partner.get(`${PRODUCTS}?limit=1`)).body.data.meta.total
}

describe('G-37 cancelling an import', () => {
  it('200 with each-row: what has been written stays, the rest never comes', async () => {
    const partner = await makeShop(running)
    const accepted = await upload(partner, fileOf(3_000), 'mode=each-row')
    const path = `${IMPORTS}/${accepted.body.data._id}`
    await eventually(async () => (await partner.get(path)).body.data.done > 0, 30_000)
    const cancelled = (await partner.post(`${path}/cancel`)).body.data
    expect(cancelled.status).toBe('cancelled')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const after = (await partner.get(path)).body.data
    expect(after).toMatchObject({ status: 'cancelled', created: cancelled.created, done: cancelled.done })
    expect(after.created).toBeLessThan(3_000)
    expect(await countProducts(partner)).toBe(after.created)
    expect(await chunksOf(partner)).toBe(0)
    await checkInvariants(db, partner.shopId)
  }, 60_000)

  it('200 for all or nothing during the check: nothing is written', async () => {
    const partner = await makeShop(running)
    const accepted = await upload(partner, fileOf(3_000))
    const path = `${IMPORTS}/${accepted.body.data._id}`
    await eventually(async () => (await partner.get(path)).body.data.status === 'checking', 30_000)
    expect((await partner.post(`${path}/cancel`)).body.data).toMatchObject({
      status: 'cancelled',
      created: 0,
    })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await countProducts(partner)).toBe(0)
    expect((await partner.get(path)).body.data).toMatchObject({ status: 'cancelled', done: 0 })
  }, 60_000)
})

describe('G-37 limits of an import', () => {
  it('413 above 50 MB, and nothing of it is kept', async () => {
    const partner = await makeShop(running)
    const answer = await upload(partner, `name,price\n${'x'.repeat(51 * 1024 * 1024)}`)
    expect([answer.status, answer.body.message]).toEqual([413, 'Body is larger than the limit of 50 MB'])
    expect(await chunksOf(partner)).toBe(0)
  }, 60_000)

  it('409 TOO_MANY_IMPORTS while five have not ended, and nothing of its file stays', async () => {
    const partner = await makeShop(running)
    for (let n = 0; n < 5; n++) {
      const id = running.deps.ids.next()
      await sql`
        insert into product_imports (shop_id, id, upload_id, format, mode, is_dry_run, language, created_at, updated_at)
        values (${partner.shopId}, ${id}, ${id}, 'csv', 'each-row', false, 'en', now(), now())`.execute(db)
    }
    const refused = await upload(partner, fileOf(1))
    expect([refused.status, refused.body.code]).toEqual([409, 'TOO_MANY_IMPORTS'])
    await eventually(async () => (await chunksOf(partner)) === 0)
    const { data } = (await partner.get(IMPORTS)).body
    await partner.post(`${IMPORTS}/${data[0]._id}/cancel`)
    expect((await upload(partner, fileOf(1))).status).toBe(202)
  })

  it('409 TOO_MANY_IMPORTS for all beyond five also when ten come at once', async () => {
    const partner = await makeShop(running)
    const headers = { 'content-type': 'text/csv' }
    for (let n = 0; n < 4; n++) {
      const id = running.deps.ids.next()
      await sql`
        insert into product_imports (shop_id, id, upload_id, format, mode, is_dry_run, language, created_at, updated_at)
        values (${partner.shopId}, ${id}, ${id}, 'csv', 'each-row', false, 'en', now(), now())`.execute(db)
    }
    // Each file has one line that keeps the worker busy, so no import has ended when the last is counted.
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        partner.post(`${PRODUCTS}/import?dryRun=true`, fileOf(5_000), headers),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 202)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
  }, 30_000)

  it('two imports of one file and products made meanwhile: each code once, nothing is lost', async () => {
    const partner = await makeShop(running)
    const file = fileOf(900)
    const [one, other] = await Promise.all([
      upload(partner, file, 'mode=each-row'),
      upload(partner, file),
      ...Array.from({ length: 10 }, (_, n) =>
        partner.post(PRODUCTS, newProduct({ name: `Trà ${n * 90}`, itemSku: `M${n}` })),
      ),
    ])
    const ends = await Promise.all([one, other].map((answer) => ended(partner, answer!.body.data._id)))
    expect(ends.map((end) => [end.status, end.failed])).toEqual([
      ['done', 0],
      ['done', 0],
    ])
    expect(ends[0].created + ends[1].created).toBe(900)
    expect(ends[0].unchanged + ends[1].unchanged).toBe(900)
    expect(await countProducts(partner)).toBe(910)
    await checkInvariants(db, partner.shopId)
  }, 90_000)

  it('the upload is deleted when its import has ended', async () => {
    const partner = await makeShop(running)
    await importFile(partner, fileOf(2))
    expect(await chunksOf(partner)).toBe(0)
  })
})
