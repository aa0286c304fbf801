import { describe, expect, it } from 'vitest'
import type { TemplateDocument } from '../../platform/types.ts'
import { previewPage } from './preview.ts'

const EVIL = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;`

function template(overrides: Partial<TemplateDocument> = {}): TemplateDocument {
  return {
    oaId: 'oa',
    name: 'Mẫu',
    title: 'Đơn <order_code>',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    logoLight: 'https://images.example/light.png?a=1&b="2"',
    logoDark: 'https://images.example/dark.png',
    contentBlocks: [],
    buttons: [],
    params: [{ key: 'order_code', label: 'Mã đơn', sampleValue: 'DH1024' }],
    isCustomParams: true,
    ...overrides,
  }
}

function page(overrides: Partial<TemplateDocument> = {}, theme?: 'light' | 'dark'): string {
  return previewPage(template(overrides), { theme, language: 'vi' })
}

const block = (fields: Omit<TemplateDocument['contentBlocks'][number], 'id'>) => ({ id: 'b', ...fields })

describe('G-18 the preview page', () => {
  it('replaces params by sample values, else labels, in NFC, and leaves other brackets as text', () => {
    const params = [
      { key: 'tên'.normalize('NFD'), label: 'Tên', sampleValue: 'Lan' },
      { key: 'ma', label: 'Mã đơn' },
    ]
    expect(page({ title: `${'<tên>'.normalize('NFD')} <ma> <khac> a < b > c`, params })).toContain(
      '<h1>Lan Mã đơn &#60;khac&#62; a &#60; b &#62; c</h1>',
    )
  })

  it('a sample value that looks like a param is not replaced again', () => {
    const params = [
      { key: 'a', label: 'A', sampleValue: '<b>' },
      { key: 'b', label: 'B', sampleValue: 'x' },
    ]
    expect(page({ title: '<a>', params })).toContain('<h1>&#60;b&#62;</h1>')
  })

  it('colours rows and params by their rowType', () => {
    const rows = [0, 1, 2, 3, 4, 5].map((rowType) => ({ label: `L${rowType}`, key: '<order_code>', rowType }))
    const html = page({
      contentBlocks: [block({ type: 'table', rows })],
      params: [{ key: 'order_code', label: 'Mã', sampleValue: 'DH', rowType: 4 }],
    })
    expect(html).toContain('<th scope="row">L0</th><td><span class="r4">DH</span></td>')
    for (const rowType of [1, 2, 3, 4, 5]) expect(html).toContain(`L${rowType}</th><td class="r${rowType}">`)
  })

  it('shows voucher, rating with its stars, and buttons', () => {
    const html = page({
      contentBlocks: [
        block({
          type: 'voucher',
          voucher: {
            code: '<order_code>',
            title: 'Giảm 10%',
            condition: 'Mọi đơn',
            startDate: '01/12/2030',
            expiryDate: '31/12/2030',
          },
        }),
        block({
          type: 'rating',
          rating: {
            items: [
              { star: 1, title: 'Tệ', question: 'Vì sao?', answers: ['Chậm'] },
              {
                star: 5,
                title: 'Tốt',
                question: 'Đơn <order_code>?',
                thanks: 'Cảm ơn',
                description: 'Mô tả',
              },
            ],
          },
        }),
      ],
      buttons: [{ label: 'Xem <order_code>', type: '7', value: 'https://shop.example' }],
    })
    expect(html).toContain('<span class="code">DH1024</span>')
    expect(html).toContain('Từ 01/12/2030 · Đến 31/12/2030')
    expect(html).toContain('★★★★★ Tốt')
    expect(html.indexOf('★☆☆☆☆ Tệ')).toBeGreaterThan(html.indexOf('★★★★★ Tốt'))
    expect(html).toContain('<li>Chậm</li>')
    expect(html).toContain('<span class="button" title="https://shop.example">Xem DH1024</span>')
    expect(html).toContain('<p>Đơn DH1024?</p>')
  })

  it('shows the images, or the logo of the theme, and both logos when the device decides', () => {
    const images = ['https://images.example/1.png', 'https://images.example/2.png']
    const withImages = page({ imageType: 'image', images })
    for (const address of images) expect(withImages).toContain(`src="${address}"`)
    expect(withImages).not.toContain('light.png')
    expect(page({}, 'light')).not.toContain('dark.png')
    expect(page({}, 'dark')).not.toContain('light.png')
    expect(page({}, 'dark')).toContain('color-scheme:dark')
    const both = page()
    expect(both).toContain('class="logo on-light"')
    expect(both).toContain('class="logo on-dark"')
    expect(both).toContain('prefers-color-scheme:dark')
  })

  it('escapes everything a shop can write and loads no other kind of address', () => {
    const voucher = { code: EVIL, title: EVIL, condition: EVIL, startDate: EVIL, expiryDate: EVIL }
    const item = { title: EVIL, question: EVIL, answers: [EVIL], thanks: EVIL, description: EVIL }
    const html = page({
      name: EVIL,
      title: `${EVIL} <order_code>`,
      contentBlocks: [
        block({ type: 'paragraph', value: EVIL }),
        block({ type: 'table', rows: [{ label: EVIL, key: EVIL }] }),
        block({ type: 'voucher', voucher }),
        block({ type: 'rating', rating: { items: [{ star: 3, ...item }] } }),
      ],
      buttons: [{ label: EVIL, type: '7', value: EVIL }],
      params: [{ key: 'order_code', label: EVIL, sampleValue: EVIL }],
    })
    expect(html).not.toContain('<script')
    expect(html).not.toContain('<img src=x')
    expect(html).toContain('src="https://images.example/light.png?a=1&#38;b=&#34;2&#34;"')
    const addresses = ['javascript:alert(1)', 'data:image/svg+xml,<svg/>', EVIL]
    expect(page({ imageType: 'image', images: addresses })).not.toContain('<img')
  })
})
