import { describe, expect, it } from 'vitest'
import { readCsv } from '../src/csv.ts'
import { chosenTwice, guessMapping, readCustomers } from '../src/screens/customers/import/read-customers.ts'

const TODAY = '2026-11-30'
function read(text: string) {
  const [header, ...rows] = [...readCsv(text)]
  return readCustomers({ header: header!.row, rows }, guessMapping(header!.row), TODAY)
}

describe('the customers of a file', () => {
  it('are found by the headings of KiotViet; an address becomes part of the note', () => {
    const header =
      'Loại khách,Mã khách hàng,Tên khách hàng,Điện thoại,Địa chỉ,Ngày sinh,Giới tính,Email,Ghi chú,Nợ cần thu hiện tại,Tổng bán'
    expect(guessMapping(header.split(','))).toEqual([
      null,
      null,
      'fullName',
      'phone',
      'note',
      'birthday',
      null,
      'email',
      'note',
      'openingDebt',
      null,
    ])
    const row =
      'Cá nhân,KH01,Trần Bưởi,0912000451,12 Hàng Gai,24/11/1990 00:00:00,Nữ,,khách quen,450000,9000000'
    expect(read(`${header}\n${row}`)).toEqual({
      customers: [
        {
          line: 2,
          customer: {
            fullName: 'Trần Bưởi',
            phone: '0912000451',
            email: '',
            birthday: '1990-11-24',
            note: 'Địa chỉ: 12 Hàng Gai\nGhi chú: khách quen',
            openingDebt: 450_000,
          },
        },
      ],
      faults: [],
      owedByShop: 0,
    })
  })

  it.each([
    ['', 0],
    ['450.000', 450_000],
    ['450,000.00', 450_000],
    ['1,5 triệu', 1_500_000],
    ['20333.3333', 20_333],
    ['20333,5', 20_334],
    ['450000.00', 450_000],
  ])('the debt %j is %d đồng', (text, vnd) => {
    expect(read(`Tên;Nợ\nAn;${text}`).customers[0]!.customer.openingDebt).toBe(vnd)
  })

  it('a debt below 0 is what the shop owes: the customer comes without it, and it is counted', () => {
    const { customers, owedByShop } = read('Tên;Nợ\nAn;-20.000\nBình;5.000')
    expect(customers.map(({ customer }) => customer.openingDebt)).toEqual([0, 5_000])
    expect(owedByShop).toBe(1)
  })

  it('a row whose day or amount cannot be read is named by its line, and not sent', () => {
    const { customers, faults } = read(
      'Tên,Nợ,Ngày sinh\n"An\nhai",hỏi,\nBình,5000,31/02/1990\n\nChi,0,2/1/90',
    )
    expect(faults).toEqual([
      { line: 2, field: 'openingDebt', text: 'hỏi' },
      { line: 4, field: 'birthday', text: '31/02/1990' },
    ])
    expect(customers).toMatchObject([{ line: 6, customer: { fullName: 'Chi', birthday: '1990-01-02' } }])
  })

  it('a row without a name has its number as the name; one without both is none', () => {
    const { customers, faults } = read('Tên,SĐT,Nợ\n,0912000452,1000\n,,7000')
    expect([customers.length, faults.length]).toEqual([1, 0])
    expect(customers[0]!.customer.fullName).toBe('0912000452')
  })

  it('two columns may be the note, but not the same other field', () => {
    expect(chosenTwice(['note', 'note', 'phone', 'phone', null, null])).toEqual(['phone'])
  })
})
