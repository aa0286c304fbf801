import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLines, csvPieces, readCell, safeCell } from './csv.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom("'", ' ', '\u200b', '=', '+', '-', '@', '\t', '\r', '\n', '＝', '"', ',', 'a', 'é'),
  }),
)

describe('csv', () => {
  it.each(['=1', '+1', '-1', '@a', '\t=1', '\r=1', '＝1', ' =1', '\u200b=1', '\ufeff\u2060@a'])(
    '%j is no formula',
    (formula) => {
      expect(safeCell(formula)).toBe(`'${formula}`)
      expect(readCell(safeCell(formula))).toBe(formula)
    },
  )

  it('an apostrophe of the text’s own stays', () => {
    expect(safeCell("'tis")).toBe("'tis")
    expect(safeCell("'=1")).toBe("''=1")
    expect(readCell("'tis")).toBe("'tis")
  })

  it('every text comes back as it was, through a file too', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
        const file = csvLines(
          ['a', 'b'],
          rows.map(([a, b]) => ({ a, b })),
          { header: true },
        )
        const read = parse(file, { bom: true, from: 2 }) as string[][]
        expect(read.map((cells) => cells.map(readCell))).toEqual(rows)
        expect(read.flat().filter((cell) => /^[\s\u200b\ufeff]*[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([])
      }),
    )
  })

  it('in pieces it is the same file, whatever the lengths of the lines', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 150_000 }), { maxLength: 12 })
    fc.assert(
      fc.property(lengths, (ofTexts) => {
        const lines = ofTexts.map((length, n) => ({ a: n, b: '"'.repeat(length) }))
        const pieces = [...csvPieces(['a', 'b'], lines, { header: true })]
        expect(pieces.join('')).toBe(csvLines(['a', 'b'], lines, { header: true }))
        for (const piece of pieces) expect(piece.length).toBeLessThan(2 * 200_000 + 100)
      }),
      { numRuns: 20 },
    )
  })
})
