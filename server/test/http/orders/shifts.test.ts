import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loseAnswer, withKey } from '../../support/idempotency.ts'
import { POS, stockedSku } from '../../support/inventory.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { moveOrder, payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, send, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const SHIFTS = '/api/external/v1/shifts'

async function open(shop: Partner, openingCash = 500_000, headers = {}) {
  const answer = await shop.post(SHIFTS, { openingCash }, headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const read = async (shop: Partner, id: string) => (await shop.get(`${SHIFTS}/${id}`)).body.data
const cash = (shop: Partner, id: string, amount: number, reason = 'tiền lẻ') =>
  shop.post(`${SHIFTS}/${id}/cash`, { amount, reason })
const close = (shop: Partner, id: string, countedCash: number, expectedCash: number) =>
  shop.post(`${SHIFTS}/${id}/close`, { countedCash, expectedCash })

/** The same shop, called by one of its members. */
async function asMember(
  shop: Partner,
  role: 'staff' | 'owner' = 'staff',
): Promise<Partner & { memberId: string }> {
  const { id, email } = await makePerson(running.deps, { shopId: shop.shopId, role })
  const own = { cookie: await signIn(running, email), 'x-shop-id': shop.shopId }
  const call: Partner['call'] = (method, path, body, headers) =>
    send(running, method, path, body, { ...own, ...headers })
  return {
    ...shop,
    memberId: id,
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body) => call('PATCH', path, body),
  }
}

describe('G-40 shifts at the counter', () => {
  it('403 for staff who close or move the cash of another shift; owners and keys may, and 404 for none', async () => {
    const shop = await makeShop(running)
    const [lan, mai, owner] = [await asMember(shop), await asMember(shop), await asMember(shop, 'owner')]
    const shift = await open(lan)
    for (const answer of [await cash(mai, shift._id, -1_000), await close(mai, shift._id, 0, 500_000)]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'SHIFT_OF_ANOTHER'])
    }
    expect((await close(mai, unusedId(), 0, 0)).status).toBe(404)
    expect((await cash(lan, shift._id, -1_000)).status).toBe(201)
    expect((await cash(owner, shift._id, -1_000)).status).toBe(201)
    expect((await cash(shop, shift._id, -1_000)).status).toBe(201)
    expect((await close(owner, shift._id, 497_000, 497_000)).status).toBe(200)
    expect((await read(shop, shift._id)).movements).toHaveLength(3)
  })

  it('200 with select=payments lists its payments, the newest first, with their orders and customers; 400 for another word', async () => {
    const shop = await makeShop(running)
    const other = await asMember(shop)
    const skuId = await stockedSku(shop, 10)
    const customer = { fullName: 'Trần Bưởi', openingDebt: 70_000 }
    const { _id } = (await shop.post('/api/external/v1/customers', customer)).body.data
    const shift = await open(shop)
    const order = await placeOrder(shop, skuId, 1, { userId: _id, paidAmount: 30_000, paymentMethod: 'cash' })
    await other.post(POS, { orderItems: [{ id: skuId, quantity: 1 }], isPaid: true, paymentMethod: 'cash' })
    const path = `/api/external/v1/customers/${_id}/payments`
    expect((await shop.post(path, { amount: 90_000, paymentMethod: 'transfer', note: 'nợ' })).status).toBe(
      201,
    )
    expect(await read(shop, shift._id)).not.toHaveProperty('payments')
    const { payments } = (await shop.get(`${SHIFTS}/${shift._id}?select=payments`)).body.data
    const who = { _id, fullName: 'Trần Bưởi' }
    const part = { orderId: order._id, code: order.code, customer: who }
    const later = payments
      .slice(0, 2)
      .toSorted((a: { amount: number }, b: { amount: number }) => a.amount - b.amount)
    expect(later).toMatchObject([
      { ...part, amount: 20_000, paymentMethod: 'transfer', note: 'nợ' },
      { orderId: null, code: null, customer: who, amount: 70_000, paymentMethod: 'transfer' },
    ])
    expect(payments.slice(2)).toMatchObject([{ ...part, amount: 30_000, paymentMethod: 'cash' }])
    expect((await shop.get(`${SHIFTS}/${shift._id}?select=orders`)).body.validation.query.keys).toEqual([
      'select',
    ])
    const stranger = await makeShop(running)
    expect((await stranger.get(`${SHIFTS}/${shift._id}?select=payments`)).status).toBe(404)
  })

  it('201, payments and refunds of who opened it are summed by method, those of others are not; 200 with the difference', async () => {
    const shop = await makeShop(running)
    const lan = await asMember(shop)
    const skuId = await stockedSku(shop, 50)
    await placeOrder(lan, skuId, 1, { isPaid: true, paymentMethod: 'cash' })
    const shift = await open(lan)
    expect(shift).toMatchObject({
      openedBy: { type: 'member', id: lan.memberId, name: 'Người thử' },
      openingCash: 500_000,
      methods: [],
      expectedCash: 500_000,
      closedAt: null,
      countedCash: null,
      difference: null,
      movements: [],
    })
    await placeOrder(lan, skuId, 2, { isPaid: true, paymentMethod: 'cash' })
    await placeOrder(lan, skuId, 1, { isPaid: true, paymentMethod: 'transfer' })
    const owed = await placeOrder(lan, skuId, 3, { paidAmount: 100_000, paymentMethod: 'card' })
    await payOrder(lan, owed._id, 250_000, { paymentMethod: 'cash' })
    await moveOrder(lan, owed._id, 'cancelled')
    await payOrder(lan, owed._id, 220_000, { paymentMethod: 'cash' })
    await placeOrder(shop, skuId, 1, { isPaid: true, paymentMethod: 'cash' })
    expect((await cash(lan, shift._id, 40_000)).status).toBe(201)
    expect((await cash(lan, shift._id, -15_000, ' mua túi ')).status).toBe(201)

    const now = await read(lan, shift._id)
    expect(now).toMatchObject({
      methods: [
        { method: 'card', taken: 100_000, refunded: 0, payments: 1 },
        { method: 'cash', taken: 350_000, refunded: 30_000, payments: 3 },
        { method: 'transfer', taken: 100_000, refunded: 0, payments: 1 },
      ],
      cashIn: 40_000,
      cashOut: 15_000,
      expectedCash: 845_000,
    })
    expect(now.movements).toMatchObject([
      { amount: 40_000, reason: 'tiền lẻ', recordedBy: { id: lan.memberId } },
      { amount: -15_000, reason: 'mua túi' },
    ])
    const closed = (await close(shop, shift._id, 840_000, 845_000)).body.data
    expect(closed).toMatchObject({
      ...now,
      closedAt: expect.any(String),
      countedCash: 840_000,
      difference: -5_000,
      closedBy: { type: 'key' },
    })

    await placeOrder(lan, skuId, 1, { isPaid: true, paymentMethod: 'cash' })
    expect(await read(lan, shift._id)).toEqual(closed)
    const next = await open(lan, 840_000)
    expect(next.methods).toEqual([])
  })

  it('200 closes a shift with more cash than a drawer can be given at once', async () => {
    const shop = await makeShop(running)
    const most = 1_000_000_000_000
    const { _id } = await open(shop, most)
    expect((await cash(shop, _id, most)).status).toBe(201)
    const closed = await close(shop, _id, 2 * most, 2 * most)
    expect([closed.status, closed.body.data]).toMatchObject([200, { expectedCash: 2 * most, difference: 0 }])
    await open(shop)
  })

  it('x-sale-age: a sale that was made before the shift was opened is in none, one that was made in it is in it; 400 for no age', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop, 50)
    const shift = await open(shop, 0)
    const sell = (age: string) =>
      shop.post(
        POS,
        { orderItems: [{ id: skuId, quantity: 1 }], paidAmount: 40_000, paymentMethod: 'cash' },
        { 'x-sale-age': age },
      )
    const payRest = ({ _id }: { _id: string }, age: string) =>
      shop.call(
        'PATCH',
        `/api/external/v1/orders/${_id}/payment`,
        { paidAmount: 100_000 },
        { 'x-sale-age': age },
      )
    const takings = async () => (await read(shop, shift._id)).expectedCash
    const earlier = (await sell('3600')).body.data
    expect((await payRest(earlier, '3600')).status).toBe(200)
    expect(await takings()).toBe(0)
    const later = (await sell('0')).body.data
    expect(await takings()).toBe(40_000)
    expect((await payRest(later, '0')).status).toBe(200)
    expect(await takings()).toBe(100_000)
    for (const age of ['', '-5', '1,5', 'today', '9999999999']) {
      const { status, body } = await sell(age)
      expect([age, status, body.validation?.headers?.keys]).toEqual([age, 400, ['x-sale-age']])
    }
  })

  it('409 SHIFT_OPEN for a second one of the same member or key, also at once; another’s is its own', async () => {
    const shop = await makeShop(running)
    const lan = await asMember(shop)
    const answers = await Promise.all([1, 2, 3].map(() => lan.post(SHIFTS, { openingCash: 0 })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('SHIFT_OPEN')
    await open(shop)
    expect((await lan.get(`${SHIFTS}?state=open`)).body.data).toHaveLength(2)
    const mine = (await lan.get(`${SHIFTS}?state=open&mine=true`)).body.data
    expect(mine.map(({ openedBy }: { openedBy: { id: string } }) => openedBy.id)).toEqual([lan.memberId])
  })

  it('409 SHIFT_CASH_CHANGED when money came since the count was compared; then the shift is still open', async () => {
    const shop = await makeShop(running)
    const shift = await open(shop)
    await placeOrder(shop, await stockedSku(shop, 5), 1, { isPaid: true, paymentMethod: 'cash' })
    const refused = await close(shop, shift._id, 500_000, 500_000)
    expect([refused.status, refused.body.code]).toEqual([409, 'SHIFT_CASH_CHANGED'])
    // As on the screen, in Vietnamese with a no-break space.
    expect(refused.body.message).toContain(' ₫600,000.')
    const body = { countedCash: 500_000, expectedCash: 500_000 }
    const inVietnamese = { 'accept-language': 'vi' }
    const again = await shop.post(`${SHIFTS}/${shift._id}/close`, body, inVietnamese)
    expect(again.body.message).toContain(' 600.000\u00a0₫.')
    expect((await close(shop, shift._id, 600_000, 600_000)).body.data.difference).toBe(0)
  })

  it('a closed shift never changes: 409 SHIFT_CLOSED, and the database refuses it too', async () => {
    const shop = await makeShop(running)
    const shift = await open(shop, 0)
    await cash(shop, shift._id, 1_000)
    await close(shop, shift._id, 1_000, 1_000)
    for (const answer of [await close(shop, shift._id, 0, 1_000), await cash(shop, shift._id, 5_000)])
      expect([answer.status, answer.body.code]).toEqual([409, 'SHIFT_CLOSED'])
    const mine = sql`shop_id = ${shop.shopId}`
    for (const change of [
      sql`update shifts set counted_cash = 5 where ${mine}`,
      sql`update shifts set closed_at = null, closed_by = null, expected_cash = null, counted_cash = null where ${mine}`,
      sql`delete from shifts where ${mine}`,
      sql`update shift_cash set amount = 5 where ${mine}`,
      sql`delete from shift_cash where ${mine}`,
    ])
      await expect(change.execute(db)).rejects.toThrow('append-only')
  })

  it('201 once for a repeated Idempotency-Key, of a shift and of its cash', async () => {
    const shop = await makeShop(running)
    const key = { 'idempotency-key': 'open-1' }
    const first = await open(shop, 500_000, key)
    expect(await open(shop, 500_000, key)).toEqual(first)
    for (let n = 0; n < 2; n++)
      await shop.post(
        `${SHIFTS}/${first._id}/cash`,
        { amount: 1_000, reason: 'lẻ' },
        { 'idempotency-key': 'in-1' },
      )
    expect((await read(shop, first._id)).cashIn).toBe(1_000)
  })

  it('G-10 200 with the closed shift when a close is repeated after its response was lost; 409 with another key', async () => {
    const shop = await makeShop(running)
    const { _id: id } = await open(shop, 5_000)
    const closeWith = (key: string) =>
      shop.post(`${SHIFTS}/${id}/close`, { countedCash: 4_000, expectedCash: 5_000 }, withKey(key))
    const first = await closeWith('k')
    expect([first.status, first.body.data.difference]).toEqual([200, -1_000])
    await loseAnswer(db, shop.shopId, 'k')
    const again = await closeWith('k')
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await closeWith('other')).body.code).toBe('SHIFT_CLOSED')
  })

  it('400 without an amount or a reason and for a drawer below 0; 404 for another shop’s', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    const shift = await open(shop)
    const wrong = [
      await cash(shop, shift._id, 0),
      await cash(shop, shift._id, 5_000, ' '),
      await shop.post(SHIFTS, { openingCash: -1 }),
      await close(shop, shift._id, -1, 500_000),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    for (const answer of [
      await other.get(`${SHIFTS}/${shift._id}`),
      await cash(other, shift._id, 1_000),
      await close(other, shift._id, 0, 0),
      await shop.get(`${SHIFTS}/${unusedId()}`),
    ])
      expect(answer.status).toBe(404)
  })

  it('lists the newest first, by page and by cursor', async () => {
    const shop = await makeShop(running)
    const made: string[] = []
    for (let n = 0; n < 3; n++) {
      const shift = await open(shop, n)
      await close(shop, shift._id, n, n)
      made.unshift(shift._id)
    }
    const idsOf = ({ body }: { body: { data: { _id: string }[] } }) => body.data.map(({ _id }) => _id)
    expect(idsOf(await shop.get(SHIFTS))).toEqual(made)
    expect(idsOf(await shop.get(`${SHIFTS}?state=open`))).toEqual([])
    const first = await shop.get(`${SHIFTS}?cursor=*&limit=2`)
    const cursor = encodeURIComponent(first.body.meta.nextCursor)
    const rest = await shop.get(`${SHIFTS}?limit=2&cursor=${cursor}`)
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(made)
    expect(rest.body.meta.nextCursor).toBeNull()
  })

  it('counts every payment exactly once while it is closed: in it, or in none', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop, 500)
    const shift = await open(shop, 0)
    const selling = Array.from({ length: 40 }, () =>
      shop.post(POS, { orderItems: [{ id: skuId, quantity: 1 }], isPaid: true, paymentMethod: 'cash' }),
    )
    const closing = (async () => {
      for (;;) {
        const { expectedCash } = await read(shop, shift._id)
        const answer = await close(shop, shift._id, expectedCash, expectedCash)
        if (answer.status === 200) return answer.body.data
        expect(answer.body.code).toBe('SHIFT_CASH_CHANGED')
      }
    })()
    const sold = await Promise.all(selling)
    expect(new Set(sold.map(({ status }) => status))).toEqual(new Set([200]))
    const closed = await closing
    expect(await read(shop, shift._id)).toEqual(closed)
    const { rows } = await sql<{ inside: number; all: number }>`
      select count(shift_id) * 100000 as inside, count(*) as all
      from gateway_payments
      where shop_id = ${shop.shopId}`.execute(db)
    expect(rows[0]).toEqual({ inside: closed.expectedCash, all: 40 })
  })
})
