import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knownAgain } from '../src/components/concurrent-edits/compare.ts'

const FIELDS = ['name', 'price', 'note'] as const
const values = fc.record({
  name: fc.constantFrom('a', 'b'),
  price: fc.constantFrom(1, 2),
  note: fc.constantFrom(null, 'x'),
})

describe('what a form restored after a reload is based on', () => {
  it('a field in which the record now has what was typed is saved; every other one is as it was known', () => {
    fc.assert(
      fc.property(values, values, values, (known, typed, loaded) => {
        const { version, values: base } = knownAgain(
          { version: 1, values: known },
          typed,
          { version: 2, values: loaded },
          {},
        )
        for (const field of FIELDS)
          expect(base[field]).toBe(loaded[field] === typed[field] ? loaded[field] : known[field])
        const isOthers = FIELDS.some(
          (field) => loaded[field] !== known[field] && loaded[field] !== typed[field],
        )
        expect(version).toBe(isOthers ? 1 : 2)
      }),
    )
  })

  it('by what counts of a field: two texts that are drawn the same are one', () => {
    const essence = { note: (note: string) => note.trim() }
    const again = knownAgain(
      { version: 1, values: { note: 'x' } },
      { note: 'y ' },
      { version: 2, values: { note: 'y' } },
      essence,
    )
    expect(again).toEqual({ version: 2, values: { note: 'y' } })
  })
})
