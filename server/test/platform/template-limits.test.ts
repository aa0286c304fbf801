import { describe, expect, it } from 'vitest'
import { platformWarnings } from '../../src/platform/chatapp/templates/template-limits.ts'
import type { RatingItem, TemplateDocument } from '../../src/platform/types.ts'
import { buildDocument } from './support.ts'

const pathsOf = (overrides: Partial<TemplateDocument>) =>
  platformWarnings(buildDocument(overrides), 'en').map((warning) => warning.path)
const paragraph = (value: string, id = value) => ({ id, type: 'paragraph' as const, value })
const table = (rows: { label: string; key: string }[]) => ({ id: 't', type: 'table' as const, rows })
const row = { label: 'Mã đơn', key: '<order_code>' }
const filler = paragraph('Một đoạn văn đủ dài.')
const rating = (items: Partial<RatingItem>[]) => ({
  id: 'r',
  type: 'rating' as const,
  rating: {
    items: items.map((item, index) => ({
      star: index + 1,
      title: 'Tốt',
      question: 'Vì sao?',
      thanks: 'Cảm ơn',
      description: 'Mô tả',
      ...item,
    })),
  },
})

describe('G-15 the platform’s template limits as warnings', () => {
  it('a template within every limit has none', () => {
    expect(platformWarnings(buildDocument(), 'en')).toEqual([])
  })

  it.each<[string, Partial<TemplateDocument>, string[]]>([
    ['name of 9', { name: 'x'.repeat(9) }, ['name']],
    ['name of 61', { name: 'x'.repeat(61) }, ['name']],
    ['title of 66', { title: 'x'.repeat(66) }, ['title']],
    ['title with 5 params', { title: '<a><b><c><d><e>' }, ['title']],
    ['no paragraph', { contentBlocks: [table([row, row])] }, ['contentBlocks']],
    [
      'five paragraphs',
      { contentBlocks: [1, 2, 3, 4, 5].map((n) => paragraph('Một đoạn văn đủ dài.', `p${n}`)) },
      ['contentBlocks'],
    ],
    ['short paragraph', { contentBlocks: [paragraph('ngắn')] }, ['contentBlocks.0.value']],
    ['long paragraph', { contentBlocks: [paragraph('x'.repeat(401))] }, ['contentBlocks.0.value']],
    [
      'eleven params in the paragraphs together',
      { contentBlocks: [paragraph('<a><b><c><d><e>'), paragraph('<f><g><h><i><j><k>')] },
      ['contentBlocks'],
    ],
    ['second table', { contentBlocks: [filler, table([row, row]), table([row, row])] }, ['contentBlocks.2']],
    ['one row', { contentBlocks: [filler, table([row])] }, ['contentBlocks.1.rows']],
    ['nine rows', { contentBlocks: [filler, table(Array(9).fill(row))] }, ['contentBlocks.1.rows']],
    [
      'row label too short and with a param',
      {
        contentBlocks: [filler, table([row, { label: 'Mã', key: 'abc' }, { label: '<label>', key: 'abc' }])],
      },
      ['contentBlocks.1.rows.1.label', 'contentBlocks.1.rows.2.label'],
    ],
    [
      'row text too long, and with two params',
      {
        contentBlocks: [
          filler,
          table([
            { label: 'abc', key: 'x'.repeat(91) },
            { label: 'abc', key: '<a> <b>' },
          ]),
        ],
      },
      ['contentBlocks.1.rows.0.key', 'contentBlocks.1.rows.1.key'],
    ],
    ['three buttons', { buttons: Array(3).fill({ label: 'Xem thêm', type: '1' }) }, ['buttons']],
    ['button label of 4', { buttons: [{ label: 'Xem!', type: '1' }] }, ['buttons.0.label']],
    ['button label with a param', { buttons: [{ label: 'Xem <x>', type: '1' }] }, ['buttons.0.label']],
    ['four images', { imageType: 'image', images: ['a', 'b', 'c', 'd'] }, ['images']],
    ['images without a button', { imageType: 'image', images: ['a'], buttons: [] }, ['buttons']],
    ['no note', { note: undefined }, ['note']],
    ['note of 401', { note: 'x'.repeat(401) }, ['note']],
    [
      'voucher texts too long',
      {
        templateType: 'voucher',
        contentBlocks: [
          filler,
          {
            id: 'v',
            type: 'voucher',
            voucher: {
              title: 'x'.repeat(31),
              condition: 'x'.repeat(41),
              code: 'x'.repeat(26),
              expiryDate: '01/01/2027',
            },
          },
        ],
      },
      ['contentBlocks.1.voucher.title', 'contentBlocks.1.voucher.condition', 'contentBlocks.1.voucher.code'],
    ],
    [
      'rating with tag 1, images and one item',
      {
        templateType: 'rating',
        imageType: 'image',
        images: ['a'],
        contentBlocks: [filler, rating([{}])],
      },
      ['tag', 'imageType', 'contentBlocks.1.rating.items'],
    ],
    [
      'rating item texts',
      {
        templateType: 'rating',
        tag: '2',
        contentBlocks: [
          filler,
          rating([
            { title: 'x'.repeat(51) },
            { question: 'x'.repeat(101) },
            { answers: Array(6).fill('ok') },
            { answers: ['ok', 'x'.repeat(51)], thanks: undefined },
            { description: 'x'.repeat(201) },
          ]),
        ],
      },
      [
        'contentBlocks.1.rating.items.0.title',
        'contentBlocks.1.rating.items.1.question',
        'contentBlocks.1.rating.items.2.answers',
        'contentBlocks.1.rating.items.3.answers.1',
        'contentBlocks.1.rating.items.3.thanks',
        'contentBlocks.1.rating.items.4.description',
      ],
    ],
  ])('%s', (_name, overrides, paths) => {
    expect(pathsOf(overrides)).toEqual(paths)
  })

  it('counts Vietnamese in NFC: a title that is short enough composed is not too long decomposed', () => {
    expect(pathsOf({ title: 'ế'.repeat(65).normalize('NFD') })).toEqual([])
  })

  it('the sentence says what is wrong and what to do', () => {
    const [warning] = platformWarnings(buildDocument({ name: 'ngắn' }), 'en')
    expect(warning?.message).toBe('The name has 4 characters; lengthen it to between 10 and 60.')
  })
})
