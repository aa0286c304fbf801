import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { stockedSku } from '../../support/inventory.ts'
import { moveOrder, payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const { db } = running.deps
const CUSTOMERS = '/api/external/v1/customers'
const EXPORT = `${CUSTOMERS}/export`

async function lines(
  partner: Partner,
  query: Record<string, string> = {},
): Promise<Record<string, string>[]> {
  const answer = await partner.get(`${EXPORT}?${new URLSearchParams(query)}`)
  expect(answer.status).toBe(200)
  return parse(answer.body, { bom: true, columns: true })
}

const idsOf = (records: { id?: string }[]) => records.map(({ id }) => id)
const create = async (partner: Partner, body: object) => (await partner.post(CUSTOMERS, body)).body.data

describe('G-46 GET customers export', () => {
  it('200 with a CSV file: byte order mark, CRLF, a line a customer, newest first', async () => {
    const partner = await makeShop(running)
    const first = await create(partner, { fullName: 'Bùi Châu' })
    const fields = {
      fullName: 'Đỗ "Hoa"',
      phone: '84912345678',
      email: 'hoa@x.example',
      birthday: '1990-11-24',
      note: 'dòng 1\ndòng 2; a,b',
      avatar: 'https://x.example/a.png',
    }
    const second = await create(partner, fields)
    const answer = await partner.get(EXPORT)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="customers-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const text = answer.body as string
    expect(text.startsWith('\ufeff"id","fullName","phone",')).toBe(true)
    expect(text.split('\r\n')).toHaveLength(4)
    const [newest, oldest] = await lines(partner)
    const { _id: id, createdAt, updatedAt } = second
    expect(newest).toEqual({ id, ...fields, createdAt, updatedAt, debt: '0' })
    expect(oldest).toMatchObject({ id: first._id, fullName: 'Bùi Châu', phone: '', birthday: '' })
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])(
    'a text %j is not a formula',
    async (text) => {
      const partner = await makeShop(running)
      const { fullName } = await create(partner, { fullName: `${text}x`, note: text })
      expect(await lines(partner)).toMatchObject([{ fullName: `'${fullName}`, note: `'${text}` }])
    },
  )

  it('200 with what each customer owes, as their debt says', async () => {
    const partner = await makeShop(running)
    const [hoa, an] = [await create(partner, { fullName: 'Hoa' }), await create(partner, { fullName: 'An' })]
    const skuId = await stockedSku(partner, 5)
    const order = await placeOrder(partner, skuId, 2, { userId: hoa._id })
    await payOrder(partner, order._id, 30_000, { paymentMethod: 'cash' })
    const cancelled = await placeOrder(partner, skuId, 1, { userId: hoa._id })
    await moveOrder(partner, cancelled._id, 'cancelled', { reasonCancel: 'x' })
    await placeOrder(partner, skuId, 1, { userId: an._id, isPaid: true, paymentMethod: 'cash' })
    expect(await lines(partner)).toMatchObject([
      { id: an._id, debt: '0' },
      { id: hoa._id, debt: '170000' },
    ])
    expect((await partner.get(`${CUSTOMERS}/${hoa._id}/debt`)).body.data.debt).toBe(170_000)
  })

  it('every customer once over many chunks, of equal times too, and only those that a search finds', async () => {
    const partner = await makeShop(running)
    await sql`
      insert into customers (shop_id, id, full_name, phone, email, avatar, note, search, created_at, updated_at)
      select ${partner.shopId}, lpad(to_hex(n), 24, '0'), 'Khách ' || n, '', '', '', '',
        'khach ' || n || case when n % 10 = 0 then ' quen' else '' end,
        timestamptz '2026-01-01T00:00:00.000123Z' + (n % 7) * interval '1 microsecond', now()
      from generate_series(1, 1203) as n`.execute(db)
    const { rows } = await sql<{ id: string }>`
      select id from customers where shop_id = ${partner.shopId} order by created_at desc, id desc`.execute(
      db,
    )
    expect(idsOf(await lines(partner))).toEqual(idsOf(rows))
    const found = await lines(partner, { search: 'QUEN khách' })
    expect(found).toHaveLength(120)
    expect((await partner.get(`${CUSTOMERS}?search=quen`)).body.data.meta.total).toBe(120)
  })

  it('200 with only the customers of `ids` that exist in the shop; 400 for more than 100 and for a malformed id', async () => {
    const [partner, other] = [await makeShop(running), await makeShop(running)]
    const [one, two, three] = [
      await create(partner, { fullName: 'Bùi Châu' }),
      await create(partner, { fullName: 'Đỗ Ân' }),
      await create(partner, { fullName: 'Âu Dương' }),
    ]
    const foreign = await create(other, { fullName: 'Đỗ Ân' })
    const ids = `${one._id},${three._id},${foreign._id}`
    expect(idsOf(await lines(partner, { ids }))).toEqual([three._id, one._id])
    expect(idsOf(await lines(partner, { ids: `${one._id},${two._id}`, search: 'do an' }))).toEqual([two._id])
    expect(await lines(partner, { ids: foreign._id })).toEqual([])
    const many = Array.from({ length: 101 }, (_, n) => n.toString(16).padStart(24, '0'))
    for (const wrong of ['x', many.join()]) {
      const { status, body } = await partner.get(`${EXPORT}?ids=${wrong}`)
      expect([status, body.validation?.query.keys]).toEqual([400, ['ids']])
    }
  })
})
