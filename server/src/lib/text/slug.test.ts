import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slugify } from './slug.ts'

describe('E16 slug rules', () => {
  it.each([
    ['Khuyến mãi Tết Đinh Dậu!', 'khuyen-mai-tet-dinh-dau'],
    ['Khuyến mãi'.normalize('NFD'), 'khuyen-mai'],
    ['--a  &  b__c--', 'a-b-c'],
    ['50% OFF', '50-off'],
    ['日本', ''],
    ['!!!', ''],
    ['', ''],
  ])('%j becomes %j', (text, slug) => {
    expect(slugify(text)).toBe(slug)
  })

  it('a long slug is cut between words', () => {
    expect(slugify('abcdefghi '.repeat(20))).toBe(`${'abcdefghi-'.repeat(14)}abcdefghi`)
    expect(slugify(`${'a'.repeat(100)} ${'b'.repeat(49)} c`)).toBe(`${'a'.repeat(100)}-${'b'.repeat(49)}`)
  })

  it('a long slug of one word is cut inside it', () => {
    expect(slugify('a'.repeat(200))).toBe('a'.repeat(150))
  })

  it('any text gives words of a-z and 0-9 joined by single hyphens, and a slug is its own slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const slug = slugify(text)
        expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/)
        expect(slug.length).toBeLessThanOrEqual(150)
        expect(slugify(slug)).toBe(slug)
      }),
    )
  })
})
