import { describe, expect, it } from 'vitest'
import { Refused, ValidationError } from '../../errors.ts'
import { TECH_SETTINGS } from '../../lib/text/params.ts'
import { readDocument } from './read-document.ts'
import { assertPublishable, reportUnpublishable } from './rules.ts'
import type { TemplateBody } from './schema.ts'

const ID = '3f0c2a50-6f0e-4c3b-9a53-0a4a1b2c3d4e'
const VOUCHER = { code: 'TET', title: 'Tết', condition: 'Mọi đơn', expiryDate: '31/12/2030' }
const STAR = { star: 5, title: 'Tốt', question: 'Vì sao?', answers: [] }

function body(overrides: Partial<TemplateBody> = {}): TemplateBody {
  return {
    oaId: 'oa',
    name: 'Xác nhận đơn',
    title: 'Đơn <order_code>',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    logoLight: 'https://images.example/a.png',
    logoDark: 'https://images.example/b.png',
    contentBlocks: [{ id: ID, type: 'paragraph', value: 'Xin chào' }],
    buttons: [],
    params: [{ key: 'order_code', label: 'Mã', techSetting: '4' }],
    isCustomParams: true,
    ...overrides,
  }
}

/** The message of the first problem that a body has. */
function problemOf(overrides: Partial<TemplateBody>): string {
  try {
    readDocument(body(overrides))
  } catch (error) {
    if (error instanceof ValidationError) return error.message
    throw error
  }
  return 'none'
}

describe('G-11 voucher dates', () => {
  const dates = (startDate: string | undefined, expiryDate: string) =>
    problemOf({
      templateType: 'voucher',
      voucher: { ...VOUCHER, expiryDate, ...(startDate === undefined ? {} : { startDate }) },
      params: [
        { key: 'order_code', label: 'Mã' },
        { key: 'day', label: 'Ngày' },
      ],
    })

  it.each([
    [undefined, '31/12/2030'],
    ['01/01/2030', '01/01/2030'],
    ['08:00 01/01/2030', '01/01/2030'],
    ['08:00:00 01/01/2030', '08:00:00 01/01/2030'],
    ['2030-01-01', '2030-01-02T00:00:00Z'],
    ['<day>', '01/01/2030'],
    ['01/01/2030', '<day>'],
  ])('%s to %s is taken', (start, end) => {
    expect(dates(start, end)).toBe('none')
  })

  it.each([
    ['02/01/2030', '01/01/2030'],
    ['08:00 01/01/2030', '07:59 01/01/2030'],
    ['2030-01-02', '01/01/2030'],
  ])('%s to %s ends before it starts', (start, end) => {
    expect(dates(start, end)).toBe('"voucher.expiryDate" must not be before startDate')
  })

  it.each(['31/02/2030', '2030/01/01', 'mai', '01/01/2030 08:00', '<day> sau'])('%s is no date', (date) => {
    expect(dates(undefined, date)).toContain('"voucher.expiryDate" must be a date')
    expect(dates(date, '31/12/2030')).toContain('"voucher.startDate" must be a date')
  })

  it('holds in a voucher block too', () => {
    const voucher = { ...VOUCHER, startDate: '01/01/2031' }
    expect(problemOf({ contentBlocks: [{ id: ID, type: 'voucher', voucher }] })).toBe(
      '"contentBlocks[0].voucher.expiryDate" must not be before startDate',
    )
  })
})

describe('G-12 what a template must hold', () => {
  it.each([
    ['paragraph', 'value'],
    ['table', 'rows'],
    ['voucher', 'voucher'],
    ['rating', 'rating'],
  ] as const)('a %s block has its %s', (type, field) => {
    expect(problemOf({ contentBlocks: [{ id: ID, type }] })).toBe(`"contentBlocks[0].${field}" is required`)
  })

  it('a voucher or rating template has its top-level object', () => {
    expect(problemOf({ templateType: 'voucher' })).toBe('"voucher" is required')
    expect(problemOf({ templateType: 'rating' })).toBe('"rating" is required')
  })

  it('block ids are UUIDs, each once whatever the case', () => {
    const block = { id: ID, type: 'paragraph', value: 'x' } as const
    expect(problemOf({ contentBlocks: [{ ...block, id: 'b1' }] })).toBe(
      '"contentBlocks[0].id" must be a valid GUID',
    )
    expect(problemOf({ contentBlocks: [block, { ...block, id: ID.toUpperCase() }] })).toBe(
      '"contentBlocks[1].id" duplicates another block’s id',
    )
  })

  it('param keys are unique, composed or not, and can appear in a text', () => {
    const params = [
      { key: 'm\u00e3', label: 'x' },
      { key: 'ma\u0303', label: 'y' },
    ]
    expect(problemOf({ title: 'x', params })).toBe('"params[1].key" duplicates another param’s key')
    expect(problemOf({ title: 'x', params: [{ key: 'a b', label: 'x' }] })).toContain('"params[0].key" must')
  })

  it('each star once', () => {
    expect(problemOf({ rating: { items: [STAR, { ...STAR, star: 4 }, STAR] } })).toBe(
      '"rating.items[2].star" duplicates another item’s star',
    )
  })

  it.each(Object.entries(TECH_SETTINGS))(
    'techSetting %s has its maxLength, given or not',
    (techSetting, { maxLength }) => {
      const param = { key: 'order_code', label: 'x', techSetting: techSetting as '1' }
      for (const params of [[param], [{ ...param, maxLength }]]) {
        expect(readDocument(body({ params })).params).toEqual([{ ...param, maxLength }])
      }
      expect(problemOf({ params: [{ ...param, maxLength: maxLength + 1 }] })).toBe(
        `"params[0].maxLength" must be ${maxLength} for techSetting ${techSetting}`,
      )
    },
  )

  it('addresses are http or https; an empty one counts as missing', () => {
    expect(problemOf({ logoLight: '' })).toBe('none')
    expect(problemOf({ logoDark: 'javascript:alert(1)' })).toBe('"logoDark" must be a valid uri')
    expect(problemOf({ images: ['https://a.example/x.png', 'x.png'] })).toBe(
      '"images[1]" must be a valid uri',
    )
  })
})

describe('G-13 parameters in the texts', () => {
  it.each([
    ['title', { title: '<x>' }],
    ['contentBlocks[0].value', { contentBlocks: [{ id: ID, type: 'paragraph', value: 'a <x>' }] }],
    [
      'contentBlocks[0].rows[1].key',
      {
        contentBlocks: [
          {
            id: ID,
            type: 'table',
            rows: [
              { label: 'Mã', key: '<order_code>' },
              { label: 'Khác', key: '<x>' },
            ],
          },
        ],
      },
    ],
    [
      'contentBlocks[0].rows[0].label',
      { contentBlocks: [{ id: ID, type: 'table', rows: [{ label: '<x>', key: 'a' }] }] },
    ],
    ['buttons[0].label', { buttons: [{ label: 'Xem <x>', type: '4' }] }],
    ...(['title', 'question', 'thanks', 'description'] as const).map((field) => [
      `rating.items[0].${field}`,
      { templateType: 'rating', rating: { items: [{ ...STAR, [field]: '<x>' }] } },
    ]),
    [
      'contentBlocks[0].rating.items[0].answers[1]',
      {
        contentBlocks: [{ id: ID, type: 'rating', rating: { items: [{ ...STAR, answers: ['a', '<x>'] }] } }],
      },
    ],
    ['buttons[0].value', { buttons: [{ label: 'Xem', type: '7', value: 'https://a.example/<x>' }] }],
    ['voucher.code', { voucher: { ...VOUCHER, code: '<x>' } }],
    [
      'contentBlocks[0].voucher.code',
      { contentBlocks: [{ id: ID, type: 'voucher', voucher: { ...VOUCHER, code: '<x>' } }] },
    ],
  ] as [string, Partial<TemplateBody>][])('%s may use declared ones only', (path, overrides) => {
    expect(problemOf(overrides)).toBe(`"${path}" uses <x>, which params does not declare`)
  })

  it('text that is not a placeholder may contain angle brackets', () => {
    expect(problemOf({ title: 'a < b > c', name: '<x>' })).toBe('none')
  })

  it('isCustomParams false: the system’s parameters that occur, with their types and a sample value sent', () => {
    const document = readDocument(
      body({
        isCustomParams: false,
        title: 'Đơn <order_code> của <customer_name>',
        contentBlocks: [{ id: ID, type: 'paragraph', value: '<customer_name>: <total_amount>' }],
        params: [
          { key: 'order_code', label: 'bất kỳ', sampleValue: 'DH1' },
          { key: 'unused', label: 'x' },
        ],
      }),
    )
    expect(document.params).toEqual([
      {
        key: 'order_code',
        label: 'Mã đơn hàng',
        techSetting: '4',
        maxLength: 30,
        sampleValue: 'DH1',
        rowType: 0,
        isFixed: false,
      },
      {
        key: 'customer_name',
        label: 'Tên khách hàng',
        techSetting: '1',
        maxLength: 30,
        rowType: 0,
        isFixed: false,
      },
      {
        key: 'total_amount',
        label: 'Tổng tiền',
        techSetting: '14',
        maxLength: 12,
        rowType: 0,
        isFixed: false,
      },
    ])
    expect(problemOf({ isCustomParams: false, title: '<mine>', params: [{ key: 'mine', label: 'x' }] })).toBe(
      '"title" uses <mine>, which is not a system parameter',
    )
  })
})

describe('G-15 what publishing needs', () => {
  const keys = (overrides: Partial<TemplateBody>, isLinked = true) => {
    const found: string[] = []
    reportUnpublishable(readDocument(body(overrides)), isLinked, ({ path }) => found.push(path.join('.')))
    return found
  }

  it('nothing of a complete template, the linked account of any', () => {
    expect(keys({})).toEqual([])
    expect(keys({}, false)).toEqual(['oaId'])
  })

  it.each(['1', '2', '5', '6', '7', '8', '9', '10'] as const)('a target for a button of type %s', (type) => {
    expect(keys({ buttons: [{ label: 'Xem', type, value: ' ' }] })).toEqual(['buttons.0.value'])
  })

  it.each(['3', '4'] as const)('no target for a button of type %s', (type) => {
    expect(keys({ buttons: [{ label: 'Xem', type }] })).toEqual([])
  })

  it('a rating block with the same content', () => {
    const rating = { items: [STAR] }
    const block = { id: ID, type: 'rating', rating } as const
    const template = { templateType: 'rating', tag: '2', rating, title: 'x' } as const
    expect(keys(template)).toEqual(['contentBlocks'])
    expect(keys({ ...template, contentBlocks: [block] })).toEqual([])
    const other = { ...block, rating: { items: [{ ...STAR, title: 'Khác' }] } }
    expect(keys({ ...template, contentBlocks: [other] })).toEqual(['contentBlocks'])
  })

  it('DRAFT or REJECTED', () => {
    for (const status of ['DRAFT', 'REJECTED'] as const) assertPublishable(status)
    for (const status of ['PENDING_REVIEW', 'ENABLE', 'DISABLE'] as const) {
      expect(() => assertPublishable(status)).toThrow(Refused)
    }
  })
})
