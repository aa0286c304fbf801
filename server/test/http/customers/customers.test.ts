import { describe, expect, it } from 'vitest'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { makeProduct } from '../orders/order-fixtures.ts'

const running = await service()
const path = '/api/external/v1/customers'

const create = async (partner: Partner, body: object) => (await partner.post(path, body)).body.data
const names = async (partner: Partner, query: string) => {
  const { body } = await partner.get(`${path}?${query}`)
  return body.data.customers.map((customer: { fullName: string }) => customer.fullName)
}

describe('G-46 create a customer', () => {
  it('201 with the whole record', async () => {
    const partner = await makeShop(running)
    const fields = {
      email: 'hoa@x.example',
      birthday: '1990-11-24',
      avatar: 'https://x.example/a.png',
      note: 'khách quen',
    }
    const answer = await partner.post(path, {
      fullName: ' Đỗ Hoa ',
      phone: '+84 912 345 678',
      ...fields,
      shopId: 1,
    })
    expect(answer.status).toBe(201)
    const { _id, createdAt } = answer.body.data
    expect(_id).toMatch(/^[0-9a-f]{24}$/)
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(answer.body).toEqual({
      success: true,
      message: 'Customer created',
      data: {
        _id,
        id: _id,
        __v: 0,
        shopId: partner.shopId,
        fullName: 'Đỗ Hoa',
        phone: '84912345678',
        ...fields,
        createdAt,
        updatedAt: createdAt,
      },
    })
  })

  it('409 CUSTOMER_PHONE_TAKEN in one shop, 201 in another, and any number without a phone', async () => {
    const partner = await makeShop(running)
    await create(partner, { fullName: 'A', phone: '0912345678' })
    const again = await partner.post(path, { fullName: 'B', phone: '84912345678' })
    expect(again.status).toBe(409)
    expect(again.body.code).toBe('CUSTOMER_PHONE_TAKEN')
    expect((await (await makeShop(running)).post(path, { fullName: 'B', phone: '0912345678' })).status).toBe(
      201,
    )
    for (const fullName of ['C', 'D']) expect((await partner.post(path, { fullName })).status).toBe(201)
    expect((await partner.get(path)).body.data.meta.total).toBe(3)
  })

  it('400 for an invalid customer', async () => {
    const partner = await makeShop(running)
    const wrong: [object, string][] = [
      [{}, 'fullName'],
      [{ fullName: '' }, 'fullName'],
      [{ fullName: '  ' }, 'fullName'],
      [{ fullName: null }, 'fullName'],
      [{ fullName: 'x'.repeat(201) }, 'fullName'],
      [{ fullName: 'A', phone: '12' }, 'phone'],
      [{ fullName: 'A', phone: 912345678 }, 'phone'],
      [{ fullName: 'A', email: 'nobody' }, 'email'],
      [{ fullName: 'A', points: 5 }, 'points'],
    ]
    for (const [body, key] of wrong) {
      const answer = await partner.post(path, body)
      expect(answer.status, key).toBe(400)
      expect(answer.body.validation.body.keys).toEqual([key])
    }
    expect((await partner.get(path)).body.data.meta.total).toBe(0)
  })
})

describe('G-46 list customers', () => {
  it('200 newest first, in pages, with the total on each', async () => {
    const partner = await makeShop(running)
    for (const fullName of ['A', 'B', 'C']) await create(partner, { fullName })
    await create(await makeShop(running), { fullName: 'of another shop' })
    expect(await names(partner, '')).toEqual(['C', 'B', 'A'])
    expect(await names(partner, 'limit=2&page=2')).toEqual(['A'])
    const past = await partner.get(`${path}?limit=2&page=9`)
    expect(past.body.data).toEqual({ customers: [], meta: { page: 9, limit: 2, total: 3, totalPages: 2 } })
    const byDefault = await partner.get(path)
    expect(byDefault.body.data.meta).toEqual({ page: 1, limit: 10, total: 3, totalPages: 1 })
  })

  it('finds by folded words of the name in any order, and by a phone in any form', async () => {
    const partner = await makeShop(running)
    await create(partner, { fullName: 'Nguyễn Văn Đức', phone: '0912345678' })
    await create(partner, { fullName: 'Trần Đức', phone: '0987654321' })
    const search = (text: string) => names(partner, `search=${encodeURIComponent(text)}`)
    expect(await search('duc nguyen')).toEqual(['Nguyễn Văn Đức'])
    expect(await search('ĐỨC')).toEqual(['Trần Đức', 'Nguyễn Văn Đức'])
    for (const phone of [
      '0912345678',
      '84912345678',
      '+84 912 345 678',
      '(+84) 912345678',
      '0912345',
      '345678',
    ]) {
      expect(await search(phone)).toEqual(['Nguyễn Văn Đức'])
    }
    expect(await search('%')).toEqual([])
    expect(await search(' ')).toHaveLength(2)
    const found = await partner.get(`${path}?search=duc&limit=1`)
    expect(found.body.data.meta).toEqual({ page: 1, limit: 1, total: 2, totalPages: 2 })
  })

  it('400 on paging out of range', async () => {
    const partner = await makeShop(running)
    for (const query of ['page=0', 'limit=0', 'limit=101', 'page=x', 'page=1e20']) {
      expect((await partner.get(`${path}?${query}`)).status, query).toBe(400)
    }
  })
})

describe('G-46 change a customer', () => {
  it('200 changes what is sent and keeps the rest; orders are found by the new name', async () => {
    const partner = await makeShop(running)
    const { skuIds } = await makeProduct(running, partner)
    const { _id } = await create(partner, { fullName: 'Lan', phone: '0912345678', note: 'n' })
    const order = { userId: _id, orderItems: [{ id: skuIds[0], quantity: 1 }] }
    await partner.post('/api/external/order/pos/create', order)
    const answer = await partner.patch(`${path}/${_id}`, { fullName: 'Huệ', email: 'hue@x.example' })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      fullName: 'Huệ',
      phone: '84912345678',
      note: 'n',
      email: 'hue@x.example',
    })
    const total = async (search: string) =>
      (await partner.get(`/api/external/v1/orders?search=${search}`)).body.data.meta.total
    expect([await total('hue'), await total('lan'), await total('0912345678'), await total('DH1')]).toEqual([
      1, 0, 1, 1,
    ])
    expect((await partner.patch(`${path}/${_id}`, { phone: '', note: '' })).body.data).toMatchObject({
      phone: '',
      note: '',
    })
    expect([await names(partner, 'search=hue'), await names(partner, 'search=lan')]).toEqual([['Huệ'], []])
  })

  it('200 for a foreign number sent back as it was read, without its plus; it finds its consents', async () => {
    const partner = await makeShop(running)
    const { _id, phone } = await create(partner, { fullName: 'Ann', phone: '+1 415 555 2671' })
    expect(phone).toBe('14155552671')
    const answer = await partner.patch(`${path}/${_id}`, { fullName: 'Ann Lê', phone })
    expect(answer.body.data).toMatchObject({ fullName: 'Ann Lê', phone })
    expect((await partner.patch(`${path}/${_id}`, { phone: '14155552672' })).status).toBe(400)
    const consents = '/api/external/v1/consents'
    await partner.post(consents, { phone: `+${phone}`, status: 'withdrawn', source: 'gọi điện' })
    for (const asked of [phone, `%2B${phone}`])
      expect((await partner.get(`${consents}?phone=${asked}`)).body.data).toHaveLength(1)
  })

  it('409 for the phone of another, 200 for its own', async () => {
    const partner = await makeShop(running)
    await create(partner, { fullName: 'A', phone: '0912345678' })
    const { _id } = await create(partner, { fullName: 'B', phone: '0987654321' })
    expect((await partner.patch(`${path}/${_id}`, { phone: '0912 345 678' })).body.code).toBe(
      'CUSTOMER_PHONE_TAKEN',
    )
    expect((await partner.patch(`${path}/${_id}`, { phone: '0987654321' })).status).toBe(200)
  })

  it('404 for an unknown customer and another shop’s, 500 for a malformed id, 400 for a wrong field', async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const foreign = await create(other, { fullName: 'A' })
    for (const id of [unusedId(), foreign._id]) {
      expect((await partner.patch(`${path}/${id}`, { fullName: 'X' })).status).toBe(404)
    }
    expect((await partner.patch(`${path}/x`, { fullName: 'X' })).status).toBe(500)
    const own = await create(partner, { fullName: 'B' })
    for (const body of [{ fullName: '' }, { phone: '1' }, { email: 'x' }, { code: 1 }, { note: null }]) {
      expect((await partner.patch(`${path}/${own._id}`, body)).status).toBe(400)
    }
    expect([await names(other, ''), await names(partner, '')]).toEqual([['A'], ['B']])
  })
})
