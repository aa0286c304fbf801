import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '../src/csv.ts'
import { guessMapping } from '../src/screens/products/import/columns.ts'
import { convertFile } from '../src/screens/products/import/convert-file.ts'

/** The lines that the service gets for a file, each without its empty cells, and what is said of the rows. */
async function convert(lines: string[]) {
  const text = lines.join('\r\n')
  const { file, ...found } = await convertFile(
    new File([text], 'a.csv'),
    guessMapping(lines[0]!.split(';')).mapping,
  )
  const [header = [], ...rows] = parseCsv(await file.text())
  const cells = rows.map((row) =>
    Object.fromEntries(header.flatMap((column, at) => (row[at] === '' ? [] : [[column, row[at]]]))),
  )
  return { cells, found }
}

describe('G-37 lines of another program that are variants', () => {
  it('of KiotViet become one product by the related code, wherever they stand, each with the number of its line', async () => {
    const { cells, found } = await convert([
      'Nhóm hàng(3 Cấp);Mã hàng;Mã vạch;Tên hàng;Giá bán;Giá vốn;Tồn kho;ĐVT;Mã ĐVT Cơ bản;Quy đổi;Thuộc tính;Mã HH Liên quan;Đang kinh doanh',
      'Áo;SP1;893001;Áo thun - Đỏ - L;150.000;90.000;3;Cái;;1;MÀU:Đỏ|CỠ:L;;0',
      'Nước;SP5;893005;Nước suối;6.000;4.000;120;Chai;sp5;1;;;1',
      'Áo;SP2;893002;Áo thun - Đỏ - M;155.000;90.000;-1;Cái;;1;MÀU:Đỏ|CỠ:M;SP1;1',
      'Nước;SP6;;Nước suối;140.000;96.000;5;Thùng;SP5;24;;;1',
    ])
    expect(cells).toEqual([
      {
        line: '2',
        productKey: 'code sp1',
        name: 'Áo thun',
        price: '150000',
        category: 'Áo',
        status: 'active',
        skuName: 'Đỏ / L',
        skuPrice: '150000',
        skuCode: 'SP1',
        skuBarcode: '893001',
        openingStock: '3',
        unitCost: '90000',
        option1Name: 'MÀU',
        option1Value: 'Đỏ',
        option2Name: 'CỠ',
        option2Value: 'L',
      },
      {
        line: '4',
        productKey: 'code sp1',
        skuName: 'Đỏ / M',
        skuPrice: '155000',
        skuCode: 'SP2',
        skuBarcode: '893002',
        openingStock: '0',
        unitCost: '90000',
        option1Name: 'MÀU',
        option1Value: 'Đỏ',
        option2Name: 'CỠ',
        option2Value: 'M',
      },
      {
        line: '3',
        name: 'Nước suối',
        price: '6000',
        itemSku: 'SP5',
        barcode: '893005',
        category: 'Nước',
        status: 'active',
        openingStock: '120',
        unitCost: '4000',
      },
      // Its pieces are in the stock of SP5 already.
      {
        line: '5',
        name: 'Nước suối (Thùng)',
        price: '140000',
        itemSku: 'SP6',
        category: 'Nước',
        status: 'active',
        unitCost: '96000',
      },
    ])
    expect(found).toMatchObject({ variants: { rows: 2, products: 1 }, units: 1, changedStocks: 1 })
  })

  it('of Sapo become one product by its name, which only the first line has, as it alone has the names of options', async () => {
    const { cells, found } = await convert([
      'Tên sản phẩm*;Thuộc tính 1(Option1 Name);Giá trị thuộc tính 1(Option1 Value);Mã SKU;Giá bán',
      'Nón;;;N1;50.000',
      'Dép;Cỡ;36;D36;80.000',
      ';;37;D37;85.000',
      'Guốc;Cỡ;38;G38;95.000',
    ])
    expect(cells).toEqual([
      { line: '2', name: 'Nón', price: '50000', itemSku: 'N1' },
      {
        line: '3',
        productKey: 'name dep',
        name: 'Dép',
        price: '80000',
        skuName: '36',
        skuPrice: '80000',
        skuCode: 'D36',
        option1Name: 'Cỡ',
        option1Value: '36',
      },
      {
        line: '4',
        productKey: 'name dep',
        skuName: '37',
        skuPrice: '85000',
        skuCode: 'D37',
        option1Name: 'Cỡ',
        option1Value: '37',
      },
      {
        line: '5',
        productKey: 'name guoc',
        name: 'Guốc',
        price: '95000',
        skuName: '38',
        skuPrice: '95000',
        skuCode: 'G38',
        option1Name: 'Cỡ',
        option1Value: '38',
      },
    ])
    expect(found).toMatchObject({ variants: { rows: 3, products: 2 }, units: 0 })
  })

  it('with a product id or slug of the service stay as they are', async () => {
    const { cells, found } = await convert([
      'name;slug;price;skuPrice;option1Name;option1Value',
      'Áo;ao;1;2;Cỡ;S',
      ';ao;;3;Cỡ;M',
    ])
    expect(cells).toEqual([
      { line: '2', name: 'Áo', slug: 'ao', price: '1', skuPrice: '2', option1Name: 'Cỡ', option1Value: 'S' },
      { line: '3', slug: 'ao', skuPrice: '3', option1Name: 'Cỡ', option1Value: 'M' },
    ])
    expect(found.variants).toEqual({ rows: 0, products: 0 })
  })

  it('lose only their own options from the name, and may have an attribute without a name', async () => {
    const { cells } = await convert([
      'Tên hàng;Giá;Mã hàng;Thuộc tính;Mã hàng liên quan',
      'Trà - Sen - Huế;9;T1;Huế;',
      'Đỏ - L;9;T2;A:Đỏ|B:L;',
    ])
    expect(cells.map(({ name, skuName, option1Name }) => [name, skuName, option1Name])).toEqual([
      ['Trà - Sen', 'Huế', 'Thuộc tính'],
      ['Đỏ', 'Đỏ / L', 'A'],
    ])
  })

  it('are each one line, next to those of their product, in whatever order the file has them', async () => {
    const row = fc.record({ product: fc.constantFrom('A', 'B', 'C'), isVariant: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        const { cells, found } = await convert([
          'Tên hàng;Giá;Mã hàng;Thuộc tính;Mã hàng liên quan',
          ...rows.map(({ product, isVariant }, at) =>
            isVariant ? `${product};1;${product}${at};Cỡ:${at};${product}` : `${product};1;${product}${at};;`,
          ),
        ])
        expect(cells.map(({ line }) => Number(line)).toSorted((a, b) => a - b)).toEqual(
          rows.map((_, at) => at + 2),
        )
        // Of a product without variants each line is one of its own.
        const keys = cells.map(({ productKey, line }) => productKey ?? line)
        const begun = keys.filter((key, at) => key !== keys[at - 1])
        expect(new Set(begun).size).toBe(begun.length)
        for (const { line, productKey, skuCode, itemSku } of cells) {
          const { product, isVariant } = rows[Number(line) - 2]!
          const code = `${product}${Number(line) - 2}`
          expect([productKey, skuCode, itemSku]).toEqual(
            isVariant ? [`code ${product.toLowerCase()}`, code, undefined] : [undefined, undefined, code],
          )
        }
        const variants = rows.filter(({ isVariant }) => isVariant)
        const products = new Set(variants.map(({ product }) => product)).size
        expect(found.variants).toEqual({ rows: variants.length, products })
      }),
    )
  })
})
