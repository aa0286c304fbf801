import { describe, expect, it } from 'vitest'
import {
  fillParams,
  findSystemParam,
  isParamKey,
  isTechSetting,
  paramKeysIn,
  SYSTEM_PARAMS,
  TECH_SETTINGS,
} from './params.ts'

describe('G-13 parameters in a text', () => {
  it('each key is found once, in order of first use', () => {
    expect(paramKeysIn('<b_2> chào <a>, mã <b_2><C3>')).toEqual(['b_2', 'a', 'C3'])
  })

  it.each(['', '<>', '< a >', '<a b>', '<a-b>', '</a>', 'a < b > c', '<a', 'a>'])('%j has none', (text) => {
    expect(paramKeysIn(text)).toEqual([])
  })

  it('the innermost brackets count', () => {
    expect(paramKeysIn('<<a>>')).toEqual(['a'])
  })

  it('a key typed in NFD is the key typed in NFC', () => {
    expect(paramKeysIn('<tên>'.normalize('NFD'))).toEqual(['tên'.normalize('NFC')])
    expect(fillParams('<tên>'.normalize('NFD'), { tên: 'Lan' })).toBe('Lan')
  })

  it('places are filled once, and those without a value stay', () => {
    expect(fillParams('<a>-<b>-<a>-<c>', { a: '<b>', b: '$&' })).toBe('<b>-$&-<b>-<c>')
  })

  it('names of object members are ordinary keys', () => {
    expect(fillParams('<constructor>', {})).toBe('<constructor>')
    expect(findSystemParam('constructor')).toBeUndefined()
    expect(isTechSetting('toString')).toBe(false)
  })

  it('a key is letters, digits and underscores', () => {
    expect(isParamKey('order_code2')).toBe(true)
    for (const key of ['', 'a b', '<a>', 'a-b', '__proto__']) expect(isParamKey(key)).toBe(false)
  })
})

describe('technical types', () => {
  it('E1 fifteen types with the maximum lengths of the contract', () => {
    const lengths = Array.from({ length: 15 }, (_, index) => {
      const setting = String(index + 1)
      return isTechSetting(setting) ? TECH_SETTINGS[setting].maxLength : undefined
    })
    expect(lengths).toEqual([30, 15, 200, 30, 30, 30, 50, 5, 200, 20, 20, 10, 200, 12, 90])
    for (const other of ['0', '16', '01', '']) expect(isTechSetting(other)).toBe(false)
  })

  it('G-13 the system set has one parameter of each type', () => {
    const settings = Object.values(SYSTEM_PARAMS).map((param) => Number(param.techSetting))
    expect(settings.sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1))
    expect(findSystemParam('order_status')).toMatchObject({ techSetting: '6' })
    expect(findSystemParam('voucher_code')).toMatchObject({ techSetting: '5' })
    expect(Object.keys(SYSTEM_PARAMS).every(isParamKey)).toBe(true)
  })
})
