/** The elements that the rich text editor supports. */
export const SHOWN = new Set(
  'a,b,blockquote,br,code,del,div,em,h1,h2,h3,h4,h5,h6,hr,i,img,li,ol,p,pre,s,span,strike,strong,u,ul'.split(
    ',',
  ),
)

/** Whether an image at this address is shown: only addresses on the web are. */
export const isImageAddress = (address: string) => /^https?:\/\//i.test(address)

/**
 * The parts of a text in HTML that the rich text editor does not support, such as `table`, or an image that is not on
 * the web.
 */
export function unsupportedTags(html: string): string[] {
  const tags = [...html.matchAll(/<([a-z][a-z0-9-]*)([^>]*)/gi)]
  const lost = tags.filter(([, name = '', rest = '']) => {
    const tag = name.toLowerCase()
    if (tag !== 'img') return !SHOWN.has(tag)
    return !isImageAddress(/\ssrc\s*=\s*["']?([^"'\s>]*)/i.exec(rest)?.[1] ?? '')
  })
  return [...new Set(lost.map(([, name = '']) => name.toLowerCase()))]
}

/** Converts a text without tags to HTML with its lines as paragraphs. */
export function asHtml(text: string): string {
  if (text === '' || /<[a-z!/]/i.test(text)) return text
  const holder = document.createElement('div')
  return text
    .split(/\r?\n/)
    .map((line) => {
      holder.textContent = line
      return `<p>${holder.innerHTML}</p>`
    })
    .join('')
}

/** After each of these, the next text begins on a new line. */
const LINE_ENDS = 'blockquote,br,div,h1,h2,h3,h4,h5,h6,hr,li,p,pre,td,th'

/** The plain text of HTML in one line, with a space where a paragraph or a line ends. */
export function wordsOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const end of body.querySelectorAll(LINE_ENDS)) end.after(' ')
  return body.textContent.replace(/\s+/g, ' ').trim()
}
