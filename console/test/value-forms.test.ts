import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formChoices, withForms } from '../src/screens/messages/batches/mapping/form-choices.ts'
import { type ValueForm, writeValue } from '../src/screens/messages/batches/value-forms.ts'

describe('a value in a form', () => {
  it.each<[ValueForm, string, string | undefined]>([
    ['amount', '670000', '670.000đ'],
    ['amount', '670000.00', '670.000đ'],
    ['amount', ' 1,250,000 VNĐ', '1.250.000đ'],
    ['amount', '1.250.000đ', '1.250.000đ'],
    ['amount', '-45000', '-45.000đ'],
    ['amount', '670k', '670.000đ'],
    ['amount', '0', '0đ'],
    ['amount', 'abc', undefined],
    ['amount', '0.125', undefined],
    ['amount', '1250,5', undefined],
    ['amount', '99999999999999', undefined],
    ['number', '1250', '1.250'],
    ['number', '1250.5', '1.250,5'],
    ['number', '1.250,50', '1.250,50'],
    ['number', '1,250.5', '1.250,5'],
    ['number', '0.125', '0,125'],
    ['number', '1234.567', '1.234,567'],
    ['number', '−12', '-12'],
    ['number', '1.250.5', undefined],
    ['number', '0912345678', undefined],
    ['number', '12 cái', undefined],
    ['day', '2026-11-30', '30/11/2026'],
    ['day', '30/11/2026', '30/11/2026'],
    ['day', '1.2.26', '01/02/2026'],
    ['day', '2026-11-30 00:00:00', '30/11/2026'],
    ['day', '2026-11-30T14:05:59', '30/11/2026 14:05'],
    ['day', '30/11/2026 14:05', '30/11/2026 14:05'],
    ['day', '31/11/2026', undefined],
    ['day', '11/30/2026', undefined],
    ['day', '2026-11-30 25:00', undefined],
    ['day', '46356', undefined],
  ])('%s: %j is %j', (form, text, written) => {
    expect(writeValue(form, text)).toBe(written)
  })

  it('a number keeps each of its digits, however it is grouped', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,14})$/)
    const decimals = fc.option(fc.stringMatching(/^\d{1,6}$/), { nil: undefined })
    const property = fc.property(fc.constantFrom('', '-'), digits, decimals, (sign, whole, part) => {
      // Three decimals alone would be thousands.
      fc.pre(part?.length !== 3 || whole.length > 3 || whole === '0')
      const written = writeValue('number', `${sign}${whole}${part === undefined ? '' : `.${part}`}`)!
      expect(written.replaceAll('.', '').replace(',', '.')).toBe(
        `${sign}${whole}${part === undefined ? '' : `.${part}`}`,
      )
      expect(written).toMatch(/^-?\d{1,3}(\.\d{3})*(,\d+)?$/)
    })
    fc.assert(property)
  })

  it('an amount is the same đồng as the number in the file', () => {
    const property = fc.property(fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 }), (vnd) => {
      const written = writeValue('amount', String(vnd))!
      expect(Number(written.replace(/[.đ]/g, ''))).toBe(vnd)
      expect(written).toMatch(/^-?\d{1,3}(\.\d{3})*đ$/)
    })
    fc.assert(property)
  })

  it('a value in its form stays so when it is written once more', () => {
    const forms = fc.constantFrom<ValueForm>('amount', 'number', 'day')
    const day = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 19))
    const text = fc.oneof(fc.stringMatching(/^-?\d{1,9}([.,]\d{1,4})?$/), day, fc.string())
    fc.assert(
      fc.property(forms, text, (form, value) => {
        const written = writeValue(form, value)
        if (written !== undefined) expect(writeValue(form, written)).toBe(written)
      }),
    )
  })
})

describe('the forms that a column may have', () => {
  const template = (techSetting: string | undefined, behind = '') =>
    ({
      title: 'Đơn hàng',
      contentBlocks: [{ id: 'a', type: 'paragraph', value: `Tổng <x>${behind}, cảm ơn` }],
      params: [{ key: 'x', label: 'X', techSetting }],
    }) as unknown as Parameters<typeof formChoices>[1]
  const of = (techSetting: string | undefined, cells: string[], behind = '') =>
    formChoices({ rows: cells.map((cell) => [cell]) }, template(techSetting, behind), { x: 0 }).x!

  it('an amount is preselected for a parameter of amounts, a number if the template has the currency itself', () => {
    expect(of('14', ['670000', '', 'abc', '1.000'])).toEqual({
      offered: ['amount', 'number'],
      preselected: 'amount',
    })
    expect(of('14', ['670000'], 'đ').preselected).toBe('number')
    expect(of('14', ['670000'], ' VNĐ').preselected).toBe('number')
    expect(of('14', ['670000'], ' đã gồm thuế').preselected).toBe('amount')
    expect(of('14', ['hỏi giá', 'miễn phí', '1']).preselected).toBeUndefined()
  })

  it('a day is preselected for a parameter of times whose cells are mostly days', () => {
    expect(of('11', ['2026-11-30', '31/11/2026', '1/12/2026'])).toEqual({
      offered: ['day'],
      preselected: 'day',
    })
    expect(of('11', ['sáng mai', '9 giờ', '30/11/2026'])).toEqual({
      offered: ['day'],
      preselected: undefined,
    })
  })

  it('other columns of only numbers or only days are offered a form, and keep the file’s', () => {
    expect(of('10', ['12', '1500'])).toEqual({ offered: ['amount', 'number'], preselected: undefined })
    expect(of(undefined, ['2026-11-30'])).toEqual({ offered: ['day'], preselected: undefined })
    for (const cells of [['12', 'mười hai'], ['0912345678'], [''], []])
      expect(of('10', cells).offered).toEqual([])
    for (const type of ['2', '4', '7', '12']) expect(of(type, ['123456']).offered).toEqual([])
  })

  it('a text for all rows has none, and what a person chose is kept', () => {
    const rows = [['1000']]
    const choices = formChoices({ rows }, template('14'), { x: { text: '1000' } })
    expect(choices.x?.offered).toEqual([])
    const mapping = { channel: 'phone' as const, recipient: 0, params: { x: 0 } }
    const preselected = formChoices({ rows }, template('14'), mapping.params)
    expect(withForms(mapping, preselected).forms).toEqual({ x: 'amount' })
    expect(withForms({ ...mapping, forms: { x: 'asGiven' } }, preselected).forms).toEqual({ x: 'asGiven' })
  })
})
