import { describe, expect, it } from 'vitest'
import { ended, IMPORTS, importFile, importLines, upload } from '../../support/imports.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { insertCategory, newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'
import { eventsOf, listen } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.database

async function productsOf(partner: Partner) {
  return (await partner.get(`${PRODUCTS}?limit=50&sortType=asc&select=skus,variants`)).body.data.products
}

describe('G-37 POST products/import', () => {
  it('202, then the products of the file: simple ones, and one of several lines with its variants', async () => {
    const partner = await makeShop(running)
    const categoryId = await insertCategory(running, partner.shopId, 'Áo thun')
    const file = `name,slug,price,itemSku,category,images,vat,skuName,skuPrice,skuCode,option1Name,option1Value
Nón lá,,50000,NL,áo thun khác,,,,,,,
Áo dài,ao-dai,900000,,Áo thun,https://a/1.png https://a/2.png,8,S,900000,AD-S,Cỡ,S
,ao-dai,,,,,,L,950000,AD-L,Cỡ,L
Guốc,,70000,G1,,,,,,,,`
    const result = await importFile(partner, file, 'mode=each-row')
    expect(result).toMatchObject({ status: 'done', total: 3, done: 3, created: 2, updated: 0, failed: 1 })
    expect(result.errors).toEqual([
      { line: 2, column: 'category', message: '"category" is not a category of this shop' },
    ])
    const [dress, clogs] = await productsOf(partner)
    expect(dress).toMatchObject({
      name: 'Áo dài',
      slug: 'ao-dai',
      categoryId,
      vat: 8,
      images: ['https://a/1.png', 'https://a/2.png'],
      status: 'active',
      skus: [
        { name: 'S', price: 900000, sku: 'AD-S' },
        { name: 'L', price: 950000, sku: 'AD-L' },
      ],
    })
    expect(dress.itemVariants).toMatchObject([
      { name: 'Cỡ', itemVariantOptions: [{ name: 'S' }, { name: 'L' }] },
    ])
    expect(clogs).toMatchObject({
      name: 'Guốc',
      slug: 'guoc',
      skus: [{ name: 'Guốc', price: 70000, sku: 'G1' }],
    })
    await checkInvariants(db, partner.shopId)
  })

  it('G-03 200 with what the file has for a category that the shop lacks', async () => {
    const partner = await makeShop(running)
    const result = await importFile(partner, 'name,price,category\nA,1,Quần > Áo', 'dryRun=true')
    const answer = await partner.get(`${IMPORTS}/${result._id}`, { 'x-validation-detail': '1' })
    expect(answer.body.data.errors).toEqual([
      {
        line: 2,
        column: 'category',
        message: '"category" is not a category of this shop',
        rule: 'shop.unknown',
        values: { label: 'category', kind: 'category', value: 'Quần > Áo' },
      },
    ])
  })

  it('G-03 200 with the broken rule and its values beside each error, for a caller that asks for them', async () => {
    const partner = await makeShop(running)
    const result = await importFile(partner, 'name,price\nA,-1\nB\nC,x', 'dryRun=true')
    const answer = await partner.get(`${IMPORTS}/${result._id}`, { 'x-validation-detail': '1' })
    expect(answer.body.data.errors).toEqual([
      {
        line: 2,
        column: 'price',
        message: '"price" must be greater than or equal to 0',
        rule: 'number.min',
        values: { label: 'price', limit: 0 },
      },
      {
        line: 3,
        column: '',
        message: 'The line has 1 cells where the header has 2',
        rule: 'line.cellCount',
        values: { cells: 1, columns: 2 },
      },
      {
        line: 4,
        column: 'price',
        message: '"price" must be a number',
        rule: 'number.base',
        values: { label: 'price' },
      },
    ])
    expect(result.errors.map((error: object) => Object.keys(error))).toEqual(
      Array.from({ length: 3 }, () => ['line', 'column', 'message']),
    )
  })

  it('JSON lines with the columns as fields', async () => {
    const partner = await makeShop(running)
    const images = ['https://x/a b', 'https://x']
    const result = await importLines(partner, [
      { name: '=Trà', price: 30_000, images, originPrice: null },
      { name: 'Sen', price: '40000', barcode: '893' },
    ])
    expect(result).toMatchObject({ status: 'done', created: 2, format: 'ndjson' })
    expect(await productsOf(partner)).toMatchObject([
      { name: '=Trà', price: 30_000, images },
      { name: 'Sen', price: 40_000, barcode: '893' },
    ])
  })

  it('a cell of images nested 100,000 deep is an error of its line, in CSV and in JSON lines', async () => {
    const partner = await makeShop(running)
    await partner.post(PRODUCTS, newProduct({ name: 'A', itemSku: 'A1' }))
    const images = '['.repeat(100_000) + ']'.repeat(100_000)
    const results = [
      await importFile(partner, `itemSku,images\nA1,${images}\n`, 'mode=each-row'),
      await importLines(partner, [{ itemSku: 'A1', images }], 'mode=each-row'),
    ]
    for (const { status, failed, errors } of results) {
      expect([status, failed, errors[0].column]).toEqual(['done', 1, 'images'])
    }
  })

  it('150.000 is 150,000 đồng, and a file with a slug that is not made like one changes nothing again', async () => {
    const partner = await makeShop(running)
    const file = 'name,slug,price,originPrice\nÁo,Áo Slug 1,150.000,"1,150,000"\n'
    const results = [await importFile(partner, file), await importFile(partner, file)]
    expect(results.map(({ created, unchanged }) => [created, unchanged])).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(await productsOf(partner)).toEqual([
      expect.objectContaining({ slug: 'ao-slug-1', price: 150_000, originPrice: 1_150_000 }),
    ])
  })

  it('slugs are unique among themselves and in the shop, whatever the names', async () => {
    const partner = await makeShop(running)
    await partner.post(PRODUCTS, newProduct({ name: 'Ao' }))
    const names = ['Ao', 'Ao 2', 'Ao', 'Ao 2', 'Ao 3', 'Mu', 'Mu', 'Mu 2', '!!!', '???']
    const file = `name,price\n${names.map((name) => `${name},1`).join('\n')}`
    expect(await importFile(partner, file)).toMatchObject({ status: 'done', created: 10 })
    const slugs = (await productsOf(partner)).map((product: { slug: string }) => product.slug)
    expect(slugs).toEqual('ao ao-4 ao-2 ao-5 ao-2-2 ao-3 mu mu-3 mu-2 product product-2'.split(' '))
    expect(new Set(slugs).size).toBe(11)
  })

  it('each error with its line and column, by the rules of E10', async () => {
    const partner = await makeShop(running)
    await partner.post(PRODUCTS, newProduct({ name: 'Có sẵn', itemSku: 'CU', barcode: '77' }))
    const file = `name,slug,price,status,vat,itemSku,barcode,skuName,skuPrice
,,1,,,,,,
A,,x,,,,,,
B,,1.5,,,,,,
"C
C",,1,gone,,,,,
D,,1,,101,,,,
E,,1,,,NEW,77,,
F,,1,,,SAME,,,
G,,1,,,SAME,,,
H,h,1,,,,,h1,1
,h,1,,,,,h2,
I,i,1,,,,,,
J,i,1,,,,,,`
    const result = await importFile(partner, file, 'mode=each-row')
    expect(result).toMatchObject({ created: 1, failed: 9, done: 10, errorCount: 9 })
    expect(result.errors).toEqual([
      { line: 2, column: 'name', message: '"name" is required' },
      { line: 3, column: 'price', message: '"price" must be a number' },
      { line: 4, column: 'price', message: '"price" must be an integer' },
      { line: 5, column: 'status', message: '"status" must be one of [active, inactive]' },
      { line: 7, column: 'vat', message: '"vat" must be less than or equal to 100' },
      { line: 8, column: 'barcode', message: expect.stringContaining('77') },
      { line: 10, column: 'itemSku', message: '"itemSku" is also a code of line 9' },
      { line: 12, column: 'skuPrice', message: '"skuPrice" is required' },
      { line: 14, column: 'name', message: '"name" differs from the product’s first line' },
    ])
    const csv = await partner.get(`${IMPORTS}/${result._id}/errors`)
    expect(csv.headers['content-type']).toContain('text/csv')
    expect(csv.body.split('\r\n')).toHaveLength(1 + 9 + 1)
    await checkInvariants(db, partner.shopId)
  })

  it('lines with the same productKey are one product, and errors name the number in the column line', async () => {
    const partner = await makeShop(running)
    const file = `line,productKey,name,price,skuName,skuPrice,skuCode,openingStock,option1Name,option1Value
12,SP1,Áo bà ba,90000,Nâu,90000,SP1,3,Màu,Nâu
15,SP1,,,Tím,95000,SP2,4,Màu,Tím
13,,Nón lá,50000,,,,,,
x,SP3,Guốc,,36,,G36,,Cỡ,36
20,SP1,,,Đen,1,SP9,,Màu,Đen
21,,Khăn rằn,x,,,,,,`
    const result = await importFile(partner, file, 'mode=each-row')
    expect(result).toMatchObject({ created: 2, failed: 3, stocked: 2 })
    expect(result.errors).toEqual([
      { line: 5, column: 'price', message: '"price" is required' },
      { line: 20, column: 'productKey', message: expect.stringContaining('must be consecutive') },
      { line: 21, column: 'price', message: '"price" must be a number' },
    ])
    const [blouse] = await productsOf(partner)
    expect(blouse).toMatchObject({ name: 'Áo bà ba', slug: 'ao-ba-ba', price: 90000 })
    expect(blouse.skus).toMatchObject([
      { name: 'Nâu', price: 90000, sku: 'SP1', stock_quantity: 3 },
      { name: 'Tím', price: 95000, sku: 'SP2', stock_quantity: 4 },
    ])
    const again = file.split('\n').slice(0, 3).join('\n')
    expect(await importFile(partner, again)).toMatchObject({ unchanged: 1, failed: 0 })
    // Two lines that say the same number are still two lines: each SKU gets its own stock.
    const twins = file
      .replace('12,SP1', '7,N')
      .replace('15,SP1', '7,N')
      .replace(/SP(\d),(\d)/g, 'N$1,$2')
    await importFile(partner, twins.split('\n').slice(0, 3).join('\n'))
    const [, , twin] = await productsOf(partner)
    expect(twin.skus).toMatchObject([{ stock_quantity: 3 }, { stock_quantity: 4 }])
    await checkInvariants(db, partner.shopId)
  })

  it('all or nothing is the default: one error leaves everything as it was, the good ones too', async () => {
    const partner = await makeShop(running)
    await partner.post(PRODUCTS, newProduct({ name: 'Cũ', itemSku: 'CU' }))
    const file = 'name,price,itemSku\nCũ,1,CU\nMới,2,M\nSai,,S\n'
    const result = await importFile(partner, file)
    expect(result).toMatchObject({ status: 'failed', total: 3, done: 1, failed: 1, created: 0, updated: 0 })
    expect(result.reason).toBe('Nothing was imported: 1 of 3 products have errors')
    expect(result.errors).toEqual([{ line: 4, column: 'price', message: '"price" is required' }])
    expect(await productsOf(partner)).toMatchObject([{ name: 'Cũ', price: 100000, __v: 0 }])
  })

  it('a dry run reports what an import would do and writes nothing', async () => {
    const partner = await makeShop(running)
    await partner.post(PRODUCTS, newProduct({ name: 'Cũ', itemSku: 'CU' }))
    const file = 'name,price,itemSku\nCũ,1,CU\nMới,2,M\nTrùng,2,M\nSai,,S\n'
    const result = await importFile(partner, file, 'dryRun=true')
    expect(result).toMatchObject({ status: 'done', dryRun: true, created: 1, updated: 1, failed: 2 })
    expect((await productsOf(partner)).map((product: { __v: number }) => product.__v)).toEqual([0])
  })

  it('400 naming unknown columns, an empty file, and bytes that are not UTF-8; 415 for JSON', async () => {
    const partner = await makeShop(running)
    const unknown = await upload(partner, 'name,colour,price,"si""ze"\nx,1,1,1')
    expect([unknown.status, unknown.body.validation.body.message]).toEqual([
      400,
      '"file" cannot be imported. The file has unknown columns: "colour", "si\\"ze"',
    ])
    expect((await upload(partner, 'name,name\nx,1')).status).toBe(400)
    expect((await upload(partner, '')).status).toBe(400)
    const json = await upload(partner, '{}', '', { 'content-type': 'application/json' })
    expect([json.status, json.body.message]).toEqual([
      415,
      'Content-Type must be text/csv or application/x-ndjson',
    ])
    const later = await importLines(partner, [{ name: 'x', price: 1 }, { nome: 'y' }])
    expect(later).toMatchObject({
      status: 'failed',
      reason: 'The file has unknown columns: "nome"',
      created: 0,
    })
    expect(await productsOf(partner)).toEqual([])
  })

  it('G-05 the reason why a file failed is in the language of its sender', async () => {
    const partner = await makeShop(running, { language: 'vi' })
    const refused = await upload(partner, 'name,colour\nx,1')
    expect(refused.body.validation.body.message).toBe(
      '"file" không nhập được. Tệp có những cột không được hỗ trợ: "colour"',
    )
    const reasons = [
      await importFile(partner, 'name,price\nA,1\nB,\n'),
      await importFile(partner, 'name,price\n"b,1\n'),
      await importFile(partner, 'name,price\nA,\n', '', { 'accept-language': 'en' }),
    ].map(({ reason }) => reason)
    expect(reasons).toEqual([
      'Chưa nhập gì: 1 trên 2 sản phẩm có lỗi',
      'Tệp không phải CSV hợp lệ: dòng 2 mở dấu ngoặc kép mà không đóng',
      'Nothing was imported: 1 of 1 products have errors',
    ])
  })

  it('202 for a file with semicolons, as Excel writes it in Vietnamese', async () => {
    const partner = await makeShop(running)
    const done = await importFile(partner, '\ufeffname;price\r\n"Áo; dài";150.000\r\n')
    expect(done).toMatchObject({ status: 'done' })
    expect(await productsOf(partner)).toMatchObject([{ name: 'Áo; dài', price: 150_000 }])
  })

  it('an unreadable line is reported, an unreadable file fails as a whole', async () => {
    const partner = await makeShop(running)
    const lines = '{"name":"a","price":1}\n{"name":\n[]\n{"name":{},"price":1}'
    const types = { 'content-type': 'application/x-ndjson' }
    expect((await importFile(partner, lines, 'mode=each-row', types)).errors).toEqual([
      { line: 2, column: '', message: 'The line is not valid JSON' },
      { line: 3, column: '', message: 'The line is not a JSON object' },
      { line: 4, column: 'name', message: '"name" must be a text or a number' },
    ])
    const quote = await importFile(partner, 'name,price\n"b,1\n', 'mode=each-row')
    expect(quote).toMatchObject({ status: 'failed', reason: expect.stringContaining('not valid CSV') })
    const nul = await importFile(partner, 'name,price\nb\u0000,1\nc,1,1\n', 'mode=each-row')
    expect(nul.errors).toMatchObject([
      { line: 2, column: 'name' },
      { line: 3, column: '' },
    ])
  })

  it('product.created and product.updated are emitted, nothing for unchanged products', async () => {
    const partner = await makeShop(running)
    await partner.post(PRODUCTS, newProduct({ name: 'A', itemSku: 'A' }))
    await partner.post(PRODUCTS, newProduct({ name: 'B', itemSku: 'B' }))
    await listen(running, partner.shopId)
    await importFile(partner, 'itemSku,name,price\nA,A,100000\nB,B,5\nC,C,6\n')
    const events = await eventsOf(running, partner.shopId)
    expect(events.map(({ type, data }) => [type, data.itemSku]).sort()).toEqual([
      ['product.created', 'C'],
      ['product.updated', 'B'],
    ])
  })
})

describe('G-10 an import with an Idempotency-Key', () => {
  it('202 twice and one import; 422 for another file or another mode', async () => {
    const partner = await makeShop(running)
    const key = { 'idempotency-key': 'k1' }
    const file = 'name,price\nA,1\n'
    const first = await upload(partner, file, '', key)
    const again = await upload(partner, file, '', key)
    expect([first.status, again.status, again.body.data._id]).toEqual([202, 202, first.body.data._id])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await upload(partner, 'name,price\nA,2\n', '', key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect((await upload(partner, file, 'mode=each-row', key)).status).toBe(422)
    await ended(partner, first.body.data._id)
    expect(await productsOf(partner)).toHaveLength(1)
    expect((await partner.get(IMPORTS)).body.data).toHaveLength(1)
  })
})

describe('G-37 imports', () => {
  it('200 list, newest first; 404 for another’s; cancel leaves an ended one as it is', async () => {
    const partner = await makeShop(running)
    const first = await importFile(partner, 'name,price\nA,1\n')
    const second = await importFile(partner, 'name,price\nB,1\n')
    const listed = await partner.get(`${IMPORTS}?limit=1`)
    expect(listed.body).toMatchObject({ data: [{ _id: second._id }], meta: { hasMore: true } })
    const cancelled = await partner.post(`${IMPORTS}/${first._id}/cancel`)
    expect([cancelled.status, cancelled.body.data.status]).toEqual([200, 'done'])
    const stranger = await makeShop(running)
    expect((await stranger.get(`${IMPORTS}/${first._id}`)).status).toBe(404)
    expect((await stranger.post(`${IMPORTS}/${first._id}/cancel`)).status).toBe(404)
  })
})
