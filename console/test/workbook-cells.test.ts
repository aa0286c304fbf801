import { describe, expect, it } from 'vitest'
import { parseCsv } from '../src/csv.ts'
import { readCell } from '../src/screens/products/import/read-cell.ts'
import { cellText, csvOfSheets } from '../src/workbook/cells.ts'

describe('the cells of a workbook as text', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    [' SP01 ', ' SP01 '],
    [8934563138165, '8934563138165'],
    [0.5, '0.5'],
    [20333.333333, '20333.333333'],
    [true, 'true'],
    [new Date(Date.UTC(1990, 10, 24)), '24/11/1990'],
    [new Date(Date.UTC(2026, 0, 2, 9, 5)), '02/01/2026 09:05'],
  ])('%s is %j', (cell, text) => {
    expect(cellText(cell)).toBe(text)
  })

  it('a number with three digits after the point is never read as thousands', () => {
    expect(cellText(333.333)).toBe('333.3330')
    expect(readCell('unitCost', cellText(333.333))).toBe('333')
    expect(readCell('price', cellText(1.125))).toBe('1.1250')
  })

  it('the first sheet that has rows is the CSV, with its cells in quotes where they need them', () => {
    const sheets = [
      { rows: [] },
      { rows: [[null, ' '], []] },
      {
        rows: [
          ['Tên', 'Giá'],
          ['Nón, lá\n"Huế"', 1000],
          [null, 2],
        ],
      },
      { rows: [['another sheet']] },
    ]
    expect(parseCsv(csvOfSheets(sheets))).toEqual([
      ['Tên', 'Giá'],
      ['Nón, lá\n"Huế"', '1000'],
      ['', '2'],
    ])
    expect(csvOfSheets([{ rows: [] }])).toBe('')
  })
})
