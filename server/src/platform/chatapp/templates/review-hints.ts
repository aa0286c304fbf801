import { paramKeysIn } from '../../../lib/text/params.ts'
import { toNfc } from '../../../lib/text/text.ts'
import { fillText, type Language, textsIn } from '../../../texts/catalogue.ts'
import type { ReviewHint } from '../../../texts/keys.ts'
import type { ContentBlock, TemplateDocument } from '../../types.ts'
import type { PlatformWarning } from './template-limits.ts'

type Hint = { path: string; hint: ReviewHint; values?: Record<string, string> }

/** Matches links with a scheme, with `www.`, or as a bare domain, but not the domain of an email address. */
const LINK =
  /https?:\/\/\S+|(?<![\p{L}\p{N}@._-])(?:www\.\S+|(?:[a-z0-9-]+\.)+(?:(?:com|vn|net|org|shop|store|info|link)(?![\p{L}\p{N}_-])|(?:me|ly|gl|io|co)\/)\S*)/iu

/** Text that was meant as the place of a param and is none: `<tên khách>`, `<ten`, `{ten}`, `{{ten}}`. */
const BROKEN_PLACE = /<\p{L}[^<>\n]{0,40}>?|\{\{?[\p{L}\p{M}\p{N}_ ]{1,40}\}\}?/u

/** Words that reviewers regard as advertising; a match inside a longer word does not count. */
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
    'discount',
    'promotion',
    'special offer',
  ].join('|')})(?![\\p{L}\\p{N}_-])`,
  'iu',
)

/** Names of params that imply a kind of value, and the data types that suit it. */
const NAMED: { name: RegExp; types: string[]; hint: ReviewHint }[] = [
  { name: /(^|_)otp(_|$)/i, types: ['12'], hint: 'otpType' },
  { name: /(^|_)(phone|phone_number|sdt|so_dien_thoai)$/i, types: ['2', '7'], hint: 'phoneType' },
  { name: /(^|_)(amount|price|so_tien)$/i, types: ['10', '14'], hint: 'moneyType' },
  { name: /(^|_)(url|link)$/i, types: ['13'], hint: 'linkType' },
]
const OTP = '12'

/**
 * What reviewers usually refuse in a template, as far as its texts show it: links outside buttons, places of params that
 * are none, advertising in tag 1, a data type that does not suit a param's name, a one-time password in another tag than 1 (G-15). These are hints,
 * not rules: they are never errors, even with `PLATFORM_STRICT=1`.
 */
export function reviewHints(document: TemplateDocument, language: Language): PlatformWarning[] {
  const { hint: texts } = textsIn(language).lint
  const hints = [hintsOfTexts(document), hintsOfAdvertising(document), hintsOfParams(document)].flat()
  return hints.map(({ path, hint, values = {} }) => ({ path, message: fillText(texts[hint], values) }))
}

function hintsOfTexts({ title, contentBlocks }: TemplateDocument): Hint[] {
  const texts: [string, string][] = [['title', title], ...contentBlocks.flatMap(textsOf)]
  return texts.flatMap(([path, text]): Hint[] => {
    const left = withoutParams(text)
    const [link] = LINK.exec(left) ?? []
    const [place] = BROKEN_PLACE.exec(left) ?? []
    return [
      ...(link === undefined ? [] : [{ path, hint: 'link' as const, values: { link: shortened(link) } }]),
      ...(place === undefined
        ? []
        : [{ path, hint: 'brokenPlace' as const, values: { place: shortened(place.trim()) } }]),
    ]
  })
}

/** The texts of a block that may contain params, with their paths. */
function textsOf(block: ContentBlock, index: number): [string, string][] {
  const path = `contentBlocks.${index}`
  return [
    [`${path}.value`, block.value ?? ''],
    ...(block.rows ?? []).map(({ key }, at): [string, string] => [`${path}.rows.${at}.key`, key]),
    [`${path}.voucher.condition`, block.voucher?.condition ?? ''],
  ]
}

function hintsOfAdvertising({ tag, title, contentBlocks, buttons }: TemplateDocument): Hint[] {
  if (tag !== '1') return []
  const texts: [string, string][] = [
    ['title', title],
    ...contentBlocks.map(({ value = '' }, index): [string, string] => [
      `contentBlocks.${index}.value`,
      value,
    ]),
    ...buttons.map(({ label }, index): [string, string] => [`buttons.${index}.label`, label]),
  ]
  return texts.flatMap(([path, text]): Hint[] => {
    const [word] = ADVERTISING.exec(withoutParams(text)) ?? []
    return word === undefined ? [] : [{ path, hint: 'advertising', values: { word } }]
  })
}

function hintsOfParams({ tag, params }: TemplateDocument): Hint[] {
  const hints = params.flatMap(({ key, techSetting }, index): Hint[] => {
    const named = NAMED.find(({ name }) => name.test(key))
    if (techSetting === undefined || named === undefined || named.types.includes(techSetting)) return []
    return [{ path: `params.${index}.techSetting`, hint: named.hint, values: { key } }]
  })
  const hasOtp = params.some(({ techSetting }) => techSetting === OTP)
  return hasOtp && tag !== '1' ? [...hints, { path: 'tag', hint: 'otpTag' }] : hints
}

/** The text in NFC with each param replaced by a space. */
function withoutParams(text: string): string {
  return paramKeysIn(text).reduce((left, key) => left.replaceAll(`<${key}>`, ' '), toNfc(text))
}

function shortened(link: string): string {
  return link.length <= 40 ? link : `${link.slice(0, 39)}…`
}
