import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asJson, asList, type Json } from '../src/read.ts'
import {
  honestTemplate,
  type Platform,
  type Receiver,
  startPlatform,
  startReceiver,
  waitFor,
} from './simulator.ts'

let platform: Platform
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
  platform = await startPlatform({ webhookUrl: receiver.url })
})
afterEach(async () => {
  await platform.close()
  await receiver.close()
})

async function create(change: Json = {}): Promise<string> {
  const answer = await platform.post('/template/create', honestTemplate(change))
  expect(answer).toMatchObject({ error: 0 })
  return String(asJson(answer.data).template_id)
}

async function decision(id: string): Promise<Json> {
  return waitFor(async () => {
    const detail = asJson((await platform.get(`/template/info/v2?template_id=${id}`)).data)
    return detail.status === 'PENDING_REVIEW' ? undefined : detail
  })
}

function withBody(...components: Json[]): Json {
  return { layout: { body: { components } } }
}

describe('template create', () => {
  it('answers a pending template with prices as text', async () => {
    const answer = await platform.post('/template/create', honestTemplate())
    expect(answer).toMatchObject({
      error: 0,
      data: {
        status: 'PENDING_REVIEW',
        price_sdt: '200',
        price_uid: '55',
        template_id: expect.stringMatching(/^\d+$/),
      },
    })
  })

  it.each([
    ['tag 2', { tag: '2' }, '300', '100'],
    ['tag 3', { tag: '3' }, '400', '165'],
  ])('prices %s by its tag', async (_, change, sdt, uid) => {
    const { data } = await platform.post('/template/create', honestTemplate(change))
    expect(data).toMatchObject({ price_sdt: sdt, price_uid: uid })
  })

  it.each([
    ['an undeclared parameter', { params: [] }, -201],
    [
      'an unknown type of parameter',
      { params: [{ name: 'customer_name', type: '16', sample_value: 'x' }] },
      -201,
    ],
    ['no name', { template_name: '' }, -201],
    ['no body', { layout: { body: { components: [] } } }, -201],
    ['a voucher template without a voucher', { template_type: 4 }, -201],
    ['a tracking id of 49 characters', { tracking_id: 'x'.repeat(49) }, -201],
  ])('refuses %s', async (_, change, error) => {
    expect(await platform.post('/template/create', honestTemplate(change))).toMatchObject({ error })
  })

  it('takes three buttons and one rating item, as the contract does', async () => {
    const three = [1, 2, 3].map((n) => ({ type: '1', title: `Nút ${n}`, content: 'https://a.example' }))
    const rating = {
      RATING: { items: [{ star: 1, title: 'Kém', question: 'Vì sao?', answers: [], thanks: '' }] },
    }
    const answer = await platform.post(
      '/template/create',
      honestTemplate({
        template_type: 5,
        params: [],
        layout: { body: { components: [rating] }, footer: { components: [{ BUTTONS: { items: three } }] } },
      }),
    )
    expect(answer).toMatchObject({ error: 0 })
  })
})

describe('review', () => {
  it('approves an honest template and sends a signed status event', async () => {
    const id = await create()
    expect(await decision(id)).toMatchObject({ status: 'ENABLE', reason: '' })
    const event = await waitFor(() => receiver.events[0])
    expect(event.path).toBe('/hooks/platform')
    expect(event.body).toMatchObject({
      event_name: 'change_template_status',
      oa_id: 'oa1',
      template_id: id,
      status: { prev_status: 'PENDING_REVIEW', new_status: 'ENABLE' },
    })
  })

  const title = { TITLE: { value: 'Thông báo đơn hàng' } }
  it.each([
    ['advertising in tag 1', withBody({ TITLE: { value: 'GIẢM GIÁ sốc hôm nay' } }), 'Advertising'],
    [
      'an English advertising word',
      withBody(title, { PARAGRAPH: { value: 'Big sale today' } }),
      'Advertising',
    ],
    [
      'advertising in decomposed letters',
      withBody({ TITLE: { value: 'Ưu đãi hôm nay'.normalize('NFD') } }),
      'Adv',
    ],
    [
      'a link in a paragraph',
      withBody(title, { PARAGRAPH: { value: 'Xem https://a.example/x nhé' } }),
      'link',
    ],
    [
      'a phone declared as a name',
      {
        ...withBody({ TITLE: { value: 'Gọi <customer_phone>' } }),
        params: [{ name: 'customer_phone', type: '1', sample_value: '0' }],
      },
      'customer_phone has the wrong type',
    ],
    [
      'an OTP declared as a code',
      {
        ...withBody({ TITLE: { value: 'Mã <otp>' } }),
        params: [{ name: 'otp', type: '4', sample_value: '0' }],
      },
      'otp has the wrong type',
    ],
    [
      'a logo without an image',
      {
        ...withBody(title),
        layout: { header: { components: [{ LOGO: {} }] }, body: { components: [title] } },
      },
      'logo is missing',
    ],
  ])('rejects %s', async (_, change, reason) => {
    const detail = await decision(await create({ params: [], ...change }))
    expect(detail.status).toBe('REJECT')
    expect(detail.reason).toContain(reason)
  })

  it.each([
    ['advertising in tag 3', { tag: '3', ...withBody({ TITLE: { value: 'Ưu đãi tháng này' } }) }],
    [
      'a discount line of an order',
      withBody(title, { TABLE: { rows: [{ title: 'Giảm giá', value: '0 đ' }] } }),
    ],
    [
      'a word that only contains one of advertising',
      withBody({ TITLE: { value: 'Wholesale, hậu-sale, after-sales' } }),
    ],
    ['an email address in a paragraph', withBody(title, { PARAGRAPH: { value: 'Hỏi cskh@www.shop.vn' } })],
  ])('approves %s', async (_, change) => {
    expect(await decision(await create({ params: [], ...change }))).toMatchObject({
      status: 'ENABLE',
      reason: '',
    })
  })

  it('gives every reason, joined by a semicolon', async () => {
    const change = withBody({ TITLE: { value: 'Flash sale' } }, { PARAGRAPH: { value: 'www.shop.example' } })
    const { reason } = await decision(await create({ params: [], ...change }))
    expect(String(reason).split(';')).toHaveLength(2)
  })

  it('rejects a second template that is the same as a live one of that OA only', async () => {
    await decision(await create())
    expect(await decision(await create())).toMatchObject({
      status: 'REJECT',
      reason: expect.stringContaining('duplicates'),
    })
    const other = await platform.post('/template/create', honestTemplate(), 'sim:oa2')
    const detail = await waitFor(async () => {
      const id = asJson(other.data).template_id
      const { data } = await platform.get(`/template/info/v2?template_id=${id}`, 'sim:oa2')
      return asJson(data).status === 'ENABLE' ? data : undefined
    })
    expect(detail).toMatchObject({ status: 'ENABLE' })
  })

  it('rejects an uploaded logo above 500 KB and takes a smaller one', async () => {
    const upload = async (size: number) => {
      const png = Buffer.alloc(size)
      png.set([0x89, 0x50, 0x4e, 0x47])
      const form = new FormData()
      form.set('file', new Blob([png], { type: 'image/png' }), 'logo.png')
      const res = await fetch(`${platform.url}/upload/image`, {
        method: 'POST',
        headers: { access_token: 'sim:oa1' },
        body: form,
      })
      return asJson(asJson(await res.json()).data).media_id
    }
    const withLogo = (id: unknown, name: string) => ({
      template_name: name,
      params: [],
      layout: {
        header: { components: [{ LOGO: { light: { media_id: id }, dark: { media_id: id } } }] },
        body: { components: [title] },
      },
    })
    const small = await upload(2000)
    expect(await decision(await create(withLogo(small, 'Small logo')))).toMatchObject({ status: 'ENABLE' })
    const large = await decision(await create(withLogo(await upload(501 * 1024), 'Large logo')))
    expect(large).toMatchObject({ status: 'REJECT', reason: expect.stringContaining('500 KB') })
  })

  it('refuses an upload that is not a picture', async () => {
    const form = new FormData()
    form.set('file', new Blob(['hello']), 'a.txt')
    const res = await fetch(`${platform.url}/upload/image`, {
      method: 'POST',
      headers: { access_token: 'sim:oa1' },
      body: form,
    })
    expect(await res.json()).toMatchObject({ error: -201 })
  })

  it('is left to a person when the review time is below zero', async () => {
    await platform.post('/control/settings', { reviewMs: -1 })
    const id = await create()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(asJson((await platform.get(`/template/info/v2?template_id=${id}`)).data).status).toBe(
      'PENDING_REVIEW',
    )
    await platform.post(`/control/templates/${id}/reject`, { reason: 'Tên không rõ;Thiếu logo' })
    expect(await decision(id)).toMatchObject({ status: 'REJECT', reason: 'Tên không rõ;Thiếu logo' })
  })
})

describe('template edit', () => {
  it('is not decided by the review of an earlier text', async () => {
    await platform.post('/control/settings', { reviewMs: 20 })
    const id = await create()
    await platform.post(`/control/templates/${id}/reject`, {})
    await platform.post('/control/settings', { reviewMs: -1 })
    await platform.post('/template/edit', { ...honestTemplate(), template_id: id })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asJson((await platform.get(`/template/info/v2?template_id=${id}`)).data).status).toBe(
      'PENDING_REVIEW',
    )
  })

  it('takes a rejected template back to review, and no other', async () => {
    const id = await create({ params: [], ...withBody({ TITLE: { value: 'Flash sale' } }) })
    await decision(id)
    const edit = { ...honestTemplate(), template_id: id }
    expect(await platform.post('/template/edit', edit)).toMatchObject({
      error: 0,
      data: { status: 'PENDING_REVIEW' },
    })
    expect(await decision(id)).toMatchObject({ status: 'ENABLE', templateName: 'Order confirmed' })
    expect(await platform.post('/template/edit', edit)).toMatchObject({ error: -1091 })
  })
})

describe('template info and list', () => {
  it('shows parameters with their greatest lengths, and buttons', async () => {
    const { data } = await platform.get(`/template/info/v2?template_id=${await create()}`)
    expect(data).toMatchObject({
      templateTag: '1',
      listParams: [
        { name: 'customer_name', require: true, type: '1', maxLength: 30 },
        { name: 'order_code', maxLength: 30 },
      ],
      listButtons: [{ type: 1, title: 'Xem đơn', content: 'https://a.example' }],
    })
  })

  it('hides a template from another OA', async () => {
    const id = await create()
    expect(await platform.get(`/template/info/v2?template_id=${id}`, 'sim:oa2')).toMatchObject({
      error: -109,
    })
  })

  it('pages newest first, filters by status and counts what matches', async () => {
    await platform.post('/control/settings', { reviewMs: -1 })
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await create({ template_name: `Order ${n}` }))
    await platform.post(`/control/templates/${ids[0]}/approve`, {})
    const page = await platform.get('/template/all?offset=1&limit=2&status=2')
    expect(page.metadata).toEqual({ total: 4 })
    expect(asList(page.data).map((row) => String(asJson(row).templateId))).toEqual([ids[3], ids[2]])
    expect(await platform.get('/template/all?offset=0&limit=101')).toMatchObject({ error: -201 })
  })

  it('moves to any status by hand and notifies the OA', async () => {
    const id = await create()
    await decision(id)
    await platform.post(`/control/templates/${id}/status`, { status: 'DISABLE', reason: 'Quality' })
    expect(await decision(id)).toMatchObject({ status: 'DISABLE', reason: 'Quality' })
    const event = await waitFor(() =>
      receiver.events.find(({ body }) => asJson(body.status).new_status === 'DISABLE'),
    )
    expect(asJson(event.body.status).prev_status).toBe('ENABLE')
  })
})
