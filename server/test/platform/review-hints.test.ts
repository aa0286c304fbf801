import { describe, expect, it } from 'vitest'
import { reviewHints } from '../../src/platform/chatapp/templates/review-hints.ts'
import type { TemplateDocument } from '../../src/platform/types.ts'
import { textsIn } from '../../src/texts/catalogue.ts'
import { buildDocument } from './support.ts'

const pathsOf = (overrides: Partial<TemplateDocument>) =>
  reviewHints(buildDocument(overrides), 'en').map(({ path }) => path)
const paragraph = (value: string) => ({
  contentBlocks: [{ id: 'p', type: 'paragraph' as const, value }],
})
const param = (key: string, techSetting: '1' | '2' | '12' | '14') => ({
  params: [{ key, label: 'Nhãn', techSetting }],
})

describe('G-15 what reviewers usually refuse, as warnings', () => {
  it.each<[string, Partial<TemplateDocument>]>([
    ['a link in a button', {}],
    ['an email address', paragraph('Viết cho hotro@tiem.vn hoặc gọi <shop_contact>.')],
    ['a sentence that ends without a space', paragraph('Đơn đã giao.Vui lòng kiểm tra. Tổng 1.250.000đ.')],
    ['advertising with tag 3', { tag: '3', ...paragraph('Giảm giá 20% cho bạn.') }],
    ['a longer word with one of advertising inside', paragraph('Mã wholesale của bạn đã sẵn sàng.')],
    ['a param’s name', paragraph('Mã của bạn là <voucher>.')],
    ['a sign for less than', paragraph('Đơn có giá trị < 100.000đ, hay a < b, và <3 bạn.')],
    ['data types that suit their names', param('so_tien', '14')],
    ['a one-time password with tag 1', param('otp', '12')],
  ])('%s is none of it', (_what, overrides) => {
    expect(pathsOf(overrides)).toEqual([])
  })

  it.each<[string, Partial<TemplateDocument>, string[]]>([
    ['an address in a paragraph', paragraph('Xem tại https://tiem.vn/don'), ['contentBlocks.0.value']],
    ['a bare domain', paragraph('Mời bạn ghé TIEM.COM.VN nhé'), ['contentBlocks.0.value']],
    ['a shortened address', paragraph('Xem bit.ly/abc'), ['contentBlocks.0.value']],
    ['a param with a space', paragraph('Chào <tên khách>!'), ['contentBlocks.0.value']],
    ['a param that is not closed', paragraph('Chào <order_code>, <ten'), ['contentBlocks.0.value']],
    ['a param in other brackets', { title: 'Chào {{ten_khach}}' }, ['title']],
    ['www in the title', { title: 'Ghé www.tiem.example' }, ['title']],
    [
      'an address in a row',
      {
        contentBlocks: [
          { id: 't', type: 'table', rows: [{ label: 'Theo dõi', key: 'http://tiem.vn/<order_code>' }] },
        ],
      },
      ['contentBlocks.0.rows.0.key'],
    ],
    [
      'advertising in tag 1, also in decomposed letters',
      { ...paragraph('Giảm giá cho bạn'.normalize('NFD')), title: 'Ưu đãi tháng này' },
      ['title', 'contentBlocks.0.value'],
    ],
    [
      'advertising on a button in tag 1',
      { buttons: [{ label: 'Nhận voucher', type: '3', value: '' }] },
      ['buttons.0.label'],
    ],
    ['a phone number as a name', param('sdt', '1'), ['params.0.techSetting']],
    ['an amount as a name', param('total_amount', '1'), ['params.0.techSetting']],
    ['a one-time password as a name', param('otp', '1'), ['params.0.techSetting']],
    ['a one-time password with tag 2', { tag: '2', ...param('otp', '12') }, ['tag']],
  ])('finds %s', (_what, overrides, paths) => {
    expect(pathsOf(overrides)).toEqual(paths)
  })

  it.each(['vi', 'en'] as const)('says what was found and what to do instead (%s)', (language) => {
    const document = buildDocument({ ...paragraph('Giảm giá tại https://tiem.vn'), ...param('sdt', '1') })
    const messages = reviewHints(document, language).map(({ message }) => message)
    const { link, advertising, phoneType } = textsIn(language).lint.hint
    expect(messages).toEqual([
      link.replace('{link}', 'https://tiem.vn'),
      advertising.replace('{word}', 'Giảm giá'),
      phoneType.replace('{key}', 'sdt'),
    ])
  })
})
