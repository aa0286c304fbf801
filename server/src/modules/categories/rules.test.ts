import { describe, expect, it } from 'vitest'
import { assertPlace, MAX_LEVELS, nextSlugBase, parentIdOf, slugBase } from './rules.ts'

const id = (n: number) => n.toString(16).padStart(24, '0')
const line = (n: number) => Array.from({ length: n }, (_, at) => id(at + 1))

describe('G-37 where a category may hang', () => {
  it('as deep as the levels allow, counting those it brings', () => {
    expect(() => assertPlace({ id: id(99), levels: 1 }, line(MAX_LEVELS - 1))).not.toThrow()
    expect(() => assertPlace({ id: id(99), levels: 2 }, line(MAX_LEVELS - 1))).toThrow(/deeper than 5 levels/)
    expect(() => assertPlace({ id: id(99), levels: 1 }, line(MAX_LEVELS))).toThrow(/deeper/)
  })

  it('never below itself, nor below a parent that does not exist', () => {
    expect(() => assertPlace({ id: id(2), levels: 1 }, line(3))).toThrow(/itself or one of its subcategories/)
    expect(() => assertPlace({ id: id(9), levels: 1 }, [])).toThrow(/is not a category/)
    expect(() => parentIdOf('x')).toThrow(/is not a category/)
    expect([parentIdOf(null), parentIdOf(undefined), parentIdOf('A'.repeat(24))]).toEqual([
      null,
      undefined,
      'a'.repeat(24),
    ])
  })
})

describe('G-37 slugs of categories', () => {
  it('come from the slug sent, else from the name, and are never empty', () => {
    expect([slugBase('Đồ Uống!', 'x'), slugBase('', 'Trà sữa'), slugBase('!', '茶')]).toEqual([
      'do-uong',
      'tra-sua',
      'category',
    ])
  })

  it('are kept by a change that names no other', () => {
    expect([nextSlugBase(undefined, 'a'), nextSlugBase('', 'a'), nextSlugBase('A', 'a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(nextSlugBase('B', 'a')).toBe('b')
  })
})
