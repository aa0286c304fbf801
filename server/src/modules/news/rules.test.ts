import { describe, expect, it } from 'vitest'
import { firstWrongLink, isLinkUrl, slugBase } from './rules.ts'

const HOST = 'chatapp.example'

describe('E16 addresses of buttons (G-53)', () => {
  it.each([
    'https://chatapp.example/s/123/home',
    'https://chatapp.example/s/1',
    'https://ChatApp.Example/s/123/home?a=1#b',
    'https://chatapp.example/s/123/bài-viết',
  ])('%s is taken', (url) => {
    expect(isLinkUrl(url, HOST)).toBe(true)
  })

  it.each([
    'https://chatapp.example/s/',
    'https://chatapp.example/s',
    'https://chatapp.example',
    'https://chatapp.example//s/x',
    'https://chatapp.example/S/x',
    'https://chatapp.example/t/x',
    'http://chatapp.example/s/x',
    'HTTPS://chatapp.example/s/x',
    '//chatapp.example/s/x',
    'javascript:alert(1)//https://chatapp.example/s/x',
    'https://chatapp.example@evil.example/s/x',
    'https://user@chatapp.example/s/x',
    'https://user:pass@chatapp.example/s/x',
    'https://chatapp.example:443/s/x',
    'https://chatapp.example:8443/s/x',
    'https://chatapp.example.evil.example/s/x',
    'https://chatapp.example./s/x',
    'https://chatapp%2Eexample/s/x',
    'https://evil.example/https://chatapp.example/s/x',
    'https://chatapp.example/s/../x',
    'https://chatapp.example/s/%2e%2e/x',
    'https://chatapp.example\\/s/x',
    'https://chatapp.example/s/\\..\\..\\x',
    'https://chatapp.example/s/\n',
    'https://chatapp.example/s/ ',
    ' https://chatapp.example/s/x',
    '',
  ])('%j is refused', (url) => {
    expect(isLinkUrl(url, HOST)).toBe(false)
  })

  it("the host may be written in any case in the settings, and may be another platform's", () => {
    expect(isLinkUrl('https://links.example/s/x', 'Links.Example')).toBe(true)
    expect(isLinkUrl('https://chatapp.example/s/x', 'links.example')).toBe(false)
  })

  it('the first wrong one of several is named by its place', () => {
    const right = { url: 'https://chatapp.example/s/1' }
    expect(firstWrongLink([right, { url: 'x' }, { url: 'y' }], HOST)).toBe(1)
    expect(firstWrongLink([right, right], HOST)).toBeUndefined()
    expect(firstWrongLink([], HOST)).toBeUndefined()
  })
})

describe('E16 slug rules', () => {
  const article = { title: 'Khuyến mãi Tết', slug: 'hien-tai' }

  it('a slug with a value is normalised', () => {
    expect(slugBase('  Đón  Tết 2027! ', article)).toBe('don-tet-2027')
  })

  it.each([undefined, '', '  ', '!!!'])('%j keeps the current slug', (sent) => {
    expect(slugBase(sent, article)).toBeUndefined()
  })

  it.each([undefined, '', '  ', '!!!'])('%j takes the title of an article without a slug', (sent) => {
    expect(slugBase(sent, { ...article, slug: '' })).toBe('khuyen-mai-tet')
  })

  it('a title without letters or digits leaves the slug empty', () => {
    expect(slugBase('', { title: '★', slug: '' })).toBe('')
  })
})
