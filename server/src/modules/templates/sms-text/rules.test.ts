import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../../errors.ts'
import { checkedSmsText, smsTextSize } from './rules.ts'

const declared = [
  { key: 'customer_name', label: 'Tên khách', techSetting: '1', sampleValue: 'An' },
  { key: 'order_code', label: 'Mã đơn', techSetting: '4', sampleValue: 'DH1024' },
  { key: 'shop', label: 'Gom', isFixed: true },
]

describe('G-91 the text of an SMS', () => {
  it('is kept in NFC without blanks at its ends, and counted with the sample values', () => {
    const { text, size } = checkedSmsText(
      `  ${'<shop>: don <order_code> da giao'.normalize('NFD')} \n`,
      declared,
    )
    expect(text).toBe('<shop>: don <order_code> da giao')
    expect(size).toEqual({
      alphabet: 'gsm7',
      length: 'Gom: don DH1024 da giao'.length,
      parts: 1,
      mostParts: 1,
    })
  })

  it('counts at most what the longest values come to, which may need the larger alphabet', () => {
    expect(smsTextSize(`${'a'.repeat(100)}<customer_name>`, declared)).toEqual({
      alphabet: 'gsm7',
      length: 102,
      parts: 1,
      mostParts: 2,
    })
  })

  it.each([
    ['a blank one', ' \n ', 'string.empty'],
    ['a param that is not declared', 'Don <total_amount>', 'sms.param'],
    ['one that may become more than ten', `<customer_name>${'a'.repeat(700)}`, 'sms.parts'],
  ])('refuses %s', (_name, text, rule) => {
    let thrown: unknown
    try {
      checkedSmsText(text, declared)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(ValidationError)
    expect(JSON.stringify(thrown)).toContain(rule)
  })

  it('treats anything that is not a param as text', () => {
    expect(checkedSmsText('1 < 2, < b >', declared).text).toBe('1 < 2, < b >')
  })
})
