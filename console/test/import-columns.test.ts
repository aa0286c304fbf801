import { describe, expect, it } from 'vitest'
import { exportsEn } from '../../server/src/texts/exports-en.ts'
import { exportsVi } from '../../server/src/texts/exports-vi.ts'
import { readText } from '../src/csv.ts'
import { chosenTwice, guessMapping } from '../src/screens/products/import/columns.ts'
import { convertFile, NotUtf8, readBeginning } from '../src/screens/products/import/convert-file.ts'
import { importTexts } from '../src/screens/products/import/import-texts.ts'
import { readCell } from '../src/screens/products/import/read-cell.ts'

const mappingOf = (header: string) => guessMapping(header.split(';')).mapping

describe('the columns of a file of products', () => {
  it.each(['vi', 'en'] as const)(
    'are recognised by the names that the screen in %s gives them',
    (language) => {
      const { productId, skuId, ...fields } = importTexts[language].fields
      expect(guessMapping(Object.values(fields)).mapping).toEqual(Object.keys(fields))
    },
  )

  it.each([exportsVi, exportsEn])(
    'G-121 are recognised by the headings of an export for people, its stock skipped, without a question',
    ({ products: { quantity, available, ...fields }, productOptions: { name, value } }) => {
      const header = [quantity, ...Object.values(fields), `${name} 2`, `${value} 2`, available]
      const columns = [null, ...Object.keys(fields), 'option2Name', 'option2Value', null]
      expect(guessMapping(header)).toEqual({ mapping: columns, isCertain: true })
      // Without the ids of products it is another file.
      expect(guessMapping([fields.name, fields.price, quantity]).mapping[2]).toBe('openingStock')
      expect(guessMapping(['ID sản phẩm', 'Product ID', 'Mã sản phẩm']).mapping).not.toContain('productId')
    },
  )

  it('are guessed from what shops and other programs call them', () => {
    expect(
      mappingOf(
        'Loại hàng;Nhóm hàng(3 Cấp);Mã hàng;Mã vạch;Tên hàng;Giá bán;Giá vốn;Tồn kho;Đang kinh doanh',
      ),
    ).toEqual([null, 'category', 'itemSku', 'barcode', 'name', 'price', 'unitCost', 'openingStock', 'status'])
    expect(mappingOf('SKU;Product Name;PRICE (VND);Compare-at price;Category;Qty')).toEqual([
      'itemSku',
      'name',
      'price',
      'originPrice',
      'category',
      'openingStock',
    ])
    expect(mappingOf('Tên;Tồn nhỏ nhất;Tồn kho tối thiểu;Giá trị tồn kho;Số lượng đã bán')).toEqual([
      'name',
      null,
      null,
      null,
      null,
    ])
    expect(mappingOf('TEN HANG HOA;Giá bán lẻ;Giá bán sỉ;option1Name;option1Value')).toEqual([
      'name',
      'price',
      null,
      'option1Name',
      'option1Value',
    ])
  })

  it('are certain only if every heading is a usual name and no two are the same', () => {
    const isCertain = (header: string) => guessMapping(header.split(';')).isCertain
    expect(isCertain('Tên sản phẩm;Giá bán;Mã vạch;Danh mục;')).toBe(true)
    expect(isCertain('Tên sản phẩm;Giá bán;Ghi chú riêng')).toBe(false)
    expect(isCertain('Tên;Giá;Giá bán')).toBe(false)
    expect(isCertain('Tên hàng theo hãng;Giá')).toBe(false)
    expect(chosenTwice(['name', null, 'name', null])).toEqual(['name'])
  })
})

describe('a cell', () => {
  it.each([
    ['35.000', '35000'],
    ['35.000 ₫', '35000'],
    ['1.250.000đ', '1250000'],
    ['35,000 VND', '35000'],
    ['35.000,00', '35000'],
    ['35,000.00 VNĐ', '35000'],
    ['35000', '35000'],
    ['35000.00', '35000'],
    ['35.5', '35.5'],
    ['1.25.000', '1.25.000'],
    ['hỏi giá', 'hỏi giá'],
    ['', ''],
  ])('with the price %s is %s', (cell, read) => expect(readCell('price', cell)).toBe(read))

  it.each([
    ['20.333', '20333'],
    ['20333.33', '20333'],
    ['20.333,67', '20334'],
    ['20,333.5 ₫', '20334'],
    ['0,4999', '0'],
    ['20333.4567', '20333'],
    ['1.25.000,5', '1.25.000,5'],
    ['hỏi', 'hỏi'],
  ])('with the cost %s is %s, in whole đồng', (cell, read) => expect(readCell('unitCost', cell)).toBe(read))

  it.each([
    ['1.200', '1200'],
    ['12', '12'],
    ['12,00', '12'],
    ['2.5', '2'],
    ['1.200,75', '1200'],
    ['-2', '0'],
    ['−1.200', '0'],
    ['-0,5', '0'],
    ['2.5.1', '2.5.1'],
    ['--2', '--2'],
  ])('with the stock %s is %s', (cell, read) => expect(readCell('openingStock', cell)).toBe(read))

  it('is read as the service writes a VAT rate, a state, a category and images', () => {
    expect(readCell('vat', '8,5 %')).toBe('8.5')
    expect(readCell('status', 'Ngừng kinh doanh')).toBe('inactive')
    expect(readCell('status', '1')).toBe('active')
    expect(readCell('category', 'Nhà>>Bếp')).toBe('Nhà>Bếp')
    expect(readCell('images', 'https://a/1.png,https://a/2.png')).toBe('https://a/1.png https://a/2.png')
    expect(readCell('barcode', ' 0012 ')).toBe('0012')
  })
})

describe('a converted file', () => {
  it('keeps the line of each row, whatever is skipped', async () => {
    const text = '\uFEFF\r\nTên;Ghi;Giá\r\n"A, ""B""";"x\r\ny";1.000\r\n\r\n;;\r\n"C\r\nD";;2.000\r\nE;;3.000'
    const { file: converted } = await convertFile(new File([text], 'a.b.txt'), ['name', null, 'price'])
    expect(converted.name).toBe('a.b.csv')
    expect(await converted.text()).toBe('line,name,price\n3,"A, ""B""",1000\n7,"C\r\nD",2000\n9,E,3000\n')
  })

  it('keeps surplus cells, which the service refuses, unless they are empty', async () => {
    const { file } = await convertFile(new File(['Tên;Giá\na;1;;\nb;2;;x\nc'], 'a.csv'), ['name', 'price'])
    expect(await file.text()).toBe('line,name,price\n2,a,1\n3,b,2,,x\n4,c,\n')
  })

  it('says of how many rows the stock was below 0 or had a fraction', async () => {
    const text = 'Tên;Tồn\na;-2\nb;2,5\nc;7\nd;\ne;nhiều\nf;1.200,00'
    const { file, changedStocks } = await convertFile(new File([text], 'a.csv'), ['name', 'openingStock'])
    expect(await file.text()).toBe('line,name,openingStock\n2,a,0\n3,b,2\n4,c,7\n5,d,\n6,e,nhiều\n7,f,1200\n')
    expect(changedStocks).toBe(2)
  })

  it('of an export says how many new rows have a stock that is skipped', async () => {
    const header = `"${exportsVi.products.productId}";Tên sản phẩm;Tồn kho;Khả dụng`
    const rows = ['6b0da5d0a09fe40270000001;a;3;2', ';b;4;4', ';c;0;0', ';d;;', ';e;;1']
    const { mapping } = guessMapping(['ID sản phẩm, xin giữ nguyên', 'Tên sản phẩm', 'Tồn kho', 'Khả dụng'])
    const file = new File([[header, ...rows].join('\n')], 'a.csv')
    const converted = await convertFile(file, mapping)
    expect(converted.skippedStocks).toBe(2)
    expect((await converted.file.text()).split('\n').slice(0, 2)).toEqual([
      'line,productId,name',
      '2,6b0da5d0a09fe40270000001,a',
    ])
    const chosen = await convertFile(file, ['productId', 'name', 'openingStock', null])
    expect(chosen.skippedStocks).toBe(0)
  })

  it('is also read from UTF-16, but not from text that is neither', async () => {
    const utf16 = new Blob([
      Uint8Array.of(0xff, 0xfe),
      new Uint8Array(Uint16Array.from('Tên\tGiá\nÁo\t1', (c) => c.charCodeAt(0)).buffer),
    ])
    expect(await readBeginning(utf16)).toEqual({
      header: ['Tên', 'Giá'],
      rows: [['Áo', '1']],
      isCommas: false,
    })
    const latin = new File([Uint8Array.of(0x54, 0xea, 0x6e)], 'a.csv')
    await expect(readBeginning(latin)).rejects.toThrow(NotUtf8)
    await expect(convertFile(latin, ['name'])).rejects.toThrow(NotUtf8)
  })

  it('is read as a whole, with letters across the pieces that it is read in', async () => {
    const text = `Tên\n${'ế'.repeat(1_000_000)}`
    expect(await readText(new Blob([text]))).toBe(text)
  })
})
