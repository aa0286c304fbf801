import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findBuyers } from '../../../src/modules/audiences/buyers-sql.ts'
import { listMembers, type Wanted } from '../../../src/modules/audiences/members-sql.ts'
import { moveOrder, ORDERS, placeOrder } from '../../support/order-changes.ts'
import { createProduct, insertCategory } from '../../support/products.ts'
import { makeShop, manage, type Partner, partnerOf, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const PATH = '/api/external/v1/audiences'
const DEBT = [{ kind: 'debt', atLeast: 1 }]

/** A shop with a product of 100,000 đồng in a category, and another without a category. */
async function makeStall() {
  const shop = await makeShop(running)
  const categoryId = await insertCategory(running, shop.shopId)
  const lamp = (await createProduct(shop, { price: 100_000, categoryId }))._id as string
  const vase = (await createProduct(shop, { price: 100_000 }))._id as string
  return { shop, categoryId, lamp, vase }
}

let numbers = 0
async function makeCustomer(
  shop: Partner,
  fullName: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  numbers += 1
  const phone = `0912${String(100_000 + numbers)}`
  return (await shop.post('/api/external/v1/customers', { fullName, phone, ...more })).body.data._id
}

/** Creates a customer's order of `daysAgo` days ago. */
async function buy(shop: Partner, userId: string, item: string, { daysAgo = 0, paidAmount = 100_000 } = {}) {
  const order = await placeOrder(shop, item, 1, { userId, paidAmount })
  await sql`
    update orders
    set created_at = created_at - make_interval(days => ${daysAgo}::integer)
    where shop_id = ${shop.shopId} and id = ${order._id}`.execute(db)
  return order
}

async function namesOf(shop: Partner, conditions: object[], match = 'all'): Promise<string[]> {
  const made = await shop.post(PATH, { name: `Nhóm ${unusedId()}`, match, conditions })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { customers, next } = (await shop.get(`${PATH}/${made.body.data._id}/customers?limit=1000`)).body.data
  expect(next).toBeNull()
  const counted = (await shop.post(`${PATH}/count`, { match, conditions })).body.data
  expect(counted).toMatchObject({ customers: customers.length, next: null })
  return customers.map(({ fullName }: { fullName: string }) => fullName).toSorted()
}

describe('G-119 audiences', () => {
  it('201 keeps one by name; it is listed, renamed and deleted', async () => {
    const shop = await makeShop(running)
    const made = await shop.post(PATH, { name: ' Khách nợ ', conditions: DEBT })
    expect(made.status).toBe(201)
    const { _id } = made.body.data
    expect(made.body.data).toMatchObject({
      id: _id,
      __v: 0,
      name: 'Khách nợ',
      match: 'all',
      conditions: DEBT,
    })
    await shop.post(PATH, { name: 'Ấm trà', conditions: DEBT })
    const renamed = await shop.patch(`${PATH}/${_id}`, { name: 'Còn nợ' })
    expect(renamed.body.data).toMatchObject({ __v: 1, name: 'Còn nợ', conditions: DEBT })
    expect((await shop.get(`${PATH}/${_id}`)).body).toEqual(renamed.body)
    const { data } = (await shop.get(PATH)).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Ấm trà', 'Còn nợ'])
    expect((await shop.call('DELETE', `${PATH}/${_id}`)).body).toEqual({ success: true })
    for (const path of [`${PATH}/${_id}`, `${PATH}/${_id}/customers`])
      expect((await shop.get(path)).status).toBe(404)
  })

  it('409 AUDIENCE_NAME_TAKEN for a name that looks the same, also on a rename; another shop may have it', async () => {
    const shop = await makeShop(running)
    await shop.post(PATH, { name: 'Khách Nợ', conditions: DEBT })
    const other = (await shop.post(PATH, { name: 'Khác', conditions: DEBT })).body.data
    for (const answer of [
      await shop.post(PATH, { name: 'khach no', conditions: DEBT }),
      await shop.patch(`${PATH}/${other._id}`, { name: 'KHÁCH NỢ' }),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'AUDIENCE_NAME_TAKEN'])
    expect((await (await makeShop(running)).post(PATH, { name: 'Khách nợ', conditions: DEBT })).status).toBe(
      201,
    )
  })

  it('409 TOO_MANY_AUDIENCES for the 101st, also of several at once', async () => {
    const shop = await makeShop(running)
    const answers = await Promise.all(
      Array.from({ length: 102 }, (_, n) => shop.post(PATH, { name: `Nhóm ${n}`, conditions: DEBT })),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([409, 'TOO_MANY_AUDIENCES']),
    )
  })

  it('400 without conditions, for one that lacks a field, has another kind’s, or names a field twice over', async () => {
    const shop = await makeShop(running)
    const wrong = [
      [],
      [{ kind: 'debt' }],
      [{ kind: 'debt', atLeast: 0 }],
      [{ kind: 'birthday', month: 13 }],
      [{ kind: 'bought', atLeast: 3 }],
      [{ kind: 'bought', days: 3, since: '2026-11-01' }],
      [{ kind: 'bought', since: '0001-01-01' }],
      [{ kind: 'bought', productIds: [] }],
      [{ kind: 'tagged' }],
      Array(11).fill(DEBT[0]),
    ]
    for (const conditions of wrong)
      expect((await shop.post(PATH, { name: 'A', conditions })).status, JSON.stringify(conditions)).toBe(400)
  })
})

describe('G-119 who is in an audience', () => {
  it('bought a product or of a category, ever or since; cancelled orders do not count', async () => {
    const { shop, categoryId, lamp, vase } = await makeStall()
    const [an, binh, chi, dung] = [
      await makeCustomer(shop, 'An'),
      await makeCustomer(shop, 'Bình'),
      await makeCustomer(shop, 'Chi'),
      await makeCustomer(shop, 'Dung'),
    ]
    await makeCustomer(shop, 'Em')
    await buy(shop, an!, lamp)
    await buy(shop, binh!, lamp, { daysAgo: 40 })
    await buy(shop, chi!, vase, { daysAgo: 3 })
    const cancelled = await buy(shop, dung!, lamp, { paidAmount: 0 })
    await moveOrder(shop, cancelled._id, 'cancelled')
    const bought = { kind: 'bought', productIds: [lamp] }
    expect(await namesOf(shop, [bought])).toEqual(['An', 'Bình'])
    expect(await namesOf(shop, [{ kind: 'bought', categoryIds: [categoryId] }])).toEqual(['An', 'Bình'])
    expect(await namesOf(shop, [{ ...bought, days: 30 }])).toEqual(['An'])
    expect(await namesOf(shop, [{ kind: 'bought', productIds: [vase], categoryIds: [categoryId] }])).toEqual([
      'An',
      'Bình',
      'Chi',
    ])
    expect(await namesOf(shop, [{ kind: 'bought' }])).toEqual(['An', 'Bình', 'Chi'])
    expect(await namesOf(shop, [{ kind: 'notBought' }])).toEqual(['Dung', 'Em'])
    expect(await namesOf(shop, [{ kind: 'bought' }, { kind: 'notBought', days: 30 }])).toEqual(['Bình'])
    expect(
      await namesOf(
        shop,
        [
          { ...bought, days: 30 },
          { kind: 'bought', productIds: [vase] },
        ],
        'any',
      ),
    ).toEqual(['An', 'Chi'])
    const since = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)
    expect(await namesOf(shop, [{ kind: 'bought', since }])).toEqual(['An', 'Chi'])
  })

  it('has the birthday, and owes at least so much', async () => {
    const { shop, lamp } = await makeStall()
    const in2Days = new Date(Date.now() + 7 * 3_600_000 + 2 * 86_400_000).toISOString().slice(5, 10)
    const birthday = `1992-${in2Days}`
    const lan = await makeCustomer(shop, 'Lan', { birthday })
    const mai = await makeCustomer(shop, 'Mai', { birthday: '' })
    await buy(shop, lan, lamp, { paidAmount: 40_000 })
    await buy(shop, lan, lamp, { paidAmount: 90_000 })
    await buy(shop, mai, lamp)
    expect(await namesOf(shop, [{ kind: 'birthday', days: 2 }])).toEqual(['Lan'])
    expect(await namesOf(shop, [{ kind: 'birthday', days: 1 }])).toEqual([])
    expect(await namesOf(shop, [{ kind: 'birthday', month: Number(in2Days.slice(0, 2)) }])).toEqual(['Lan'])
    expect(await namesOf(shop, [{ kind: 'debt', atLeast: 70_000 }])).toEqual(['Lan'])
    expect(await namesOf(shop, [{ kind: 'debt', atLeast: 70_001 }])).toEqual([])
  })

  it('lists what a message may need, and only who has a number; the count says who has none', async () => {
    const { shop, lamp } = await makeStall()
    const lan = await makeCustomer(shop, 'Lan', { phone: '0987654321', birthday: '1990-11-24' })
    const silent = await makeCustomer(shop, 'Ẩn danh', { phone: '' })
    await buy(shop, lan, lamp, { daysAgo: 5 })
    const latest = await buy(shop, lan, lamp, { paidAmount: 30_000 })
    await buy(shop, silent, lamp)
    const conditions = [{ kind: 'bought' }]
    const { _id } = (await shop.post(PATH, { name: 'Đã mua', conditions })).body.data
    const customersOf = async () => (await shop.get(`${PATH}/${_id}/customers`)).body.data
    const data = await customersOf()
    const day = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
    expect(data).toEqual({
      customers: [
        {
          _id: lan,
          fullName: 'Lan',
          phone: '84987654321',
          values: {
            fullName: 'Lan',
            phone: '0987654321',
            birthday: '24/11/1990',
            lastOrderCode: latest.code,
            lastOrderDate: day.split('-').reverse().join('/'),
            lastOrderPrice: '100.000đ',
            debt: '70.000đ',
          },
        },
      ],
      next: null,
    })
    const counted = (await shop.post(`${PATH}/count`, { conditions })).body.data
    expect(counted).toEqual({ customers: 1, withoutPhone: 1, next: null })

    // The total is what the order costs after returns (G-123), as the debt is.
    await moveOrder(shop, latest._id, 'completed')
    const lines = [{ orderItemId: latest.orderItems[0]._id, quantity: 1 }]
    expect((await shop.post(`${ORDERS}/${latest._id}/returns`, { lines, fee: 60_000 })).status).toBe(201)
    const [{ values }] = (await customersOf()).customers
    expect(values).toMatchObject({ lastOrderPrice: '60.000đ', debt: '30.000đ' })
  })

  it('each customer once over all pages, in a statement that looks at so many and no more', async () => {
    const { shop, lamp } = await makeStall()
    const made: string[] = []
    for (let n = 0; n < 7; n++) made.push(await makeCustomer(shop, `Khách ${n}`))
    await buy(shop, made[5]!, lamp)
    const { _id } = (
      await shop.post(PATH, {
        name: 'Tất cả',
        match: 'any',
        conditions: [{ kind: 'bought' }, { kind: 'notBought' }],
      })
    ).body.data
    const seen: string[] = []
    let next = ''
    do {
      const { data } = (await shop.get(`${PATH}/${_id}/customers?limit=3${next && `&after=${next}`}`)).body
      seen.push(...data.customers.map((one: { _id: string }) => one._id))
      next = data.next
    } while (next !== null)
    expect(seen).toEqual(made.toSorted())
    const wanted = {
      match: 'all' as const,
      tests: [{ kind: 'orders' as const, hasSome: true, productIds: [], categoryIds: [], from: undefined }],
    }
    const sorted = made.toSorted()
    const stretch = (after: string) => listMembers(db, shop.shopId, wanted, { after, walk: 3, limit: 10 })
    expect(await stretch('')).toEqual({ members: [], last: sorted[2] })
    const second = await stretch(sorted[2]!)
    expect(second.last).toBe(sorted[5])
    expect(second.members.map(({ id }) => id)).toEqual([made[5]])
    expect(await stretch(sorted[5]!)).toEqual({ members: [], last: null })
  })

  it('the same customers whether the buyers of goods are looked up first or each customer is looked at', async () => {
    const { shop, categoryId, lamp, vase } = await makeStall()
    const ann = await makeCustomer(shop, 'Ann')
    const bob = await makeCustomer(shop, 'Bob')
    await makeCustomer(shop, 'Cam')
    await buy(shop, ann, lamp)
    await buy(shop, ann, lamp)
    await buy(shop, bob, vase)
    const [before, after] = [new Date(0), new Date('2100-01-01')]
    for (const hasSome of [true, false])
      for (const from of [undefined, before, after])
        for (const goods of [
          { productIds: [lamp], categoryIds: [] },
          { productIds: [lamp, vase], categoryIds: [] },
          { productIds: [vase], categoryIds: [categoryId] },
          { productIds: [unusedId()], categoryIds: [] },
        ]) {
          const customerIds = (await findBuyers(db, shop.shopId, { ...goods, from }, 3))!
          const find = async (tests: Wanted['tests']) =>
            (await listMembers(db, shop.shopId, { match: 'all', tests }, { after: '', walk: 10, limit: 10 }))
              .members
          const each = await find([{ kind: 'orders', hasSome, from, ...goods }])
          expect(await find([{ kind: 'buyers', hasSome, customerIds }])).toEqual(each)
        }
    expect(
      await findBuyers(db, shop.shopId, { productIds: [lamp], categoryIds: [], from: undefined }, 2),
    ).toEqual([ann])
    expect(
      await findBuyers(db, shop.shopId, { productIds: [lamp], categoryIds: [], from: undefined }, 1),
    ).toBeUndefined()
  })

  it('buyers of a category include those of its retired products, and the category can still be deleted', async () => {
    const { shop, categoryId, lamp, vase } = await makeStall()
    const [ann, bob] = [await makeCustomer(shop, 'Ann'), await makeCustomer(shop, 'Bob')]
    const { _id } = await buy(shop, ann, lamp)
    await buy(shop, bob, vase)
    await moveOrder(shop, _id, 'completed')
    expect((await shop.call('DELETE', `/api/external/v1/products/${lamp}`)).status).toBe(200)
    expect(await namesOf(shop, [{ kind: 'bought', categoryIds: [categoryId] }])).toEqual(['Ann'])
    expect(await namesOf(shop, [{ kind: 'notBought', categoryIds: [categoryId] }])).toEqual(['Bob'])
    expect((await shop.call('DELETE', `/api/external/v1/categories/${categoryId}`)).status).toBe(200)
  })

  it('another shop’s customers, orders and goods never count', async () => {
    const own = await makeStall()
    const other = await makeStall()
    await buy(other.shop, await makeCustomer(other.shop, 'Người khác'), other.lamp)
    const mine = await makeCustomer(own.shop, 'Lan')
    await buy(own.shop, mine, own.vase)
    expect(await namesOf(own.shop, [{ kind: 'bought', productIds: [other.lamp] }])).toEqual([])
    expect(await namesOf(own.shop, [{ kind: 'bought' }])).toEqual(['Lan'])
    const { _id } = (await other.shop.post(PATH, { name: 'A', conditions: DEBT })).body.data
    for (const path of [`${PATH}/${_id}`, `${PATH}/${_id}/customers`])
      expect((await own.shop.get(path)).body).toEqual(
        (await own.shop.get(path.replace(_id, unusedId()))).body,
      )
  })

  it('403 for a key without the scope orders or messages', async () => {
    const shop = await makeShop(running)
    for (const scopes of [['orders'], ['messages']]) {
      const made = await manage(running, 'POST', `/shops/${shop.shopId}/keys`, { name: 'k', scopes })
      const partner = partnerOf(running, shop.shopId, made.body.data.apiKey)
      expect((await partner.post(PATH, { name: 'A', conditions: DEBT })).status).toBe(403)
      expect((await partner.get(PATH)).status).toBe(403)
    }
  })
})
