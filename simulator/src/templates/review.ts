import { oaOf, type State, type Template } from '../state.ts'
import { type Component, components, withoutParams } from './layout.ts'
import { MAX_IMAGE_BYTES } from './media.ts'

/** Words of advertising, which tag 1 must not contain. A match inside a longer word does not count. */
const ADVERTISING = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${[
    'khuyến mãi',
    'khuyến mại',
    'giảm giá',
    'ưu đãi',
    'mua 1 tặng 1',
    'trúng thưởng',
    'mã quà tặng',
    'voucher',
    'coupon',
    'sale',
    'flash sale',
    'discount',
    'promotion',
    'special offer',
    'best price',
  ].join('|')})(?![\\p{L}\\p{N}_-])`,
  'iu',
)

const LINK = /(https?:\/\/|(?<![\w@.])www\.)\S+/i

/** Names that imply what a parameter holds, with the types that such a value may have. */
const PARAM_TYPES: { name: RegExp; types: string[]; what: string }[] = [
  { name: /(^|_)(phone|phone_number|sdt|so_dien_thoai)$/i, types: ['2', '7'], what: 'phone number (2)' },
  { name: /(^|_)otp(_|$)/i, types: ['12'], what: 'OTP (12)' },
  { name: /(^|_)(amount|price|so_tien)$/i, types: ['10', '14'], what: 'currency (14)' },
  { name: /(^|_)(url|link)$/i, types: ['13'], what: 'URL (13)' },
]

/**
 * The reasons to reject a template; none means that it is approved. Table labels are not checked for advertising: a
 * line for a discount is normal in an order.
 */
export function reviewTemplate(state: State, template: Template): string[] {
  const reasons: string[] = []
  const parts = components(template.layout)

  if (template.tag === '1') {
    const word = parts.flatMap(spokenTexts).map(findAdvertising).find(Boolean)
    if (word) reasons.push(`Advertising content is not allowed with tag 1: "${word}"`)
  }
  for (const param of template.params) {
    const rule = PARAM_TYPES.find(({ name }) => name.test(param.name))
    if (rule && !rule.types.includes(param.type)) {
      reasons.push(`Parameter ${param.name} has the wrong type ${param.type}, expected ${rule.what}`)
    }
  }
  if (parts.some((part) => part.kind === 'PARAGRAPH' && LINK.test(part.value))) {
    reasons.push('A link must be a button, not text in a paragraph')
  }
  for (const part of parts) reasons.push(...imageReasons(state, part))
  const twin = oaOf(state, template.oaId).templates.find(
    (other) => other !== template && other.status === 'ENABLE' && other.fingerprint === template.fingerprint,
  )
  if (twin) reasons.push(`The template duplicates template ${twin.id}`)
  return reasons
}

function spokenTexts(part: Component): string[] {
  if (part.kind === 'TITLE' || part.kind === 'PARAGRAPH') return [part.value]
  return part.kind === 'BUTTONS' ? part.items.map((item) => item.title) : []
}

function findAdvertising(text: string): string | undefined {
  return ADVERTISING.exec(withoutParams(text.normalize('NFC')))?.[0]
}

function imageReasons(state: State, part: Component): string[] {
  if (part.kind === 'LOGO') {
    const sides = [
      ['light', part.light],
      ['dark', part.dark],
    ] as const
    return sides.flatMap(([side, id]) => imageReason(state, `The ${side} logo`, id))
  }
  if (part.kind !== 'IMAGES') return []
  if (part.mediaIds.length === 0) return ['The image list is empty']
  return part.mediaIds.flatMap((id, index) => imageReason(state, `Image ${index + 1}`, id))
}

/** An image is given by the id of an upload or by a plain address; the size at an address is not checked. */
function imageReason(state: State, what: string, mediaId: string): string[] {
  if (!mediaId) return [`${what} is missing`]
  if (/^https?:\/\//i.test(mediaId)) return []
  const media = state.media.get(mediaId)
  if (!media) return [`${what} was not uploaded`]
  return media.sizeBytes > MAX_IMAGE_BYTES ? [`${what} is larger than 500 KB`] : []
}
