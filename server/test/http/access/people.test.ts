import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BATCHES, type BatchShop, batchTo, makeBatchShop } from '../../support/batches.ts'
import { isDumped, tablesWith } from '../../support/dump.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { macOf, postRaw, storedEvents } from '../../support/platform-events.ts'
import { eventually, manage, send, service, unusedId } from '../../support/service.ts'
import { makeProduct } from '../orders/order-fixtures.ts'

const running = await service()
const { db } = running.deps
const shopTotals = async ({ shop: { shopId } }: BatchShop) => {
  const { rows: entries } = await sql`
    select id, type, amount, held_change, balance_after, held_after, message_id, owed, created_at
    from wallet_entries where shop_id = ${shopId} and type <> 'release' order by id`.execute(db)
  const { rows: orders } = await sql`
    select id, code, price, discount, origin_price, paid_amount, untaxed_price, status, customer_id
    from orders where shop_id = ${shopId} order by id`.execute(db)
  const { rows: payments } = await sql`
    select id, amount, method from gateway_payments where shop_id = ${shopId} order by id`.execute(db)
  return { entries, orders, payments }
}
const call = (shopId: string, what: string, phone: string) =>
  manage(running, 'POST', `/shops/${shopId}/people/${what}`, { phone })

/** A shop with the number in every place that it can reach, in many spellings. `n` is its nine digits. */
async function shopWith(n: string): Promise<BatchShop & { customerId: string }> {
  const made = await makeBatchShop(running, 10_000)
  const { shop, template } = made
  const { shopId } = shop
  const grouped = `0${n.slice(0, 3)} ${n.slice(3, 6)} ${n.slice(6)}`
  const fields = { fullName: 'Trần Thị Lan', phone: `0${n}`, email: `${n}@x.example`, note: `Zalo +84${n}` }
  const key = { 'idempotency-key': `khach-0${n}` }
  const customer = (await shop.post('/api/external/v1/customers', fields, key)).body.data
  const { skuIds } = await makeProduct(running, shop)
  const orderItems = [{ id: skuIds[0], quantity: 1 }]
  const place = async (body: object) =>
    (await shop.post('/api/external/order/pos/create', { orderItems, ...body })).body.data
  const order = await place({ userId: customer._id, note: `giao trước 8h, gọi ${grouped}`, isPaid: true })
  await place({ note: `khách lẻ (+84) ${n}` })
  await shop.patch(`/api/external/v1/orders/${order._id}/status`, {
    status: 'cancelled',
    reasonCancel: `${n} không nghe máy`,
  })
  await shop.post('/api/external/v1/consents', { phone: n, status: 'granted', source: `phiếu của 84${n}` })
  await manage(running, 'POST', `/shops/${shopId}/wallet/entries`, { amount: 500, note: `nạp qua 0${n}` })
  await manage(running, 'PUT', `/shops/${shopId}/suspension`, { reason: `khiếu nại của 0${n}` })
  await manage(running, 'DELETE', `/shops/${shopId}/suspension`)
  const message = batchTo(made, [`0${n}`]).messages[0]
  await shop.post('/api/external/notify-message/send', { templateId: template.id, ...message })
  // The receipt also contains the phone number, and arrives by itself. The account has other events too.
  await eventually(async () =>
    (await storedEvents(running, template.oaId)).some(({ body }) => JSON.stringify(body).includes(`84${n}`)),
  )
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  await shop.post(BATCHES, batchTo(made, [`0${n}`, '0987000111'], { scheduledAt, name: `thử ${grouped}` }))
  await shop.post('/api/external/news', {
    title: 'Tin',
    content: `<p>Hotline 0${n.slice(0, 3)}.${n.slice(3)}</p>`,
  })
  const [endpoint, event] = [unusedId(), unusedId()]
  const body = { oa_id: template.oaId, info: { phone: Number(`84${n}`), text: `số 0${n}` } }
  await sql`
    insert into platform_events (id, oa_id, name, body, received_at, processed_at, outcome)
    values (${unusedId()}, ${template.oaId}, 'user_submit_info', ${JSON.stringify(body)}::jsonb, now(), now(), 'ignored')`.execute(
    db,
  )
  await sql`
    insert into webhook_endpoints (shop_id, id, url, events, secret, disabled_at, disabled_reason, created_at, updated_at)
    values (${shopId}, ${endpoint}, ${`https://hooks.example.com/?to=0${n}`}, '{wallet.low}', '\\x00', now(), 'requested', now(), now())`.execute(
    db,
  )
  await sql`
    insert into shop_events (shop_id, id, type, data, created_at)
    values (${shopId}, ${event}, 'wallet.low', ${JSON.stringify({ note: `84${n}` })}::jsonb, now())`.execute(
    db,
  )
  await sql`
    insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, created_at)
    values (${shopId}, ${endpoint}, ${event}, 'failed', now(), now()) on conflict do nothing`.execute(db)
  await sql`
    insert into webhook_attempts (shop_id, endpoint_id, event_id, number, status, duration_ms, answer, created_at)
    values (${shopId}, ${endpoint}, ${event}, 1, 500, 5, ${`unknown customer 0${n}`}, now())`.execute(db)
  const importId = unusedId()
  await sql`
    insert into product_imports (shop_id, id, upload_id, format, mode, is_dry_run, language, status, created_at, updated_at, finished_at)
    values (${shopId}, ${importId}, ${unusedId()}, 'csv', 'each-row', false, 'vi', 'done', now(), now(), now())`.execute(
    db,
  )
  await sql`
    insert into product_import_errors (shop_id, import_id, n, line, column_name, message)
    values (${shopId}, ${importId}, 1, 2, 'price', ${`"0${n}" must be a number`})`.execute(db)
  await sql`
    insert into pgboss.job (name, state, completed_on, data, output)
    select name, 'completed', now(), ${JSON.stringify({ shopId })}::jsonb, ${JSON.stringify({ error: `no 0${n}` })}::jsonb
    from pgboss.queue limit 1`.execute(db)
  return { ...made, customerId: customer._id }
}

const EXPECTED = [
  'audit_entries',
  'consents',
  'customers',
  'idempotency_keys',
  'message_batches',
  'messages',
  'news',
  'order_events',
  'orders',
  'platform_events',
  'product_import_errors',
  'shop_events',
  'wallet_entries',
  'webhook_attempts',
  'webhook_endpoints',
]

describe('G-78 erase one person', () => {
  it('200, and no table, no queue and no dump has the number, while orders’ sums and the ledger stay', async () => {
    const n = '912000661'
    const made = await shopWith(n)
    const before = await tablesWith(running, `84${n}`)
    expect(Object.keys(before).filter((name) => !name.startsWith('pgboss'))).toEqual(
      expect.arrayContaining(EXPECTED),
    )
    expect(Object.keys(before).some((name) => name.startsWith('pgboss.job'))).toBe(true)
    expect(await isDumped(running, `84${n}`)).not.toBe(false)
    const totals = await shopTotals(made)
    const answer = await call(made.shop.shopId, 'erase', `+84 ${n}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(answer.body.data).toMatchObject({
      customers: 1,
      orders: 1,
      consents: 1,
      cancelled: 1,
      messages: 2,
    })
    expect(await tablesWith(running, `84${n}`)).toEqual({})
    expect(await isDumped(running, `84${n}`)).not.toBe(true)
    expect(await shopTotals(made)).toEqual(totals)
    const { customers } = (await made.shop.get('/api/external/v1/customers')).body.data
    expect(customers).toMatchObject([
      { _id: made.customerId, fullName: '[erased]', phone: '', email: '', note: '' },
    ])
    const { orders } = (await made.shop.get(`/api/external/v1/orders?customerId=${made.customerId}`)).body
      .data
    expect(orders).toHaveLength(1)
    const { histories } = (await made.shop.get('/api/external/notify-message/history')).body
    expect(histories.map((one: { phone: string }) => one.phone)).toEqual(['[erased]', '[erased]'])
    const log = (await manage(running, 'GET', `/shops/${made.shop.shopId}/audit?action=person.erase`)).body
      .data
    expect(log).toMatchObject([
      { target: { customerId: made.customerId }, detail: { customers: 1, orders: 1 } },
    ])
    expect((await call(made.shop.shopId, 'erase', `0${n}`)).body.data).toMatchObject({
      customers: 0,
      mentions: {},
    })
  })

  it('200, and an order of the person is still found by its reference, which is kept', async () => {
    const n = '944411296'
    const { shop } = await makeBatchShop(running, 0)
    const { skuIds } = await makeProduct(running, shop)
    const customer = (await shop.post('/api/external/v1/customers', { fullName: 'Lan', phone: `0${n}` })).body
      .data
    const place = async (reference: string) =>
      (
        await shop.post('/api/external/order/pos/create', {
          orderItems: [{ id: skuIds[0], quantity: 1 }],
          userId: customer._id,
          reference,
        })
      ).body.data
    const { _id } = await place('PHIEU-7C1')
    await place(`0${n}`)
    expect((await call(shop.shopId, 'erase', n)).body.data).toMatchObject({ customers: 1, orders: 2 })
    const { orders } = (await shop.get('/api/external/v1/orders?search=phieu-7c1')).body.data
    expect(orders).toMatchObject([{ _id, reference: 'PHIEU-7C1', search: 'dh1 [erased] phieu-7c1' }])
    expect(await tablesWith(running, `84${n}`)).toEqual({})
    expect((await call(shop.shopId, 'erase', n)).body.data).toMatchObject({ orders: 0, mentions: {} })
  })

  it('200, and the history of a product that was named by the number does not get the old name', async () => {
    const n = '944411292'
    const { shop } = await makeBatchShop(running, 0)
    const products = '/api/external/v1/products'
    const sku = { price: 5_000, name: `Cỡ S 0${n}`, variantOptionIds: ['s'] }
    const variants = [{ id: 'c', name: 'Cỡ', options: [{ id: 's', value: 'S' }] }]
    const { _id } = (await shop.post(products, { name: `Đặt riêng 0${n}`, price: 5_000 })).body.data
    await shop.put(`${products}/${_id}/variants`, { skus: [sku], variants })
    const history = async () => (await shop.get(`${products}/${_id}/history`)).body.data
    const before = await history()
    expect((await call(shop.shopId, 'erase', n)).body.data.mentions).toMatchObject({
      'products.name': 1,
      'skus.name': 1,
    })
    expect((await shop.get(`${products}/${_id}`)).body.data.name).toBe('Đặt riêng [erased]')
    expect(await tablesWith(running, `84${n}`)).toEqual({})
    expect((await call(shop.shopId, 'export', n)).body.data.mentions).toEqual([])
    expect(await history()).toEqual(JSON.parse(JSON.stringify(before).replaceAll(`0${n}`, '[erased]')))
  })

  it('200, and orders paid by a method that names the number are counted by its new name', async () => {
    const n = '944411294'
    const { shop } = await makeBatchShop(running, 0)
    const { skuIds } = await makeProduct(running, shop)
    const body = { orderItems: [{ id: skuIds[0], quantity: 1 }], paymentMethod: `momo 0${n}`, isPaid: true }
    for (const _ of [1, 2]) await shop.post('/api/external/order/pos/create', body)
    const counted = async (method: string) => {
      const path = `/api/external/v1/orders?paymentMethod=${encodeURIComponent(method)}`
      const { orders, meta, orderCountByStatus } = (await shop.get(path)).body.data
      return [orders.length, meta.total, orderCountByStatus.pending]
    }
    expect((await call(shop.shopId, 'erase', n)).body.data.mentions).toMatchObject({
      'orders.payment_method': 2,
    })
    expect(await counted('momo [erased]')).toEqual([2, 2, 2])
    expect(await counted(`momo 0${n}`)).toEqual([0, 0, 0])
    expect(await tablesWith(running, `84${n}`)).toEqual({})
    const { rows } = await sql`
      select payment_method, min(n)::integer as n from order_counts where shop_id = ${shop.shopId} group by 1`.execute(
      db,
    )
    expect(rows).toEqual([{ payment_method: 'momo [erased]', n: 2 }])
  })

  it('200, and a change based on a record from before is refused with 412, so the number does not return', async () => {
    const n = '944411295'
    const { shop } = await makeBatchShop(running, 0)
    const products = '/api/external/v1/products'
    const { _id } = (await shop.post(products, { name: `Giao cho 0${n}`, price: 5_000 })).body.data
    const path = `${products}/${_id}`
    const tag = (await shop.get(path)).headers.etag!
    await call(shop.shopId, 'erase', n)
    const renamed = { shopId: shop.shopId, name: `Giao cho 0${n}` }
    expect((await shop.call('PATCH', path, renamed, { 'if-match': tag })).body.code).toBe('RECORD_CHANGED')
    expect((await shop.get(path)).body.data.name).toBe('Giao cho [erased]')
  })

  it('200, and a product’s skuDrafts keep the keys of their caller, but not the number in a name', async () => {
    const n = '944411293'
    const { shop } = await makeBatchShop(running, 0)
    const products = '/api/external/v1/products'
    const variants = [{ id: 'c', name: `Của 0${n}`, options: [{ id: `84${n}`, value: 'S' }] }]
    const skus = [{ price: 5_000, name: `Cỡ S 0${n}`, variantOptionIds: [`84${n}`] }]
    const { _id } = (await shop.post(products, { name: 'Đặt riêng', price: 5_000, skus, variants })).body.data
    const drafts = async () => (await shop.get(`${products}/${_id}`)).body.data.skuDrafts
    const before = await drafts()
    expect((await call(shop.shopId, 'export', n)).body.data.mentions).toContainEqual(
      expect.objectContaining({ place: 'products.sku_drafts' }),
    )
    expect((await call(shop.shopId, 'erase', n)).body.data.mentions).toMatchObject({
      'products.sku_drafts': 1,
    })
    expect(await drafts()).toEqual(JSON.parse(JSON.stringify(before).replaceAll(`0${n}`, '[erased]')))
    expect((await call(shop.shopId, 'export', n)).body.data.mentions).toEqual([])
  })

  it('of one shop leaves another shop’s, and everywhere takes both, what belongs to no shop among it', async () => {
    const n = '912000777'
    const [one, other] = [await shopWith(n), await shopWith(n)]
    const ofOther = await shopTotals(other)
    expect((await call(one.shop.shopId, 'erase', n)).status).toBe(200)
    const exported = (await call(other.shop.shopId, 'export', n)).body.data
    expect(exported).toMatchObject({
      customers: [{ _id: other.customerId }],
      orders: [{}],
      messages: [{}, {}],
    })
    const left = await tablesWith(running, `84${n}`)
    expect(left).toMatchObject({ customers: 1, consents: 1, messages: 2 })
    const body = { phone: n }
    const everywhere = await manage(running, 'POST', '/people/erase', body)
    expect(everywhere.body.data).toMatchObject({ shops: 1, customers: 1, orders: 1 })
    expect(await tablesWith(running, `84${n}`)).toEqual({})
    expect(await shopTotals(other)).toEqual(ofOther)
  })

  it('that broke off in the middle is finished by the next', async () => {
    const n = '912000888'
    const made = await shopWith(n)
    await running.database.execScript(`
      create function break_off() returns trigger language plpgsql as 'begin raise exception ''cut''; end';
      create trigger break_off before update on news for each row execute function break_off();`)
    const goOn = () =>
      running.database.execScript(
        'drop trigger if exists break_off on news; drop function if exists break_off();',
      )
    onTestFinished(goOn)
    expect((await call(made.shop.shopId, 'erase', n)).status).toBe(500)
    const left = await tablesWith(running, `84${n}`)
    expect(left).toMatchObject({ news: 1 })
    expect(left.customers).toBeUndefined()
    await goOn()
    expect((await call(made.shop.shopId, 'erase', n)).status).toBe(200)
    expect(await tablesWith(running, `84${n}`)).toEqual({})
  })

  it('200, and a receipt that was on its way meanwhile is applied and keeps nothing of the number', async () => {
    const n = '912000889'
    const { shop, template } = await shopWith(n)
    const { oaId } = template
    expect((await call(shop.shopId, 'erase', n)).status).toBe(200)
    // A received message, whose receipt is processed in a group, and a cancelled one, whose receipt is processed alone.
    const { histories } = (await shop.get('/api/external/notify-message/history')).body
    const trackingIds: string[] = histories.map((one: { _id: string }) => one._id)
    expect(histories.map((one: { status: string }) => one.status).toSorted()).toEqual(['ERROR', 'RECEIVED'])
    const before = await storedEvents(running, oaId)
    for (const tracking_id of trackingIds) {
      const timestamp = String(Date.now())
      const message = { tracking_id, msg_id: `of-${tracking_id}`, delivery_time: timestamp }
      const raw = JSON.stringify({
        ...{ event_name: 'user_received_message', app_id: 'simulator', timestamp, message },
        ...{ sender: { id: oaId }, recipient: { id: `84${n}` } },
      })
      expect((await postRaw(running, `/${oaId}`, raw, macOf(raw, timestamp))).status).toBe(200)
    }
    const known = new Set(before.map(({ id }) => id))
    const come = async () => (await storedEvents(running, oaId)).filter(({ id }) => !known.has(id))
    await eventually(async () => (await come()).filter((one) => one.processed_at !== null).length === 2)
    expect((await come()).map(({ outcome, body }) => [outcome, body])).toEqual([
      ['applied', {}],
      ['applied', {}],
    ])
    expect(await tablesWith(running, `84${n}`)).toEqual({})
  })

  it('409 while a message’s outcome is unknown, or a file with the number is being imported; nothing is erased', async () => {
    const n = '912000999'
    const made = await shopWith(n)
    const { shopId } = made.shop
    const before = await tablesWith(running, `84${n}`)
    for (const pieces of [
      [`name,price\nÁo,0${n}\n`],
      [`name,price\nÁo,0${n.slice(0, 4)}`, `${n.slice(4)}\n`],
    ]) {
      const uploadId = unusedId()
      for (const [at, text] of pieces.entries()) {
        await sql`
          insert into product_import_chunks (shop_id, upload_id, n, bytes, created_at)
          values (${shopId}, ${uploadId}, ${at}, ${Buffer.from(text)}, now())`.execute(db)
      }
      expect((await call(shopId, 'erase', n)).body.code).toBe('PERSON_IN_IMPORT')
      await sql`delete from product_import_chunks where shop_id = ${shopId}`.execute(db)
    }
    await sql`
      update messages set state = 'UNKNOWN', settle_at = now() + interval '1 hour'
      where shop_id = ${shopId} and state = 'QUEUED' and phone = ${`84${n}`}`.execute(db)
    const answer = await call(shopId, 'erase', n)
    expect([answer.status, answer.body.code]).toEqual([409, 'PERSON_HAS_OPEN_MESSAGES'])
    expect((await manage(running, 'POST', '/people/erase', { phone: n })).status).toBe(409)
    expect(await tablesWith(running, `84${n}`)).toEqual(before)
  })
})

describe('G-78 export one person', () => {
  it('200 with customer, orders and messages with their timelines, consents, and every other mention', async () => {
    const n = '912000666'
    const { shop, customerId } = await shopWith(n)
    const { body } = await call(shop.shopId, 'export', `0${n}`)
    const { data } = body
    expect(data).toMatchObject({ phone: `84${n}`, customers: [{ _id: customerId, email: `${n}@x.example` }] })
    expect(
      data.orders.map((one: { timeline: { kind: string }[] }) => one.timeline.map(({ kind }) => kind)),
    ).toEqual([['created', 'payment', 'status']])
    const kinds = data.messages.map((one: { timeline: { kind: string }[] }) => one.timeline[0]?.kind)
    expect(kinds).toEqual(['accepted', 'accepted'])
    expect(data.consents).toMatchObject([{ status: 'granted', source: `phiếu của 84${n}` }])
    const places = new Set(data.mentions.map((one: { place: string }) => one.place))
    expect([...places]).toEqual(
      expect.arrayContaining(['wallet_entries.note', 'news.content', 'platform_events.body']),
    )
  })

  it('is for the shop’s owner and the operator; 401 for staff and another shop’s owner, 400 for an invalid number', async () => {
    const made = await makeBatchShop(running, 0)
    const { shopId } = made.shop
    const as = async (role: 'owner' | 'staff', of: string) => {
      const { email } = await makePerson(running.deps, { shopId: of, role })
      const cookie = await signIn(running, email)
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const path = `/api/manage/v1/shops/${shopId}/people/export`
      return (await send(running, 'POST', path, { phone: '0912000555' }, headers)).status
    }
    expect(await as('owner', shopId)).toBe(200)
    expect(await as('staff', shopId)).toBe(401)
    expect(await as('owner', (await makeBatchShop(running, 0)).shop.shopId)).toBe(401)
    expect((await call(shopId, 'export', '12')).status).toBe(400)
  })
})
