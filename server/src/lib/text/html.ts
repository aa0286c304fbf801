import sanitizeHtml from 'sanitize-html'
import { toNfc, withoutExcessMarks } from './text.ts'

const SHORT_CONTENT_LENGTH = 200

const SEPARATING_TAGS = (
  'address article aside blockquote br caption center dd details dialog div dl dt fieldset figcaption figure ' +
  'footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol p pre section summary table tbody td tfoot ' +
  'th thead tr ul'
).split(' ')

const UNSEEN_TAGS = 'head iframe noscript option script select style template textarea title'.split(' ')

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/**
 * The text that a reader sees, on one line and in NFC: without tags, scripts and styles, with entities decoded and the
 * words of neighbouring blocks kept apart. The result is plain text, so it may contain `<`: escape it before it goes
 * into a page.
 */
export function htmlToText(html: string): string {
  const blocks = sanitizeHtml(html, {
    allowedTags: SEPARATING_TAGS,
    allowedAttributes: {},
    nonTextTags: UNSEEN_TAGS,
  })
  const text = blocks
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
  // Entities were not yet combining marks when the request was checked.
  return toNfc(withoutExcessMarks(text))
}

/**
 * An article's `shortContent`: its text, cut to at most 200 code points after a whole word, without an ellipsis (G-52).
 * If the first word is longer than that, the word itself is cut.
 */
export function shortContent(html: string): string {
  const characters = [...htmlToText(html)]
  if (characters.length <= SHORT_CONTENT_LENGTH) return characters.join('')
  const end = characters.lastIndexOf(' ', SHORT_CONTENT_LENGTH)
  return characters.slice(0, end > 0 ? end : SHORT_CONTENT_LENGTH).join('')
}
