import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, separateService, service } from '../../support/service.ts'
import {
  block,
  CREATE,
  createTemplate,
  makeShopWithOa,
  publish,
  TEMPLATES,
  templateBody,
} from '../../support/template-shop.ts'

const running = await service()
const LINT = '/api/external/notify-template/lint'

/** The fields in which lint finds a problem, in order. */
function paths(messages: { path: string }[]): string[] {
  return messages.map((message) => message.path)
}

const good = {
  name: 'Xác nhận đơn hàng',
  note: 'Gửi khi khách đặt hàng',
}

describe('G-15 lint', () => {
  it('200 without errors and warnings for a template that can go out, and nothing is stored', async () => {
    const partner = await makeShopWithOa(running)
    const answer = await partner.post(LINT, templateBody(partner.oaId, good))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ data: { errors: [], warnings: [] } })
    const { rows } = await sql`select id from templates where shop_id = ${partner.shopId}`.execute(
      running.deps.db,
    )
    expect(rows).toEqual([])
  })

  it('lists at once what create’s schema, create’s rules and publish refuse, each with how to fix it', async () => {
    const partner = await makeShop(running)
    const body = templateBody('an-oa-of-nobody', {
      title: 'Đơn <ma_don> của <ten>',
      tag: '9',
      logoLight: 'logo.png',
      logoDark: undefined,
      contentBlocks: [
        { id: 'no-uuid', type: 'paragraph', value: 'Chào <customer_name>' },
        { id: '3f0c2a50-6f0e-4c3b-9a53-0a4a1b2c3d4e', type: 'table' },
        { id: '3f0c2a50-6f0e-4c3b-9a53-0a4a1b2c3d4f', type: 'paragraph', value: 7 },
      ],
      buttons: [
        { label: 'Gọi', type: '2' },
        { label: 'Trang', type: '3', colour: 'red' },
      ],
      params: [
        { key: 'customer_name', label: 'Tên', techSetting: '1', maxLength: 99 },
        { key: 'order_code', label: 'Mã' },
      ],
    })
    const { status, body: answer } = await partner.post(LINT, body)
    expect(status).toBe(200)
    expect(paths(answer.data.errors)).toEqual([
      'tag',
      'contentBlocks.2.value',
      'buttons.1.colour',
      'logoLight',
      'contentBlocks.0.id',
      'contentBlocks.1.rows',
      'params.0.maxLength',
      'title',
      'title',
      'oaId',
      'logoDark',
      'buttons.0.value',
      'params.1.techSetting',
    ])
    for (const { message } of answer.data.errors) expect(message).toMatch(/^[A-Z"].{20,}\.$/s)
    const texts = answer.data.errors.map((error: { message: string }) => error.message)
    expect(texts).toEqual(
      expect.arrayContaining([
        'The value must be one of "1", "2", "3", not "9".',
        'The value must be text, not 7.',
        '"title" uses <ma_don>, which params does not declare. Declare ma_don in params, or correct its spelling.',
        '"oaId" must be an official account linked to this shop. Link the account to the shop, or use one that is linked.',
      ]),
    )
  })

  it('lists an empty object’s missing fields instead of answering 400', async () => {
    const partner = await makeShop(running)
    for (const body of [{}, undefined]) {
      const answer = await partner.post(LINT, body)
      expect(answer.status).toBe(200)
      expect(paths(answer.body.data.errors)).toEqual([
        ...[
          'oaId',
          'name',
          'title',
          'tag',
          'templateType',
          'imageType',
          'contentBlocks',
          'buttons',
          'params',
        ],
        'isCustomParams',
      ])
    }
  })

  it.each([
    ['oaId', null],
    ['name', 5],
    ['title', ['a']],
    ['images', 'a'],
    ['contentBlocks', {}],
    ['contentBlocks', [null]],
    ['buttons', [{ label: 'a', type: 3 }]],
    ['params', [{ key: {}, label: 'a' }]],
    ['voucher', 'x'],
    ['voucher', { code: 1, title: '', condition: 'a', expiryDate: null }],
    ['rating', { items: [{ star: 1.5 }] }],
    ['rating', { items: [] }],
    ['isCustomParams', 'yes'],
    ['name', 'x'.repeat(501)],
    ['title', 'a\0b'],
    ['unknown', 1],
  ])('a wrong %s (%j) is found at or below that field, and create refuses it too', async (field, value) => {
    const partner = await makeShopWithOa(running)
    const body = { ...templateBody(partner.oaId, good), [field]: value }
    const answer = await partner.post(LINT, body)
    expect(answer.status).toBe(200)
    const found = paths(answer.body.data.errors)
    expect(found.length).toBeGreaterThan(0)
    for (const path of found) expect(path.split('.')[0]).toBe(field)
    expect((await partner.post(CREATE, body)).status).toBe(400)
  })

  it.each([[[]], ['"text"'], ['null'], ['7']])(
    '400 when the body is %j: an object is needed',
    async (body) => {
      const partner = await makeShop(running)
      const answer = await partner.post(LINT, body)
      expect(answer.status).toBe(400)
      expect(answer.body.validation.body.message).toBe('"value" must be of type object')
    },
  )

  it('a broken field does not bring guesses about others with it', async () => {
    const partner = await makeShopWithOa(running)
    const cases: [Record<string, unknown>, string[]][] = [
      [{ imageType: 'photo', logoLight: undefined, logoDark: undefined }, ['imageType']],
      [{ templateType: 'quiz' }, ['templateType']],
      [{ params: 'none' }, ['params']],
      [{ isCustomParams: null }, ['isCustomParams']],
      [{ title: `${'x'.repeat(501)} <ten>` }, ['title', 'title']],
    ]
    for (const [overrides, expected] of cases) {
      const answer = await partner.post(LINT, { ...templateBody(partner.oaId, good), ...overrides })
      expect(paths(answer.body.data.errors)).toEqual(expected)
    }
  })

  it('a megabyte of mistakes is answered with the first 200', async () => {
    const partner = await makeShopWithOa(running)
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`.padEnd(900, 'x'), 1]))
    const rows = Array.from({ length: 20_000 }, () => 1)
    const body = { ...templateBody(partner.oaId), contentBlocks: [{ rows }], ...many }
    const started = performance.now()
    const answer = await partner.post(LINT, body)
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(answer.body.data.errors).toHaveLength(200)
  })

  it('400 for an object of more than 1,000 fields, as for create', async () => {
    const partner = await makeShopWithOa(running)
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`f${n}`, 1]))
    const answer = await partner.post(LINT, { contentBlocks: [{ rows: [many] }] })
    expect([answer.status, answer.body.validation.body.message]).toEqual([
      400,
      '"contentBlocks[0].rows[0]" must have less than or equal to 1000 keys',
    ])
  })

  it('warns of the platform’s limits, which are errors with PLATFORM_STRICT, and of what reviewers refuse, which never is', async () => {
    const contentBlocks = [block('Xem đơn của bạn tại https://tiem.example')]
    const body = (oaId: string) => templateBody(oaId, { name: 'Ngắn', note: undefined, contentBlocks })
    const partner = await makeShopWithOa(running)
    const { data } = (await partner.post(LINT, body(partner.oaId))).body
    expect(data.errors).toEqual([])
    expect(paths(data.warnings)).toEqual(['name', 'note', 'contentBlocks.0.value'])
    expect(data.warnings[0].message).toContain('lengthen it to between 10 and 60')

    const strict = await separateService({ platformStrict: true })
    const other = await makeShopWithOa(strict)
    const strictly = (await other.post(LINT, body(other.oaId))).body.data
    expect(paths(strictly.errors)).toEqual(['name', 'note'])
    expect(paths(strictly.warnings)).toEqual(['contentBlocks.0.value'])
    const draft = await createTemplate(other, body(other.oaId))
    const refused = await publish(other, draft._id)
    expect(refused.body.validation.body.keys).toEqual(['name', 'note'])
  })

  it('G-05 lint and publish say in Vietnamese what create refuses in Joi’s English', async () => {
    const partner = await makeShopWithOa(running)
    const vi = { 'accept-language': 'vi' }
    const body = templateBody(partner.oaId, {
      name: 'Ngắn',
      title: 'Đơn <ma_don>',
      tag: 9,
      contentBlocks: [],
      buttons: {},
    })
    const { data } = (await partner.post(LINT, body, vi)).body
    expect(data.errors).toEqual([
      { path: 'tag', message: 'Hãy dùng một trong các giá trị "1", "2", "3"; giá trị hiện tại là 9.' },
      {
        path: 'buttons',
        message: 'Hãy nhập một danh sách; giá trị hiện tại là một đối tượng.',
      },
      {
        path: 'title',
        message:
          '"title" dùng <ma_don> nhưng mẫu tin chưa khai báo tham số này. Hãy khai báo tham số ma_don, hoặc sửa lại tên cho đúng.',
      },
    ])
    expect(data.warnings).toContainEqual({
      path: 'name',
      message: 'Tên mẫu tin có 4 ký tự; hãy viết dài hơn, từ 10 đến 60 ký tự.',
    })

    const undeclared = templateBody(partner.oaId, { title: 'Đơn <ma_don>' })
    const refused = await partner.post(CREATE, undeclared, vi)
    expect(refused.body.validation.body.message).toBe('"title" uses <ma_don>, which params does not declare')

    const draft = await createTemplate(partner, templateBody(partner.oaId, { logoDark: '' }))
    const unpublished = await partner.post(`${TEMPLATES}/${draft._id}/publish`, undefined, vi)
    expect(unpublished.body).toMatchObject({ message: 'Validation failed' })
    expect(unpublished.body.validation.body.message).toBe(
      '"logoDark" là bắt buộc khi ảnh đầu tin là logo. Hãy thêm địa chỉ logo dùng trên nền tối',
    )
  })

  it('what lint passes is created and published; publish names the same fields as lint', async () => {
    const partner = await makeShopWithOa(running)
    const body = templateBody(partner.oaId, {
      ...good,
      logoDark: '',
      buttons: [{ label: 'Xem đơn', type: '7', value: ' ' }],
    })
    const { errors } = (await partner.post(LINT, body)).body.data
    expect(paths(errors)).toEqual(['logoDark', 'buttons.0.value'])
    const refused = await publish(partner, (await createTemplate(partner, body))._id)
    expect(refused.body.validation.body.keys).toEqual(paths(errors))
    expect(refused.body.validation.body.message).toBe(
      '"logoDark" is required when imageType is logo. Add the address of the logo for a dark background. ' +
        '"buttons[0].value" is required for a button of type 7. Enter the address to open',
    )
  })
})
