import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc16, vietQrText } from '../src/vietqr.ts'

/** Reads fields of tag, length and value. Throws if the lengths do not add up. */
function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4))
    if (!Number.isInteger(length) || at + 4 + length > text.length)
      throw new Error(`no field at ${at}: ${text}`)
    fields[text.slice(at, at + 2)] = text.slice(at + 4, at + 4 + length)
    at += 4 + length
  }
  return fields
}

describe('VietQR', () => {
  it('has the check sums of published codes', () => {
    // From the README of subiz/vietqr, and from the specification of NAPAS as public tests quote it.
    expect(
      crc16(
        '00020101021238570010A00000072701270006970415011300110019324180208QRIBFTTA530370454061200005802VN62170813ung ho lu lut6304',
      ),
    ).toBe('C15C')
    expect(
      crc16(
        '00020101021238600010A00000072701300006970403011697040311012345670208QRIBFTTC530370454061800005802VN62340107NPS68690819thanh toan don hang6304',
      ),
    ).toBe('A203')
  })

  it('is the published code of a transfer of 120.000 đồng', () => {
    expect(vietQrText({ bin: '970415', number: '0011001932418' }, 120_000, 'ủng hộ lũ lụt')).toBe(
      '00020101021238570010A00000072701270006970415011300110019324180208QRIBFTTA530370454061200005802VN62170813ung ho lu lut6304C15C',
    )
  })

  it('any account, amount and reference reads back, field by field, with its check sum', () => {
    const asked = fc.record({
      bin: fc.stringMatching(/^[0-9]{6}$/),
      number: fc.stringMatching(/^[0-9A-Za-z]{1,19}$/),
      vnd: fc.integer({ min: 1, max: 9_999_999_999_999 }),
      reference: fc.string({ unit: 'grapheme', maxLength: 60 }),
    })
    fc.assert(
      fc.property(asked, ({ bin, number, vnd, reference }) => {
        const text = vietQrText({ bin, number }, vnd, reference)
        const read = fieldsOf(text)
        expect(read).toMatchObject({ '00': '01', '01': '12', '53': '704', '54': String(vnd), '58': 'VN' })
        const account = fieldsOf(read['38']!)
        expect(account).toMatchObject({ '00': 'A000000727', '02': 'QRIBFTTA' })
        expect(fieldsOf(account['01']!)).toEqual({ '00': bin, '01': number })
        if (read['62'] !== undefined) expect(fieldsOf(read['62'])['08']).toMatch(/^[0-9A-Za-z ]{1,25}$/)
        expect(read['63']).toBe(crc16(text.slice(0, -4)))
      }),
    )
  })
})
