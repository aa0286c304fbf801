import { describe, expect, it } from 'vitest'
import {
  headerAddresses,
  platformTemplateType,
  toCreateBody,
} from '../../src/platform/chatapp/templates/layout.ts'
import type { RatingItem, TemplateDocument } from '../../src/platform/types.ts'
import { buildDocument } from './support.ts'

const bodyOf = (overrides: Partial<TemplateDocument>) =>
  toCreateBody({ document: buildDocument(overrides), trackingId: 't'.repeat(24) })

describe('template to the platform’s create body', () => {
  it('maps header, body in declared order, footer and params', () => {
    expect(bodyOf({})).toEqual({
      template_name: 'Xác nhận đơn hàng',
      template_type: 1,
      tag: '1',
      layout: {
        header: {
          components: [
            {
              LOGO: {
                light: { type: 'IMAGE', media_id: 'https://cdn.example/light.png' },
                dark: { type: 'IMAGE', media_id: 'https://cdn.example/dark.png' },
              },
            },
          ],
        },
        body: {
          components: [
            { TITLE: { value: 'Đơn hàng <order_code>' } },
            { PARAGRAPH: { value: 'Cảm ơn <customer_name> đã mua hàng.' } },
            {
              TABLE: {
                rows: [
                  { title: 'Mã đơn', value: '<order_code>', row_type: 0 },
                  { title: 'Trạng thái', value: '<order_status>', row_type: 1 },
                ],
              },
            },
          ],
        },
        footer: {
          components: [
            {
              BUTTONS: {
                items: [{ type: 7, title: 'Xem đơn hàng', content: 'https://shop.example/orders' }],
              },
            },
          ],
        },
      },
      params: [
        { name: 'customer_name', type: '1', sample_value: 'Nguyễn An' },
        { name: 'order_code', type: '4', sample_value: 'Mã đơn' },
        { name: 'order_status', type: '6', sample_value: 'Đã giao' },
      ],
      note: 'Gửi sau khi khách đặt hàng.',
      tracking_id: 't'.repeat(24),
    })
  })

  it('images replace the logo and keep their order; no buttons give an empty footer', () => {
    const { layout } = bodyOf({ imageType: 'image', images: ['https://a', 'https://b'], buttons: [] })
    expect(layout.header.components).toEqual([
      {
        IMAGES: {
          items: [
            { type: 'IMAGE', media_id: 'https://a' },
            { type: 'IMAGE', media_id: 'https://b' },
          ],
        },
      },
    ])
    expect(layout.footer.components).toEqual([])
  })

  it('G-15 uploaded images go by their media id, the others by their address', () => {
    const logos = { logoLight: 'https://cdn.example/light.png', logoDark: 'https://cdn.example/dark.png' }
    const media = new Map([[logos.logoLight, 'media-1']])
    const { layout } = toCreateBody({ document: buildDocument(logos), trackingId: 't', media })
    expect(layout.header.components).toEqual([
      {
        LOGO: {
          light: { type: 'IMAGE', media_id: 'media-1' },
          dark: { type: 'IMAGE', media_id: logos.logoDark },
        },
      },
    ])
  })

  it('the header’s addresses are those of the shown kind, each once', () => {
    const given = { logoLight: 'a', logoDark: 'a', images: ['c', 'd', 'c'] }
    expect(headerAddresses({ imageType: 'logo', ...given })).toEqual(['a'])
    expect(headerAddresses({ imageType: 'image', ...given })).toEqual(['c', 'd'])
    expect(headerAddresses({ imageType: 'logo', logoLight: '' })).toEqual([])
  })

  it.each([
    ['2026-03-01T17:30:00Z', '00:30:00 02/03/2026'],
    ['2026-03-01', '01/03/2026'],
    ['23:59 31/12/2026', '23:59 31/12/2026'],
    ['<expiry>', '<expiry>'],
  ])('G-11 the voucher date %s goes out as %s', (expiryDate, expected) => {
    const voucher = { code: '<code>', title: 'Giảm 10%', condition: 'Đơn từ 100k', expiryDate }
    const { layout, template_type } = bodyOf({
      templateType: 'voucher',
      voucher,
      contentBlocks: [{ id: 'v', type: 'voucher', voucher }],
    })
    expect(template_type).toBe(4)
    expect(layout.body.components[1]).toEqual({
      VOUCHER: { name: 'Giảm 10%', condition: 'Đơn từ 100k', voucher_code: '<code>', end_date: expected },
    })
  })

  it('G-12 a rating item without answers sends an empty list', () => {
    const items: RatingItem[] = [{ star: 5, title: 'Tốt', question: 'Vì sao?', thanks: 'Cảm ơn' }]
    const { layout, template_type } = bodyOf({
      templateType: 'rating',
      contentBlocks: [{ id: 'r', type: 'rating', rating: { items } }],
    })
    expect(template_type).toBe(5)
    expect(layout.body.components[1]).toEqual({
      RATING: { items: [{ star: 5, title: 'Tốt', question: 'Vì sao?', answers: [], thanks: 'Cảm ơn' }] },
    })
  })

  it('a fixed param is written into the texts and not declared, since it is not passed when sending', () => {
    const body = bodyOf({
      title: 'Xin chào từ <shop>',
      contentBlocks: [
        { id: 'p', type: 'paragraph', value: '<shop> cảm ơn <customer_name>' },
        { id: 't', type: 'table', rows: [{ label: 'Nơi bán', key: '<shop>' }] },
        {
          id: 'r',
          type: 'rating',
          rating: { items: [{ star: 5, title: '<shop>', question: '<shop>?', answers: ['ở <shop>'] }] },
        },
      ],
      buttons: [{ label: 'Gọi <shop>', type: '3' }],
      params: [
        { key: 'shop', label: 'Cửa hàng', techSetting: '9', sampleValue: 'Hoa $& Sen', isFixed: true },
        { key: 'customer_name', label: 'Tên', techSetting: '1' },
      ],
    })
    expect(body.layout.body.components).toEqual([
      { TITLE: { value: 'Xin chào từ Hoa $& Sen' } },
      { PARAGRAPH: { value: 'Hoa $& Sen cảm ơn <customer_name>' } },
      { TABLE: { rows: [{ title: 'Nơi bán', value: 'Hoa $& Sen', row_type: 0 }] } },
      {
        RATING: {
          items: [{ star: 5, title: 'Hoa $& Sen', question: 'Hoa $& Sen?', answers: ['ở Hoa $& Sen'] }],
        },
      },
    ])
    expect(body.layout.footer.components).toEqual([
      { BUTTONS: { items: [{ type: 3, title: 'Gọi Hoa $& Sen', content: '' }] } },
    ])
    expect(body.params.map((param) => param.name)).toEqual(['customer_name'])
  })

  it('leaves the note out when there is none', () => {
    expect(bodyOf({ note: undefined })).not.toHaveProperty('note')
  })

  it.each([
    ['custom', '1', '4', 1],
    ['custom', '1', '12', 2],
    ['custom', '2', '12', 1],
    ['voucher', '1', '12', 4],
    ['rating', '2', '12', 5],
  ] as const)(
    '%s, tag %s with a param of type %s is platform type %i',
    (templateType, tag, techSetting, expected) => {
      const params = [{ key: 'x', label: 'X', techSetting }]
      expect(platformTemplateType({ templateType, tag, params })).toBe(expected)
    },
  )
})
