import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToText, shortContent } from './html.ts'

describe('text of HTML', () => {
  it.each([
    ['<p>Một</p><p>Hai</p>', 'Một Hai'],
    ['<ul><li>a</li><li>b</li></ul>c<br>d<hr>e', 'a b c d e'],
    ['<table><tr><td>1</td><td>2</td></tr></table>', '1 2'],
    ['<b>đậm</b>và<i> nghiêng</i>', 'đậmvà nghiêng'],
    ['a&nbsp;&amp;&nbsp;b &lt;c&gt; &quot;d&quot; &eacute;&#273;', 'a & b <c> "d" éđ'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['a<script>alert(1)</script><style>p{}</style><!-- x -->b', 'ab'],
    ['<head><title>t</title></head><body>b</body>', 'b'],
    ['<p title="a>b" onclick="x">c</p>', 'c'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['<p>chưa đóng <b>thẻ', 'chưa đóng thẻ'],
    ['plain', 'plain'],
    ['', ''],
    ['Hu\u0065\u0302\u0301', 'Hu\u1ebf'],
  ])('%j reads %j', (html, text) => {
    expect(htmlToText(html)).toBe(text)
  })

  it('text escaped into a paragraph is read back', () => {
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const seen = text.replace(/\s+/g, ' ').trim()
        expect(htmlToText(`<p>${escaped(text)}</p>`)).toBe(seen)
      }),
    )
  })
})

describe('G-52 shortContent', () => {
  it('marks written as entities, 80,000 in a row, take little time; of each run the first 30 stay', () => {
    const html = `<p>a${'&#807;&#769;'.repeat(40_000)}b</p>`
    const before = process.cpuUsage()
    const text = shortContent(html)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(800)
    expect(text).toBe(`a${'\u0327\u0301'.repeat(15)}b`.normalize('NFC'))
  })

  it('a text of 200 characters is kept whole', () => {
    const text = `${'a'.repeat(99)} ${'b'.repeat(100)}`
    expect(shortContent(`<p>${text}</p>`)).toBe(text)
  })

  it('a longer text is cut after a whole word, without an ellipsis', () => {
    expect(shortContent(`<p>${'ab cdefgh '.repeat(30)}</p>`)).toBe(`${'ab cdefgh '.repeat(19)}ab cdefgh`)
    expect(shortContent(`${'a'.repeat(190)} ${'b'.repeat(20)}`)).toBe('a'.repeat(190))
  })

  it('a word that ends at the 200th character stays', () => {
    expect(shortContent(`${'a'.repeat(100)} ${'b'.repeat(99)} c`)).toBe(
      `${'a'.repeat(100)} ${'b'.repeat(99)}`,
    )
  })

  it('counts code points and cuts no character in two', () => {
    expect(shortContent('😀'.repeat(250))).toBe('😀'.repeat(200))
  })

  it('counts letters typed in NFD as they look', () => {
    expect(shortContent('ế'.normalize('NFD').repeat(250))).toBe('ế'.repeat(200))
  })
})
