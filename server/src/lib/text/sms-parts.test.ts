import { describe, expect, it } from 'vitest'
import { smsSize } from './sms-parts.ts'

describe('the parts of an SMS', () => {
  it.each([
    ['nothing', '', 'gsm7', 0, 1],
    ['160 plain letters', 'a'.repeat(160), 'gsm7', 160, 1],
    ['one more', 'a'.repeat(161), 'gsm7', 161, 2],
    ['two full parts', 'a'.repeat(306), 'gsm7', 306, 2],
    ['and one more', 'a'.repeat(307), 'gsm7', 307, 3],
    ['a character of the extension counts twice', '€'.repeat(80), 'gsm7', 160, 1],
    ['70 letters with an accent', 'ệ'.repeat(70), 'ucs2', 70, 1],
    ['71', 'ệ'.repeat(71), 'ucs2', 71, 2],
    ['two full parts of them', 'ệ'.repeat(134), 'ucs2', 134, 2],
    ['and one more of them', 'ệ'.repeat(135), 'ucs2', 135, 3],
    ['one accent in a plain text', `${'a'.repeat(70)}ệ`, 'ucs2', 71, 2],
  ] as const)('%s', (_name, text, alphabet, length, parts) => {
    expect(smsSize(text)).toEqual({ alphabet, length, parts })
  })

  it('what takes two units is not divided between parts', () => {
    // 152 units, then a character of two units: it begins the second part, which then has 153.
    expect(smsSize(`${'a'.repeat(152)}€${'a'.repeat(151)}`)).toEqual({
      alphabet: 'gsm7',
      length: 305,
      parts: 2,
    })
    expect(smsSize(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toEqual({
      alphabet: 'gsm7',
      length: 306,
      parts: 3,
    })
    expect(smsSize(`${'ệ'.repeat(66)}😀${'ệ'.repeat(66)}`)).toEqual({
      alphabet: 'ucs2',
      length: 134,
      parts: 3,
    })
  })
})
