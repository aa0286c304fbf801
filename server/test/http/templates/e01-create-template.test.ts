import { describe, expect, it } from 'vitest'
import { makeShop, send, service } from '../../support/service.ts'
import { CREATE, templateBody } from '../../support/template-shop.ts'

const running = await service()
const ID = '3f0c2a50-6f0e-4c3b-9a53-0a4a1b2c3d4e'
const OTHER_ID = '5a9d41f2-1c7b-4f0e-8a11-7d9c30b2e6aa'
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('E1 create template', () => {
  it('200 with the whole record as DRAFT', async () => {
    const partner = await makeShop(running)
    const voucher = {
      code: '<order_code>',
      title: 'Ưu đãi Tết',
      condition: 'Đơn từ 200.000đ',
      startDate: '01/01/2030',
      expiryDate: '23:59 31/01/2030',
    }
    const body = templateBody('oa-1', {
      description: 'Gửi sau khi đặt hàng',
      tag: '3',
      templateType: 'voucher',
      images: ['https://images.example/a.png'],
      voucher,
      contentBlocks: [
        { id: ID, type: 'table', rows: [{ label: 'Khách', key: '<customer_name>', rowType: 2 }] },
        { id: OTHER_ID, type: 'voucher', voucher },
      ],
      buttons: [{ label: 'Gọi cửa hàng', type: '2', value: '0912345678' }],
      note: 'Gửi cho khách đã đặt hàng',
    })
    const { status, body: answer } = await partner.post(CREATE, body)
    expect(status).toBe(200)
    expect(answer).toEqual({
      template: {
        ...body,
        params: [
          {
            key: 'customer_name',
            label: 'Tên khách hàng',
            techSetting: '1',
            maxLength: 30,
            sampleValue: 'Nguyễn Văn An',
            rowType: 0,
            isFixed: false,
          },
          {
            key: 'order_code',
            label: 'Mã đơn hàng',
            techSetting: '4',
            maxLength: 30,
            sampleValue: 'DH1024',
            rowType: 0,
            isFixed: false,
          },
        ],
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        id: answer.template._id,
        __v: 0,
        shopId: partner.shopId,
        status: 'DRAFT',
        isSync: false,
        createdAt: expect.stringMatching(TIMESTAMP),
        updatedAt: answer.template.createdAt,
      },
    })
  })

  it('200 with defaults filled in and what was not given left out', async () => {
    const partner = await makeShop(running)
    const items = [{ star: 1, title: 'Chưa hài lòng', question: 'Vì sao?' }]
    const { status, body } = await partner.post(
      CREATE,
      templateBody('oa-1', {
        tag: '2',
        templateType: 'rating',
        logoLight: undefined,
        logoDark: undefined,
        rating: { items },
        contentBlocks: [{ id: ID, type: 'table', rows: [{ label: 'Mã', key: '<order_code>' }] }],
        buttons: [{ label: 'Trang OA', type: '3' }],
        params: [{ key: 'order_code', label: 'Mã' }],
        title: 'Mời đánh giá',
      }),
    )
    expect(status).toBe(200)
    expect(body.template).toMatchObject({
      rating: { items: [{ ...items[0], answers: [] }] },
      contentBlocks: [{ id: ID, rows: [{ label: 'Mã', key: '<order_code>', rowType: 0 }] }],
      buttons: [{ label: 'Trang OA', type: '3', value: '' }],
    })
    expect(body.template.params).toEqual([{ key: 'order_code', label: 'Mã', rowType: 0, isFixed: false }])
    for (const field of ['description', 'logoLight', 'logoDark', 'images', 'voucher', 'note', 'templateId']) {
      expect(body.template).not.toHaveProperty(field)
    }
  })

  it('200: status and shopId of the body are ignored, even when malformed', async () => {
    const partner = await makeShop(running)
    for (const status of ['ENABLE', 7, null]) {
      const { body } = await partner.post(CREATE, templateBody('oa-1', { status, shopId: status }))
      expect(body.template).toMatchObject({ status: 'DRAFT', shopId: partner.shopId })
    }
  })

  it('200 with 3 buttons, 400 with 4', async () => {
    const partner = await makeShop(running)
    const button = { label: 'Xem', type: '3' }
    const three = await partner.post(CREATE, templateBody('oa-1', { buttons: [button, button, button] }))
    expect(three.status).toBe(200)
    const four = await partner.post(CREATE, templateBody('oa-1', { buttons: Array(4).fill(button) }))
    expect(four.body.validation.body).toMatchObject({
      keys: ['buttons'],
      message: '"buttons" must contain less than or equal to 3 items',
    })
  })

  it.each([
    ['oaId', undefined, '"oaId" is required'],
    ['oaId', '', '"oaId" is not allowed to be empty'],
    ['name', undefined, '"name" is required'],
    ['name', null, '"name" must be a string'],
    ['title', undefined, '"title" is required'],
    ['tag', undefined, '"tag" is required'],
    ['tag', 1, '"tag" must be one of [1, 2, 3]'],
    ['tag', '4', '"tag" must be one of [1, 2, 3]'],
    ['templateType', 'otp', '"templateType" must be one of [custom, voucher, rating]'],
    ['imageType', undefined, '"imageType" is required'],
    ['contentBlocks', undefined, '"contentBlocks" is required'],
    ['contentBlocks', {}, '"contentBlocks" must be an array'],
    ['buttons', undefined, '"buttons" is required'],
    ['params', undefined, '"params" is required'],
    ['isCustomParams', undefined, '"isCustomParams" is required'],
    ['isCustomParams', 'true', '"isCustomParams" must be a boolean'],
    ['images', ['', 'x'], '"images[0]" is not allowed to be empty'],
    ['categoryId', 'x', '"categoryId" is not allowed'],
  ])('400 when %s is %j', async (field, value, message) => {
    const partner = await makeShop(running)
    const answer = await partner.post(CREATE, templateBody('oa-1', { [field]: value }))
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { body: { source: 'body', message } },
    })
    expect(answer.body.validation.body.keys[0]).toMatch(new RegExp(`^${field}`))
  })

  it('401 without a key', async () => {
    expect((await send(running, 'POST', CREATE, templateBody('oa-1'))).status).toBe(401)
  })
})

describe('G-12 sub-fields', () => {
  const row = { label: 'Mã', key: 'x' }
  const table = (value: object) => ({ contentBlocks: [{ id: ID, type: 'table', rows: [value] }] })
  const param = { key: 'x', label: 'X' }
  const item = { star: 1, title: 'a', question: 'b' }
  const voucher = { code: 'a', title: 'b', condition: 'c', expiryDate: '31/12/2030' }
  const without = (value: object, field: string) => ({ ...value, [field]: undefined })

  it.each([
    ['contentBlocks.0.id', { contentBlocks: [{ type: 'paragraph', value: 'x' }] }],
    ['contentBlocks.0.id', { contentBlocks: [{ id: 'b1', type: 'paragraph', value: 'x' }] }],
    ['contentBlocks.0.type', { contentBlocks: [{ id: ID, value: 'x' }] }],
    ['contentBlocks.0.type', { contentBlocks: [{ id: ID, type: 'image', value: 'x' }] }],
    ['contentBlocks.0.value', { contentBlocks: [{ id: ID, type: 'paragraph' }] }],
    ['contentBlocks.0.rows.0.label', table(without(row, 'label'))],
    ['contentBlocks.0.rows.0.key', table(without(row, 'key'))],
    ['contentBlocks.0.rows.0.rowType', table({ ...row, rowType: 6 })],
    ['contentBlocks.0.rows.0.rowType', table({ ...row, rowType: -1 })],
    ['contentBlocks.0.rows.0.rowType', table({ ...row, rowType: 1e20 })],
    ['params.0.key', { title: 'x', params: [without(param, 'key')] }],
    ['params.0.label', { title: 'x', params: [without(param, 'label')] }],
    ['params.0.techSetting', { title: 'x', params: [{ ...param, techSetting: '16' }] }],
    ['params.0.techSetting', { title: 'x', params: [{ ...param, techSetting: 4 }] }],
    ['params.0.maxLength', { title: 'x', params: [{ ...param, techSetting: '4', maxLength: 31 }] }],
    ['params.1.key', { title: 'x', contentBlocks: [], params: [param, param] }],
    ['buttons.0.label', { buttons: [{ type: '3' }] }],
    ['buttons.0.type', { buttons: [{ label: 'x', type: '11' }] }],
    ['buttons.0.value', { buttons: [{ label: 'x', type: '3', value: null }] }],
    ...['code', 'title', 'condition', 'expiryDate'].map((field): [string, object] => [
      `voucher.${field}`,
      { templateType: 'voucher', voucher: without(voucher, field) },
    ]),
    ['voucher', { templateType: 'voucher' }],
    ['rating', { templateType: 'rating' }],
    ['rating.items', { templateType: 'rating', rating: { items: [] } }],
    ...['star', 'title', 'question'].map((field): [string, object] => [
      `rating.items.0.${field}`,
      { templateType: 'rating', rating: { items: [without(item, field)] } },
    ]),
    ['rating.items.0.star', { templateType: 'rating', rating: { items: [{ ...item, star: 6 }] } }],
    ['rating.items.1.star', { templateType: 'rating', rating: { items: [item, item] } }],
  ] as [string, object][])('400 naming %s', async (key, overrides) => {
    const partner = await makeShop(running)
    const answer = await partner.post(CREATE, templateBody('oa-1', { ...overrides }))
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.keys).toEqual([key])
    expect((await partner.get('/api/external/notify-template')).body.meta.total).toBe(0)
  })
})

describe('G-13 undeclared parameters', () => {
  it('400 naming the parameter and the field that uses it', async () => {
    const partner = await makeShop(running)
    const answer = await partner.post(CREATE, templateBody('oa-1', { title: 'Chào <ten>' }))
    expect(answer.body.validation.body).toEqual({
      source: 'body',
      keys: ['title'],
      message: '"title" uses <ten>, which params does not declare',
    })
  })

  it('200 with the system’s parameters when isCustomParams is false', async () => {
    const partner = await makeShop(running)
    const body = templateBody('oa-1', { isCustomParams: false, params: [] })
    const answer = await partner.post(CREATE, body)
    expect(answer.status).toBe(200)
    expect(answer.body.template.params.map((param: { key: string }) => param.key)).toEqual([
      'order_code',
      'customer_name',
    ])
  })
})

describe('G-11 voucher dates over HTTP', () => {
  it('400 when a voucher ends before it starts', async () => {
    const partner = await makeShop(running)
    const voucher = {
      code: 'A',
      title: 'B',
      condition: 'C',
      startDate: '02/01/2030',
      expiryDate: '01/01/2030',
    }
    const answer = await partner.post(CREATE, templateBody('oa-1', { templateType: 'voucher', voucher }))
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.keys).toEqual(['voucher.expiryDate'])
  })
})
