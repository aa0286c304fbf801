import { describe, expect, it } from 'vitest'
import { makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const CUSTOMERS = '/api/external/v1/customers'
const COUNTS = { created: 0, completed: 0, unchanged: 0, failed: 0, debts: 0, debtsKept: 0, errors: [] }

async function importRows(shop: Partner, customers: object[], options = {}) {
  const { status, body } = await shop.post(`${CUSTOMERS}/import`, { customers, ...options })
  expect(status).toBe(200)
  return body.data
}
const listed = async (shop: Partner) =>
  (await shop.get(`${CUSTOMERS}?select=debt&sortBy=fullName&sortType=asc&limit=100`)).body.data.customers

describe('G-125 customers of another program', () => {
  it('200 creates them with their debts; the same rows again change nothing', async () => {
    const shop = await makeShop(running)
    const rows = [
      { fullName: ' An ', phone: '0912 000 911', birthday: '1990-11-24', openingDebt: 450_000 },
      { fullName: 'Bình', email: 'binh@example.com' },
      { fullName: 'Chi', phone: '+84 912 000 912', note: 'khách quen', openingDebt: 0 },
    ]
    expect(await importRows(shop, rows)).toEqual({ ...COUNTS, created: 3, debts: 1 })
    expect(await listed(shop)).toMatchObject([
      { fullName: 'An', phone: '84912000911', birthday: '1990-11-24', debt: 450_000 },
      { fullName: 'Bình', phone: '', email: 'binh@example.com', debt: 0 },
      { fullName: 'Chi', phone: '84912000912', note: 'khách quen', debt: 0 },
    ])
    expect((await shop.get(CUSTOMERS)).body.data.meta.total).toBe(3)
    expect(await importRows(shop, rows)).toEqual({ ...COUNTS, unchanged: 3, debtsKept: 1 })
    expect(await listed(shop)).toMatchObject([{ __v: 0, debt: 450_000 }, { __v: 0 }, { __v: 0 }])
  })

  it('200 a known customer keeps what they have and gets what they lack', async () => {
    const shop = await makeShop(running)
    const known = { fullName: 'An', phone: '0912000913', note: 'cũ' }
    const { _id } = (await shop.post(CUSTOMERS, known)).body.data
    const row = {
      ...known,
      fullName: 'Another name',
      note: 'mới',
      email: 'an@example.com',
      openingDebt: 7_000,
    }
    expect(await importRows(shop, [row])).toEqual({ ...COUNTS, completed: 1, debts: 1 })
    expect(await listed(shop)).toMatchObject([
      { _id, __v: 1, fullName: 'An', note: 'cũ', email: 'an@example.com', debt: 7_000 },
    ])
  })

  it('200 a row with an error is named and not stored, the others are; the second row of a customer is an error', async () => {
    const shop = await makeShop(running)
    const rows = [
      { fullName: ' ' },
      { fullName: 'An', phone: '12' },
      { fullName: 'An', birthday: '24/11/1990' },
      { fullName: 'Bình', phone: '0912000914' },
      { fullName: 'Bình hai', phone: '84912000914' },
      { fullName: 'Chi' },
      { fullName: 'CHÍ'.normalize('NFD') },
      { fullName: 'x'.repeat(201) },
    ]
    const { errors, ...counts } = await importRows(shop, rows)
    expect(counts).toMatchObject({ created: 2, failed: 6 })
    expect(errors.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual([
      [1, 'fullName'],
      [2, 'phone'],
      [3, 'birthday'],
      [5, 'phone'],
      [7, 'fullName'],
      [8, 'fullName'],
    ])
    expect(errors[3]).toEqual({ row: 5, field: 'phone', message: '"phone" is the same customer as in row 4' })
    const details = { 'x-validation-detail': '1' }
    const asked = await shop.post(`${CUSTOMERS}/import`, { customers: [{ fullName: '' }] }, details)
    expect(asked.body.data.errors[0]).toMatchObject({ rule: 'string.empty', values: { label: 'fullName' } })
  })

  it('200 dryRun says the same and writes nothing', async () => {
    const shop = await makeShop(running)
    const rows = [{ fullName: 'An', phone: '0912000915', openingDebt: 1_000 }, { fullName: '' }]
    const said = await importRows(shop, rows, { dryRun: true })
    expect(said).toMatchObject({ created: 1, failed: 1, debts: 1 })
    expect(await listed(shop)).toEqual([])
    expect(await importRows(shop, rows)).toEqual(said)
  })

  it.each([
    ['with a number', (n: number) => `09120010${String(n).padStart(2, '0')}`],
    ['without one', () => ''],
  ])('the same customers %s, sent six times at once, are stored once', async (_, phoneOf) => {
    const shop = await makeShop(running)
    const rows = Array.from({ length: 50 }, (_, n) => ({
      fullName: `Khách ${n}`,
      phone: phoneOf(n),
      openingDebt: 1_000 + n,
    }))
    const answers = await Promise.all(Array.from({ length: 6 }, () => importRows(shop, rows)))
    const sum = (key: string) => answers.reduce((all, one) => all + one[key], 0)
    expect([sum('created'), sum('debts'), sum('unchanged'), sum('debtsKept')]).toEqual([50, 50, 250, 250])
    expect((await shop.get(CUSTOMERS)).body.data.meta.total).toBe(50)
  })

  it('a number that another shop’s customer has is free in this one', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    const rows = [{ fullName: 'An', phone: '0912000916', note: 'của shop kia', openingDebt: 5_000 }]
    await importRows(other, rows)
    expect(await importRows(shop, [{ fullName: 'Bình', phone: '0912000916' }])).toMatchObject({ created: 1 })
    expect(await listed(shop)).toMatchObject([{ fullName: 'Bình', note: '', debt: 0 }])
  })

  it.each([
    ['no row', { customers: [] }, 'customers'],
    ['more than 500', { customers: Array.from({ length: 501 }, () => ({ fullName: 'a' })) }, 'customers'],
    [
      'a debt that is no amount',
      { customers: [{ fullName: 'a', openingDebt: -1 }] },
      'customers.0.openingDebt',
    ],
    ['an unknown field', { customers: [{ fullName: 'a', debt: 1 }] }, 'customers.0.debt'],
  ])('400 for %s, and nothing is stored', async (_, body, key) => {
    const shop = await makeShop(running)
    const answer = await shop.post(`${CUSTOMERS}/import`, body)
    expect([answer.status, answer.body.validation.body.keys]).toEqual([400, [key]])
    expect((await shop.get(CUSTOMERS)).body.data.meta.total).toBe(0)
  })
})
