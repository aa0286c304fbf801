import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { stockedSku } from '../../support/inventory.ts'
import { payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, manage, type Partner, service } from '../../support/service.ts'
import { insertEnabledTemplate, topUp } from '../../support/templates.ts'
import { importOrders } from '../orders/order-fixtures.ts'

const running = await service()
const { db } = running.deps
const ORDERS = '/api/external/v1/orders/export'
const CUSTOMERS = '/api/external/v1/customers/export'
const MESSAGES = '/api/external/notify-message/history/export'
const month = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 7)
const STATEMENT = `/api/external/wallet/statement?month=${month}`
const withLabels = (path: string, labels: string) =>
  `${path}${path.includes('?') ? '&' : '?'}labels=${labels}`

async function textOf(partner: Partner, path: string, headers = {}): Promise<string> {
  const { status, body } = await partner.get(path, headers)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const tableOf = (text: string) => parse(text, { bom: true }) as string[][]
/** The line after the headings by its heading. */
const firstOf = (text: string) => (parse(text, { bom: true, columns: true }) as Record<string, string>[])[0]
const inVietnam = (iso: string) =>
  new Date(iso).toLocaleString('sv-SE', { timeZone: 'Asia/Ho_Chi_Minh' }).slice(0, 16)

/** A shop with one order of a customer whose name and note are formulas to a spreadsheet. */
async function shopWithOrder(order: { method?: string; platform?: string } = {}) {
  const partner = await makeShop(running)
  const customer = (
    await partner.post('/api/external/v1/customers', { fullName: '=HYPERLINK("x")', phone: '0912345678' })
  ).body.data
  const [id] = await importOrders(db, partner.shopId, [
    {
      createdAt: new Date('2026-11-27T17:20:59.999Z'),
      status: 'ready_to_ship',
      price: 90_000,
    },
  ])
  await sql`
    update orders
    set customer_id = ${customer._id}, note = '+84', updated_at = '2026-12-03T16:59:00Z', payment_status = 'partially_paid',
      is_paid = false, paid_amount = 50000, payment_method = ${order.method ?? 'transfer'}, platform = ${order.platform ?? 'mini_pos'}
    where shop_id = ${partner.shopId} and id = ${id}`.execute(db)
  return { partner, customer, id: id! }
}

async function shopWithMessages() {
  const partner = await makeShop(running)
  const template = await insertEnabledTemplate(running, partner.shopId)
  await sql`
    insert into messages
      (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, user_uid, params, state, fee, session_id,
      error_code, error_text, sent_at, delivered_at, created_at, updated_at)
    select ${partner.shopId}, lpad(to_hex(n), 24, '0'), ${template.id}, ${template.platformTemplateId}, ${template.oaId},
      case when n = 1 then 'uid' else 'phone' end, case when n = 1 then '' else '84900000001' end,
      case when n = 1 then 'user1' else '' end, '{"ten": "=1+1", "ma": "A1"}', case when n = 1 then 'ERROR' else 'RECEIVED' end, 0,
      case when n = 1 then '' else 'session' end, case when n = 1 then '-118' end, case when n = 1 then '=no account' end,
      timestamptz '2026-11-27T16:20:00Z' + n * interval '1 minute', case when n = 2 then timestamptz '2026-11-28T01:02:03Z' end,
      timestamptz '2026-11-27T16:20:00Z' + n * interval '1 minute', now()
    from generate_series(1, 2) as n`.execute(db)
  return { partner, template }
}

describe('G-121 exports for people', () => {
  it('200 with an order in Vietnamese words, its times in Vietnam, ids last', async () => {
    const { partner, customer, id } = await shopWithOrder()
    const text = await textOf(partner, withLabels(ORDERS, 'vi'))
    expect(text.startsWith('\ufeff"Mã đơn","Ngày tạo","Cập nhật","Trạng thái",')).toBe(true)
    const [headings, ...lines] = tableOf(text)
    expect(headings!.slice(-3)).toEqual(['ID đơn hàng', 'ID khách hàng', 'ID người bán'])
    expect(lines).toHaveLength(1)
    expect(firstOf(text)).toMatchObject({
      'Ngày tạo': '2026-11-28 00:20',
      'Cập nhật': '2026-12-03 23:59',
      'Trạng thái': 'Chờ giao',
      'Thanh toán': 'Trả một phần',
      'Hình thức thanh toán': 'Chuyển khoản',
      'Đã trả đủ': 'Không',
      'Số tiền đã trả': '50000',
      'Tổng cộng': '90000',
      'Kênh bán': 'Tại quầy',
      'Khách hàng': '\'=HYPERLINK("x")',
      'Điện thoại': '84912345678',
      'Ghi chú': "'+84",
      'Người bán': '',
      'ID đơn hàng': id,
      'ID khách hàng': customer._id,
    })
  })

  it('200 with an order in English words', async () => {
    const { partner } = await shopWithOrder()
    await sql`update orders set is_paid = true where shop_id = ${partner.shopId}`.execute(db)
    expect(firstOf(await textOf(partner, withLabels(ORDERS, 'en')))).toMatchObject({
      Created: '2026-11-28 00:20',
      Status: 'Ready to ship',
      Payment: 'Partly paid',
      'Payment method': 'Transfer',
      'Paid in full': 'Yes',
      Channel: 'Counter',
      Customer: '\'=HYPERLINK("x")',
    })
  })

  it.each(['Ví Momo', 'constructor', '=cash'])(
    'a partner’s own method %j has no word and stays, but is no formula',
    async (method) => {
      const { partner } = await shopWithOrder({ method, platform: '@shop' })
      expect(firstOf(await textOf(partner, withLabels(ORDERS, 'vi')))).toMatchObject({
        'Hình thức thanh toán': method.replace(/^=/, "'="),
        'Kênh bán': "'@shop",
      })
    },
  )

  it('200 with the payments by method, methods in words', async () => {
    const partner = await makeShop(running)
    const { _id } = await placeOrder(partner, await stockedSku(partner, 1))
    for (const [paid, paymentMethod] of [
      [30_000, 'cash'],
      [50_000, 'Ví Momo'],
      [45_000, 'transfer'],
    ] as const)
      expect((await payOrder(partner, _id, paid, { paymentMethod })).status).toBe(200)
    expect(firstOf(await textOf(partner, withLabels(ORDERS, 'vi')))).toMatchObject({
      'Giảm theo dòng': '0',
      'Thanh toán theo hình thức': 'Tiền mặt 30000; Ví Momo 20000; Chuyển khoản -5000',
    })
    expect(firstOf(await textOf(partner, withLabels(ORDERS, 'en')))).toMatchObject({
      'Payments by method': 'Cash 30000; Ví Momo 20000; Transfer -5000',
    })
  })

  it('200 with the customers', async () => {
    const { partner, customer } = await shopWithOrder()
    const created = inVietnam(customer.createdAt)
    expect(tableOf(await textOf(partner, withLabels(CUSTOMERS, 'vi')))).toEqual([
      'Họ tên,Điện thoại,Email,Ngày sinh,Ghi chú,Ảnh đại diện,Ngày tạo,Cập nhật,Còn nợ,ID khách hàng'.split(
        ',',
      ),
      [
        '\'=HYPERLINK("x")',
        '84912345678',
        '',
        '',
        '',
        '',
        created,
        inVietnam(customer.updatedAt),
        '40000',
        customer._id,
      ],
    ])
    expect(tableOf(await textOf(partner, withLabels(CUSTOMERS, 'en')))[0]).toEqual(
      'Full name,Phone,Email,Birthday,Note,Picture,Created,Updated,Still owed,Customer ID'.split(','),
    )
  })

  it('200 with the messages, their reason in the same language whatever the request’s is', async () => {
    const { partner, template } = await shopWithMessages()
    const text = await textOf(partner, withLabels(MESSAGES, 'vi'), { 'accept-language': 'en' })
    const [headings, sent, failed] = tableOf(text)
    expect(headings).toEqual(
      'Lúc gửi,Gửi bằng,Điện thoại,UID người nhận,Mẫu tin,Trạng thái,Lý do,Mã lỗi,Khách nhận lúc,Đã trừ phí,Nội dung thay vào mẫu,Mã mẫu tin trên nền tảng,Mã tin trên nền tảng,Mã tin'.split(
        ',',
      ),
    )
    const name = sent![4]
    const ids = ['0'.repeat(23) + 2, '0'.repeat(23) + 1]
    const number = template.platformTemplateId
    expect(sent).toEqual(
      [
        [
          '2026-11-27 23:22',
          'Số điện thoại',
          '84900000001',
          '',
          name,
          'Đã gửi',
          '',
          '',
          '2026-11-28 08:02',
          '0',
        ],
        [sent![10], number, 'session', ids[0]],
      ].flat(),
    )
    const reason = 'Người nhận không có tài khoản trên nền tảng.'
    expect(failed).toEqual(
      [
        ['2026-11-27 23:21', 'UID', '', 'user1', name, 'Lỗi', reason, '-118', '', '0'],
        [sent![10], number, '', ids[1]],
      ].flat(),
    )
    expect(sent![10]!.split('; ').toSorted()).toEqual(['ma: A1', 'ten: =1+1'])
    const english = firstOf(await textOf(partner, withLabels(MESSAGES, 'en'), { 'accept-language': 'vi' }))
    expect(english).toMatchObject({
      'Sent by': 'Phone number',
      Status: 'Sent',
      'Delivered at': '2026-11-28 08:02',
    })
  })

  it('200 with a month of the wallet', async () => {
    const shop = await makeShop(running)
    await topUp(running, shop.shopId, 1000)
    await manage(running, 'POST', `/shops/${shop.shopId}/wallet/entries`, { amount: -300, note: '=1+1' })
    const { entries } = (await shop.get('/api/external/wallet/entries')).body
    const [second, first] = entries.map(({ createdAt }: { createdAt: string }) => inVietnam(createdAt))
    const [headings, ...lines] = tableOf(await textOf(shop, withLabels(STATEMENT, 'vi')))
    expect(headings).toEqual(
      'Thời điểm,Loại,Phát sinh,Tạm giữ,Số dư không đủ trả,Số dư sau,Tạm giữ sau,Ghi chú,Mã tin'.split(','),
    )
    expect(lines).toEqual([
      [first, 'Nạp tiền', '1000', '0', '0', '1000', '0', entries[1].note, ''],
      [second, 'Điều chỉnh', '-300', '0', '0', '700', '0', "'=1+1", ''],
    ])
    expect(tableOf(await textOf(shop, withLabels(STATEMENT, 'en')))[1]![1]).toBe('Top-up')
  })

  it('200 with headings alone where there is nothing', async () => {
    const shop = await makeShop(running)
    for (const path of [ORDERS, CUSTOMERS, MESSAGES, STATEMENT])
      expect(tableOf(await textOf(shop, withLabels(path, 'vi')))).toHaveLength(1)
  })

  it('200 with every order once over several chunks, and one line of headings', async () => {
    const partner = await makeShop(running)
    await importOrders(
      db,
      partner.shopId,
      Array.from({ length: 1_203 }, () => ({ status: 'completed' })),
    )
    const lines = tableOf(await textOf(partner, withLabels(ORDERS, 'vi')))
    expect(lines).toHaveLength(1_204)
    expect(new Set(lines.slice(1).map((line) => line[3]))).toEqual(new Set(['Hoàn tất']))
    expect(new Set(lines.slice(1).map((line) => line.at(-3))).size).toBe(1_203)
  })

  it.each(['', '&labels='])('200 with the same bytes as ever without labels (%j)', async (asked) => {
    const { partner, customer, id } = await shopWithOrder()
    const code = (await partner.get(`/api/external/v1/orders/${id}`)).body.data.code
    const line = await textOf(partner, `${ORDERS}?status=ready_to_ship${asked}`)
    expect(line).toBe(
      `\ufeff"id","code","createdAt","updatedAt","status","paymentStatus","paymentMethod","isPaid","paidAmount","price","originPrice","discount","shippingFee","untaxedPrice","platform","customerId","customerName","customerPhone","note","reasonCancel","items","soldById","soldByName","returnedAmount","lineDiscounts","payments"\r\n"${id}","${code}","2026-11-27T17:20:59.999Z","2026-12-03T16:59:00.000Z","ready_to_ship","partially_paid","transfer","false",50000,90000,90000,0,0,"","mini_pos","${customer._id}","'=HYPERLINK(""x"")","84912345678","'+84","","","","",0,0,""\r\n`,
    )
    expect(await textOf(partner, `${CUSTOMERS}?search=${asked}`)).toBe(
      `\ufeff"id","fullName","phone","email","birthday","note","avatar","createdAt","updatedAt","debt"\r\n"${customer._id}","'=HYPERLINK(""x"")","84912345678","","","","","${customer.createdAt}","${customer.updatedAt}",40000\r\n`,
    )
    const messages = await shopWithMessages()
    const file = await textOf(messages.partner, `${MESSAGES}?status=RECEIVED${asked}`)
    const { templateName, params } = firstOf(file)!
    expect(JSON.parse(params!)).toEqual({ ten: '=1+1', ma: 'A1' })
    expect(file).toBe(
      `\ufeff"id","sentAt","channel","phone","userUID","templateId","templateName","status","reason","reasonCode","deliveredAt","charged","sessionId","params"\r\n"${'0'.repeat(23)}2","2026-11-27T16:22:00.000Z","phone","84900000001","","${messages.template.platformTemplateId}","${templateName}","RECEIVED","","","2026-11-28T01:02:03.000Z",0,"session","${params!.replaceAll('"', '""')}"\r\n`,
    )
    await topUp(running, partner.shopId, 1000)
    const { entries } = (await partner.get('/api/external/wallet/entries')).body
    expect(await textOf(partner, `${STATEMENT}${asked}`)).toBe(
      `\ufeff"createdAt","type","amount","heldChange","owed","balanceAfter","heldAfter","messageId","note"\r\n"${entries[0].createdAt}","top_up",1000,0,0,1000,0,"","${entries[0].note}"\r\n`,
    )
  })

  it.each([ORDERS, CUSTOMERS, MESSAGES, STATEMENT])(
    '400 that names `labels` for another value: %s',
    async (path) => {
      const shop = await makeShop(running)
      for (const wrong of ['fr', 'VI', 'vi,en', 'true']) {
        const { status, body } = await shop.get(withLabels(path, wrong))
        expect([wrong, status, body.validation?.query.keys]).toEqual([wrong, 400, ['labels']])
      }
    },
  )
})
