import { describe, expect, it } from 'vitest'
import { audienceTexts } from '../src/screens/messages/audiences/audience-texts.ts'
import { guessMapping } from '../src/screens/messages/batches/plan-batch.ts'
import { sheetOfMembers } from '../src/screens/messages/batches/sheet.ts'
import { draftOfStarter } from '../src/screens/templates/gallery/starter.ts'

const template = {
  params: [
    { key: 'customer_name', label: 'Tên khách hàng', techSetting: '1' },
    { key: 'order_code', label: 'Mã đơn hàng', techSetting: '4' },
    { key: 'total_amount', label: 'Tổng tiền', techSetting: '14' },
  ],
} as Parameters<typeof guessMapping>[1]

const mappingOf = (header: string) =>
  guessMapping(
    header.split(';').map((name) => [name]),
    template,
  )
const all = { customer_name: 1, order_code: 2, total_amount: 3 }

describe('the columns of a sheet of recipients', () => {
  it('of an audience fill the starter that reminds customers of their debt: the debt of all orders, and no order’s code', () => {
    const params = Object.values(draftOfStarter('paymentReminder', 'vi', { oaId: '' }).params)
    const { values } = audienceTexts.vi
    const { columns, header } = sheetOfMembers(1, 'Còn nợ', [], values)
    const mapping = guessMapping(columns, { params } as unknown as typeof template)
    const named = Object.entries(mapping.params).map(([key, column]) => [key, header[column as number]])
    expect(Object.fromEntries(named)).toMatchObject({
      customer_name: values.fullName,
      due_amount: values.debt,
    })
    expect(mapping.params).not.toHaveProperty('order_code')
  })

  it.each([
    'SĐT;Tên khách hàng;Mã đơn hàng;Tổng tiền',
    'Số ĐT;Họ tên;Mã đơn;Thành tiền',
    'Số điện thoại;Họ và tên;Đơn hàng;Số tiền',
    'Điện thoại;Tên KH;Số đơn;Tổng cộng',
    'phone;name;order;total',
    'Phone number;customer_name;order_code;total_amount',
    'ĐT;Khách;Mã đơn;Tiền',
  ])('%s are mapped', (header) => {
    expect(mappingOf(header)).toEqual({ channel: 'phone', recipient: 0, params: all })
  })

  it('a column that two parameters could take, and two columns that one could take, stay for the person to choose', () => {
    const twice = { params: [...template.params, { ...template.params[2]!, key: 'debt', label: 'Còn nợ' }] }
    const mapping = guessMapping([['phone'], ['Thành tiền']], twice as typeof template)
    expect(mapping.params).toMatchObject({ total_amount: null, debt: null })
    expect(mappingOf('phone;Họ tên;Tên KH;Mã đơn').params).toMatchObject({ customer_name: null })
  })
})
