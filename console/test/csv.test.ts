import { describe, expect, it } from 'vitest'
import { parseCsv, readCsv, readText, writeCsv } from '../src/csv.ts'

describe('CSV', () => {
  it('reads fields with separators, line breaks and doubled quotes in quotes', () => {
    expect(parseCsv('phone,note\r\n0912,"a, ""b""\r\nc"\r\n')).toEqual([
      ['phone', 'note'],
      ['0912', 'a, "b"\r\nc'],
    ])
  })

  it('leaves out a byte order mark and empty rows, and keeps empty fields', () => {
    expect(parseCsv('\uFEFFa,b,c\n\n,,\n1,,\n')).toEqual([
      ['a', 'b', 'c'],
      ['1', '', ''],
    ])
  })

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['commas', ','],
  ])('reads %s as separators, whatever the values hold', (_, separator) => {
    const other = separator === ',' ? ';' : ','
    expect(parseCsv(`"a${other}${other}${other}x"${separator}b\r1${other}2${separator}3`)).toEqual([
      [`a${other}${other}${other}x`, 'b'],
      [`1${other}2`, '3'],
    ])
  })

  it('says at which line a row begins, and counts empty lines and line breaks in quotes', () => {
    const read = [...readCsv('a,b\r\n\r\n1,"2\n3"\r\n4,5')]
    expect(read.map(({ row, line }) => [line, row])).toEqual([
      [1, ['a', 'b']],
      [2, ['']],
      [3, ['1', '2\n3']],
      [5, ['4', '5']],
    ])
  })

  it('says which row has a quote that is never closed', () => {
    const open = (text: string) => [...readCsv(text)].map(({ line, isUnclosed }) => [line, isUnclosed])
    expect(open('a,b\n1,"2"\n3,"4\n5,6\n')).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
    expect(open('a\n"1""2"')).toEqual([
      [1, false],
      [2, false],
    ])
  })

  it('takes the separator that Excel names in a line of its own, which is no row', () => {
    for (const end of ['\n', '\r\n']) {
      const read = [...readCsv(`\uFEFFsep=;${end}a;b,c${end}1;2`)]
      expect(read.map(({ row, line }) => [line, row])).toEqual([
        [2, ['a', 'b,c']],
        [3, ['1', '2']],
      ])
    }
    expect(parseCsv('sep=|\na|b;c')).toEqual([['a', 'b;c']])
  })

  it('reads a file without an end of line, one quote that is never closed, and an empty one', () => {
    expect(parseCsv('a,b\n1,"2\n3')).toEqual([
      ['a', 'b'],
      ['1', '2\n3'],
    ])
    expect(parseCsv('')).toEqual([])
    expect(parseCsv('12" pipe,b')).toEqual([['12" pipe', 'b']])
  })

  it('reads back what it wrote', () => {
    const rows = [
      ['Đặng "Mười"', 'a,b;c\td', ' x '],
      ['dòng 1\ndòng 2', '', '0'],
    ]
    expect(parseCsv(writeCsv(rows))).toEqual(rows)
  })

  it('decodes UTF-8 and UTF-16 of both byte orders', async () => {
    expect(await readText(new Blob([new Uint8Array([0xfe, 0xff, 0, 0x54, 0, 0xea, 0, 0x6e])]))).toBe('Tên')
    expect(await readText(new Blob(['Tên']))).toBe('Tên')
    expect(await readText(new Blob([new Uint8Array([0xff, 0xfe, 0x54, 0, 0xea, 0, 0x6e, 0])]))).toBe('Tên')
  })
})
