import { describe, expect, it } from 'vitest'
import { ERASED } from '../../lib/text/erased.ts'
import { spellingsOf } from './rules.ts'

const { eraseInText, eraseInJson } = spellingsOf('84912345678')

describe('G-78 the spellings of a number', () => {
  it.each([
    '0912345678',
    '84912345678',
    '+84912345678',
    '0084912345678',
    '912345678',
    '0912 345 678',
    '0912.345.678',
    '+84 (0) 912-345-678',
    '(+84) 912 345 678',
    '０９１２３４５６７８',
  ])('%s is erased, alone and within a sentence', (spelling) => {
    expect(eraseInText(spelling)).not.toMatch(/[0-9０-９]/)
    expect(eraseInText(`SĐT${spelling}, gọi trước 8h`)).toMatch(/^SĐT\(?\[erased\], gọi trước 8h$/)
  })

  it.each(['09123456789', '10912345678', '0912345679', 'a912345678f', '9123 4567'])(
    '%s is another number or an id, and stays',
    (other) => {
      expect(eraseInText(other)).toBe(other)
    },
  )

  it('is erased in the strings, keys and numbers of JSON, whose other numbers stay to the digit', () => {
    const json =
      '{"a": "gọi 0912345678", "0912345678": 1, "n": 84912345678, "fee": 912345678, "id": 1234567890123456789}'
    expect(eraseInJson(json)).toBe(
      `{"a": "gọi ${ERASED}", "${ERASED}": 1, "n": "${ERASED}", "fee": 912345678, "id": 1234567890123456789}`,
    )
  })

  it('of another country is erased with + and 00 and bare', () => {
    const { eraseInText: erase } = spellingsOf('12025550123')
    expect(erase('+1 202 555 0123, 0012025550123, 12025550123')).toBe(`${ERASED}, ${ERASED}, ${ERASED}`)
  })
})
