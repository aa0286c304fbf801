import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold as foldOfService } from '../../server/src/lib/text/fold.ts'
import { slugify as slugOfService } from '../../server/src/lib/text/slug.ts'
import { slugify } from '../src/screens/news/slug.ts'
import { fold } from '../src/texts/fold.ts'

it('text is folded as the service does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(fold(text)).toBe(foldOfService(text))
    }),
  )
  expect(fold(' Đà\u200b  Lạt\u0000')).toBe('da lat')
})

describe('the slug that is shown before an article is saved', () => {
  it.each([
    'Khai Trương & 2 ☕',
    'Khuyến mãi'.normalize('NFD'),
    'a\u200bb \u00ad– c',
    'İstanbul ẞ K',
    '日本',
    'từ '.repeat(80),
  ])('is the one that the service makes of %j', (text) => expect(slugify(text)).toBe(slugOfService(text)))

  it('is the one that the service makes of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(slugify(text)).toBe(slugOfService(text))
      }),
    )
  })
})
