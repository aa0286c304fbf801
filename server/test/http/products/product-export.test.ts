import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { guessMapping } from '../../../../console/src/screens/products/import/columns.ts'
import { convertFile } from '../../../../console/src/screens/products/import/convert-file.ts'
import { isPictureAddress } from '../../../src/http/validation/text-formats.ts'
import { isBlank } from '../../../src/lib/text/text.ts'
import { storedLine } from '../../../src/stored-text.ts'
import { catalogueOf, exported, importFile } from '../../support/imports.ts'
import { enter, makeWarehouse, stockedSku } from '../../support/inventory.ts'
import { placeOrder } from '../../support/order-changes.ts'
import { insertCategory, newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'
import { snapshotShop } from '../../support/shop-records.ts'

const running = await service()
const { db } = running.database

function linesOf(file: string): Record<string, string>[] {
  return parse(file, { bom: true, columns: true })
}

/** Only the catalogue's own tables, because an import adds rows to those of imports. */
async function catalogueRows(partner: Partner): Promise<unknown> {
  const {
    products,
    skus,
    product_codes,
    variant_groups,
    variant_options,
    stock,
    product_stock,
    product_counts,
  } = await snapshotShop(running, partner.shopId)
  return {
    products,
    skus,
    product_codes,
    variant_groups,
    variant_options,
    stock,
    product_stock,
    product_counts,
  }
}

// Without a byte order mark at the very beginning, because the embedded database's client drops it when reading.
const odd = fc.oneof(
  fc.constantFrom(
    '=1+1',
    "'=x",
    "''",
    '-5',
    '@x',
    '+84',
    '\t=1',
    '＝1',
    '"',
    'a,b;c',
    ' hai  dòng\r\nx\ny ',
    '\\>',
  ),
  fc.constantFrom('Nguyễn Huệ'.normalize('NFC'), 'Nguyễn Huệ'.normalize('NFD'), '𝄞 🌸', 'x\ufeff', "l'été"),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !text.includes('\0') && !text.startsWith('\ufeff') && !isBlank(text)),
)
const text = fc.oneof(odd, fc.constant(''))
const address = odd.map((path) => `https://shop.example/${path}`).filter(isPictureAddress)
const money = fc.integer({ min: 0, max: 9_000_000_000_000 })

const plain = {
  name: odd,
  price: money,
  description: text,
  originPrice: fc.option(money, { nil: undefined }),
  status: fc.constantFrom('active', 'inactive'),
  vat: fc.integer({ min: 0, max: 100 }),
  images: fc.array(address, { maxLength: 3 }),
}
const variants = fc
  .record({
    groups: fc.uniqueArray(odd, { minLength: 1, maxLength: 2 }),
    // Options of a group that are stored as one text are refused.
    options: fc.uniqueArray(odd, { minLength: 1, maxLength: 3, selector: storedLine }),
  })
  .map(({ groups, options }) => {
    const made = groups.map((name, at) => ({
      id: `g${at}`,
      name,
      options: options.map((value, n) => ({ id: `${at}-${n}`, value })),
    }))
    const skus = options.map((value, n) => ({
      name: value,
      price: n * 1000,
      variantOptionIds: groups.map((_, at) => `${at}-${n}`),
    }))
    return { variants: made, skus }
  })
const product = fc
  .tuple(fc.record(plain), fc.option(variants, { nil: {} }))
  .map(([fields, children]) => JSON.parse(JSON.stringify({ ...fields, ...children })))

/** Without spaces around texts, which the console's import leaves out of any file. */
const trimmedProduct = product.map((body) =>
  JSON.parse(JSON.stringify(body), (_, value) => (typeof value === 'string' ? value.trim() : value)),
)

/** Every second product gets codes, which must be unique in a shop. */
function withCodes(body: Record<string, unknown>, code: string, n: number) {
  return n % 2 === 0 ? body : { ...body, itemSku: `${code}-${n}`, barcode: `b${code}-${n}` }
}

describe('G-37 GET products/export', () => {
  it('200 with only the products of `ids`, none of another shop; 400 for a malformed id', async () => {
    const [partner, other] = [await makeShop(running), await makeShop(running)]
    const [one, , three] = await Promise.all(
      ['Nón', 'Quạt', 'Đèn'].map((name) => partner.post(PRODUCTS, newProduct({ name }))),
    )
    const foreign = await other.post(PRODUCTS, newProduct({ name: 'Áo' }))
    const ids = [one, three, foreign].map((made) => made!.body.data.id).join()
    expect(
      linesOf(await exported(partner, `ids=${ids}`))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Nón', 'Đèn'])
    expect((await partner.get(`${PRODUCTS}/export?ids=x`)).status).toBe(400)
  })

  it('200 with a CSV file: byte order mark, CRLF, a line a SKU with the product’s columns on each', async () => {
    const partner = await makeShop(running)
    const categoryId = await insertCategory(running, partner.shopId, 'Áo > quần')
    await partner.post(PRODUCTS, newProduct({ ...twoByTwo(), categoryId, description: '=HYPERLINK("x")' }))
    await partner.post(PRODUCTS, newProduct({ name: 'Nón', images: ['https://a/1', 'https://a/2'] }))
    const answer = await partner.get(`${PRODUCTS}/export`)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="products-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const file = answer.body as string
    expect(file.startsWith('\ufeff"productId","slug",')).toBe(true)
    expect(file.split('\r\n')).toHaveLength(1 + 5 + 1)
    const lines = linesOf(file)
    expect(lines[3]).toMatchObject({
      name: 'Áo thun',
      slug: 'ao-thun',
      category: 'Áo \\> quần',
      description: '\'=HYPERLINK("x")',
      price: '100000',
      skuName: 'Xanh L',
      skuPrice: '130000',
      skuOriginPrice: '150000',
      skuCode: 'XL',
      option1Name: 'Màu',
      option1Value: 'Xanh',
      option2Name: 'Cỡ',
      option2Value: 'L',
    })
    expect(lines[4]).toMatchObject({
      name: 'Nón',
      images: 'https://a/1\nhttps://a/2',
      skuName: '',
      skuId: '',
    })
  })

  it('every product once over several chunks, retired ones left out, and only what the filters let', async () => {
    const partner = await makeShop(running)
    const file = Array.from({ length: 701 }, (_, n) => `Trà ${n},${n},T${n}`)
    await importFile(partner, `name,price,itemSku\n${file.join('\n')}`)
    const listed = (await partner.get(`${PRODUCTS}?limit=1&search=T700`)).body.data.products
    await partner.call('DELETE', `${PRODUCTS}/${listed[0]._id}`)
    const lines = linesOf(await exported(partner))
    expect(lines.map(({ itemSku }) => itemSku)).toEqual(Array.from({ length: 700 }, (_, n) => `T${n}`))
    const narrow = 'search=T69&minPrice=600&maxPrice=695.5'
    expect(linesOf(await exported(partner, narrow)).map(({ price }) => price)).toEqual([
      '690',
      '691',
      '692',
      '693',
      '694',
      '695',
    ])
    const { products, meta } = (await partner.get(`${PRODUCTS}?search=tra%2011`)).body.data
    expect(products.length).toBeGreaterThan(1)
    expect(linesOf(await exported(partner, 'search=tra%2011'))).toHaveLength(meta.total)
    await stockedSku(partner, 9, 'Trà đủ')
    await stockedSku(partner, 8, 'Trà sắp hết')
    const low = linesOf(await exported(partner, 'search=tra&stockAtMost=8')).map(({ name }) => name)
    expect(low).toHaveLength(701)
    expect(low).toContain('Trà sắp hết')
  })

  it('odd texts: imported into the same shop nothing changes, into an empty one the same products are made', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(product, { minLength: 1, maxLength: 5 }), async (bodies) => {
        run += 1
        const partner = await makeShop(running)
        for (const [n, body] of bodies.entries()) {
          const made = await partner.post(PRODUCTS, withCodes(body, `c${run}`, n))
          expect(made.status).toBe(200)
        }
        const file = await exported(partner)
        const before = await catalogueRows(partner)
        expect(await importFile(partner, file)).toMatchObject({
          status: 'done',
          unchanged: bodies.length,
          updated: 0,
          created: 0,
        })
        expect(await catalogueRows(partner)).toEqual(before)

        const empty = await makeShop(running)
        expect(await importFile(empty, file)).toMatchObject({
          status: 'done',
          created: bodies.length,
          failed: 0,
        })
        expect(await catalogueOf(empty)).toEqual(await catalogueOf(partner))
        expect(await importFile(empty, file)).toMatchObject({ status: 'done', unchanged: bodies.length })
      }),
      { numRuns: 10 },
    )
  }, 180_000)

  it('G-121 200 for people: headings and states in words, first what they look for, with the stock in all warehouses', async () => {
    const partner = await makeShop(running)
    const categoryId = await insertCategory(running, partner.shopId, 'Áo')
    const { skus } = (await partner.post(PRODUCTS, newProduct({ ...twoByTwo(), categoryId }))).body.data
    const warehouseId = await makeWarehouse(partner)
    await enter(partner, 'receive', [[skus[0]._id, 3]])
    await enter(partner, 'receive', [[skus[0]._id, 4]], { warehouseId })
    await placeOrder(partner, skus[0]._id, 2)
    await partner.post(PRODUCTS, newProduct({ name: '=Nón', status: 'inactive', barcode: '0012' }))
    await stockedSku(partner, 5, 'Quạt')

    const lines = linesOf(await exported(partner, 'labels=vi'))
    expect(Object.keys(lines[0]!)).toEqual(
      [
        'Tên sản phẩm,Mã sản phẩm,Mã vạch,Danh mục,Trạng thái,Giá bán,Giá so sánh,Tồn kho,Khả dụng,Tên phiên bản,Mã phiên bản',
        'Mã vạch phiên bản,Giá phiên bản,Giá so sánh của phiên bản,Tên nhóm lựa chọn 1,Lựa chọn của nhóm 1,Tên nhóm lựa chọn 2',
        'Lựa chọn của nhóm 2,VAT (%),Tên khác,Hình ảnh,Mô tả,Đường dẫn,"ID sản phẩm, xin giữ nguyên","ID phiên bản, xin giữ nguyên"',
      ].flatMap((part) => parse(part)[0]),
    )
    expect(lines[0]).toMatchObject({
      'Tên sản phẩm': 'Áo thun',
      'Danh mục': 'Áo',
      'Trạng thái': 'Đang bán',
      'Tồn kho': '7',
      'Khả dụng': '5',
      'Tên nhóm lựa chọn 1': 'Màu',
      'ID phiên bản, xin giữ nguyên': skus[0]._id,
    })
    expect(lines.map((line) => line['Tồn kho'])).toEqual(['7', '0', '0', '0', '0', '5'])
    expect(lines[4]).toMatchObject({
      'Tên sản phẩm': "'=Nón",
      'Trạng thái': 'Ngừng kinh doanh',
      'Mã vạch': '0012',
    })
    expect(linesOf(await exported(partner, 'labels=en'))[0]).toMatchObject({
      'Product name': 'Áo thun',
      Status: 'On sale',
      Stock: '7',
      Available: '5',
      'Name of option group 1': 'Màu',
    })
    expect(Object.keys(linesOf(await exported(partner))[0]!)).not.toContain('quantity')
    const { status, body } = await partner.get(`${PRODUCTS}/export?labels=de`)
    expect([status, body.validation?.query.keys]).toEqual([400, ['labels']])
  })

  it('G-121 for people, read by the console’s import and imported into the same shop, nothing changes', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(trimmedProduct, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('vi', 'en'),
        async (bodies, language) => {
          run += 1
          const partner = await makeShop(running)
          const warehouseId = await makeWarehouse(partner)
          for (const [n, body] of bodies.entries()) {
            const made = (await partner.post(PRODUCTS, withCodes(body, `p${run}`, n))).body.data
            await enter(partner, 'receive', [[made.skus[0]._id, n + 1]], { warehouseId })
          }
          const file = new File([await exported(partner, `labels=${language}`)], 'a.csv')
          const [header] = parse(await file.text(), { bom: true }) as string[][]
          const { mapping, isCertain } = guessMapping(header!)
          expect(isCertain).toBe(true)
          const converted = await convertFile(file, mapping)
          expect(converted).toMatchObject({ changedStocks: 0, skippedStocks: 0, units: 0 })
          const before = await catalogueRows(partner)
          expect(await importFile(partner, await converted.file.text())).toMatchObject({
            status: 'done',
            unchanged: bodies.length,
            updated: 0,
            created: 0,
            failed: 0,
            stocked: 0,
          })
          expect(await catalogueRows(partner)).toEqual(before)
        },
      ),
      { numRuns: 10 },
    )
  }, 180_000)

  it('what lies in stock, in orders and in hidden variants stays as it is too', async () => {
    const partner = await makeShop(running)
    const made = await partner.post(PRODUCTS, newProduct({ ...twoByTwo() }))
    const { _id, skus } = made.body.data
    await partner.post('/api/external/v1/inventory/entries', {
      type: 'receive',
      items: [{ skuId: skus[0]._id, quantity: 3 }],
    })
    await partner.put(`${PRODUCTS}/${_id}/variants`, {
      variants: [{ id: 'm', name: 'Màu', options: [{ id: 'x', value: 'Xanh' }] }],
      skus: [{ name: 'Xanh', price: 5, variantOptionIds: ['x'] }],
    })
    const before = await catalogueRows(partner)
    expect(await importFile(partner, await exported(partner))).toMatchObject({ unchanged: 1, updated: 0 })
    expect(await catalogueRows(partner)).toEqual(before)
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from skus where shop_id = ${partner.shopId} and not is_active`.execute(db)
    expect(rows[0]?.n).toBe(1)
  })
})
