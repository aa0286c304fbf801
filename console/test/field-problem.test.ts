import { describe, expect, it } from 'vitest'
import { fieldProblem, ownProblem } from '../src/texts/field-problem.ts'

describe('what the API says of a field in English', () => {
  it.each([
    ['"price" must be a number', '"price" phải là số', 'Phải là số'],
    ['"name" is not allowed to be empty', '"name" không được để trống', 'Không được để trống'],
    ['"params.ten" is required', '"params.ten" là bắt buộc', 'Là bắt buộc'],
    [
      '"messages[2].receiverPhone" must be a valid phone number',
      '"messages[2].receiverPhone" không phải là số điện thoại hợp lệ',
      'Không phải là số điện thoại hợp lệ',
    ],
    ['"vat" must be less than or equal to 100', '"vat" không được lớn hơn 100', 'Không được lớn hơn 100'],
    ['"vat" must be greater than or equal to 0', '"vat" phải từ 0 trở lên', 'Phải từ 0 trở lên'],
    [
      '"status" must be one of [active, inactive]',
      '"status" phải là một trong [active, inactive]',
      'Phải là một trong [active, inactive]',
    ],
    [
      '"name" length must be less than or equal to 30 characters long',
      '"name" không được dài quá 30 ký tự',
      'Không được dài quá 30 ký tự',
    ],
  ])('%s', (english, vietnamese, atField) => {
    expect(fieldProblem(english, 'vi')).toBe(vietnamese)
    expect(ownProblem(english, 'vi')).toBe(atField)
    expect(fieldProblem(english, 'en')).toBe(english)
  })

  it('stays as it is where the sentence is not known or names no field', () => {
    expect(fieldProblem('"slug" is odd today', 'vi')).toBe('"slug" is odd today')
    expect(ownProblem('Ví không đủ tiền', 'vi')).toBe('Ví không đủ tiền')
    expect(ownProblem('"price" must be a number', 'en')).toBe('Must be a number')
  })
})
