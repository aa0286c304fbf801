import { isParamKey } from '../../lib/text/params.ts'
import { escapeHtml, toNfc } from '../../lib/text/text.ts'
import type {
  ContentBlock,
  TableRow,
  TemplateDocument,
  TemplateParam,
  TemplateRating,
  TemplateVoucher,
} from '../../platform/types.ts'
import { textsIn } from '../../texts/catalogue.ts'

export type PreviewOptions = {
  /** Absent: the setting of the reader's device applies. */
  theme?: 'light' | 'dark' | undefined
  language: 'vi' | 'en'
}

/** The page may show pictures and its own style, and runs no scripts. */
export const PREVIEW_POLICY =
  "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const LIGHT = `--ground:#e9edf2;--card:#fff;--line:#e1e6ec;--ink:#16202b;--dim:#66727f;--accent:#0a5fd6;
--c1:#127a3a;--c2:#0a5fd6;--c3:#946200;--c4:#c02626;--c5:#16202b;--gold:#c98a00`
const DARK = `--ground:#0f1317;--card:#1d232a;--line:#323b45;--ink:#e7ecf2;--dim:#9aa6b3;--accent:#7fb2ff;
--c1:#5fd08a;--c2:#7fb2ff;--c3:#f0c04c;--c4:#ff8a8a;--c5:#e7ecf2;--gold:#f0c04c`

const STYLE = `*{box-sizing:border-box}
body{margin:0;padding:24px 12px;background:var(--ground);color:var(--ink);font:16px/1.45 system-ui,sans-serif}
main{max-width:390px;margin:0 auto;background:var(--card);border:1px solid var(--line);border-radius:16px;
padding:16px;overflow-wrap:anywhere}
img{display:block;max-width:100%}.logo{height:36px;object-fit:contain;object-position:left;margin-bottom:12px}
.picture{width:100%;border-radius:10px;margin-bottom:12px}
h1{font-size:18px;line-height:1.35;margin:0 0 8px}p{margin:8px 0;white-space:pre-line}
table{width:100%;border-collapse:collapse;margin:8px 0}th,td{padding:4px 0;vertical-align:top;text-align:left}
th{font-weight:400;color:var(--dim);padding-right:12px;width:42%}td{font-weight:600}
.r1{color:var(--c1)}.r2{color:var(--c2)}.r3{color:var(--c3)}.r4{color:var(--c4)}.r5{color:var(--c5)}
.voucher{border:1px dashed var(--accent);border-radius:12px;padding:12px;margin:12px 0}
.voucher p{margin:4px 0}.code{font-family:ui-monospace,monospace;font-weight:700;color:var(--accent)}
.dim{color:var(--dim);font-size:14px}.stars{font-size:26px;letter-spacing:6px;color:var(--gold);margin:8px 0 0}
.item{border-top:1px solid var(--line);padding:8px 0}.item p{margin:2px 0}
.answers{display:flex;flex-wrap:wrap;gap:6px;padding:0;margin:6px 0;list-style:none}
.answers li{border:1px solid var(--line);border-radius:999px;padding:2px 10px;font-size:14px}
.button{display:block;text-align:center;border-top:1px solid var(--line);padding:12px 8px 0;margin-top:12px;
color:var(--accent);font-weight:600}`

type Shown = Pick<
  TemplateDocument,
  | 'title'
  | 'imageType'
  | 'logoLight'
  | 'logoDark'
  | 'images'
  | 'contentBlocks'
  | 'buttons'
  | 'params'
  | 'name'
>
/** A text with its params replaced, as HTML. */
type Fill = (text: string) => string

/**
 * A page that shows a template as a phone shows the message, with sample values for its params (G-18). Pure; every text
 * is escaped, and only http and https addresses are loaded as pictures.
 */
export function previewPage(template: Shown, { theme, language }: PreviewOptions): string {
  const fill = filler(template.params)
  const body = [
    header(template, theme, language),
    `<h1>${fill(template.title)}</h1>`,
    ...template.contentBlocks.map((block) => drawBlock(block, fill, language)),
    ...template.buttons.map(
      (button) =>
        `<span class="button" title="${escapeHtml(button.value ?? '')}">${fill(button.label)}</span>`,
    ),
  ].join('\n')
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${theme ?? 'light dark'}"><meta name="referrer" content="no-referrer">
<title>${escapeHtml(template.name)}</title>
<style>${themeStyle(theme)}
${STYLE}</style></head>
<body><main>
${body}
</main></body></html>
`
}

function themeStyle(theme: PreviewOptions['theme']): string {
  const scheme = (name: 'light' | 'dark') => {
    const hidden = name === 'light' ? '.on-dark' : '.on-light'
    return `:root{color-scheme:${name};${name === 'light' ? LIGHT : DARK}}${hidden}{display:none}`
  }
  if (theme !== undefined) return scheme(theme)
  return `@media not all and (prefers-color-scheme:dark){${scheme('light')}}
@media (prefers-color-scheme:dark){${scheme('dark')}}`
}

function header(template: Shown, theme: PreviewOptions['theme'], language: 'vi' | 'en'): string {
  const { picture: word } = textsIn(language).preview
  if (template.imageType === 'image') {
    return (template.images ?? []).map((address) => picture(address, 'picture', word)).join('\n')
  }
  return [
    theme === 'dark' ? '' : picture(template.logoLight ?? '', 'logo on-light', 'Logo'),
    theme === 'light' ? '' : picture(template.logoDark ?? '', 'logo on-dark', 'Logo'),
  ].join('\n')
}

function picture(address: string, classes: string, alt: string): string {
  if (!/^https?:\/\//i.test(address)) return ''
  return `<img class="${classes}" alt="${alt}" src="${escapeHtml(address)}">`
}

function drawBlock(block: ContentBlock, fill: Fill, language: 'vi' | 'en'): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${fill(block.value ?? '')}</p>`
    case 'table':
      return `<table>${(block.rows ?? []).map((row) => drawRow(row, fill)).join('')}</table>`
    case 'voucher':
      return block.voucher === undefined ? '' : drawVoucher(block.voucher, fill, language)
    case 'rating':
      return block.rating === undefined ? '' : drawRating(block.rating, fill, language)
  }
}

function drawRow(row: TableRow, fill: Fill): string {
  return `<tr><th scope="row">${fill(row.label)}</th><td${colour(row.rowType)}>${fill(row.key)}</td></tr>`
}

function drawVoucher(voucher: TemplateVoucher, fill: Fill, language: 'vi' | 'en'): string {
  const words = textsIn(language).preview
  const from = voucher.startDate ? `${words.from} ${fill(voucher.startDate)} · ` : ''
  return `<section class="voucher"><strong>${fill(voucher.title)}</strong><p>${fill(voucher.condition)}</p>
<p>${words.code} <span class="code">${fill(voucher.code)}</span></p>
<p class="dim">${from}${words.until} ${fill(voucher.expiryDate)}</p></section>`
}

function drawRating(rating: TemplateRating, fill: Fill, language: 'vi' | 'en'): string {
  const items = [...rating.items].sort((a, b) => b.star - a.star)
  const most = Math.max(...items.map((item) => item.star), 0)
  const drawn = items.map((item) => {
    const answers = (item.answers ?? []).map((answer) => `<li>${fill(answer)}</li>`).join('')
    return `<div class="item"><strong>${stars(item.star)} ${fill(item.title)}</strong>
<p>${fill(item.question)}</p>${answers === '' ? '' : `<ul class="answers">${answers}</ul>`}
${item.thanks ? `<p class="dim">${fill(item.thanks)}</p>` : ''}
${item.description ? `<p class="dim">${fill(item.description)}</p>` : ''}</div>`
  })
  const { rate } = textsIn(language).preview
  return `<section><p class="stars" role="img" aria-label="${rate}">${stars(most)}</p>${drawn.join('')}</section>`
}

function stars(count: number): string {
  const lit = Math.min(Math.max(Math.trunc(count), 0), 5)
  return '★'.repeat(lit) + '☆'.repeat(5 - lit)
}

/** Replaces each declared param by its sample value, or else its label, in the param's own colour. */
function filler(params: TemplateParam[]): Fill {
  const byKey = new Map(
    params.map((param) => [toNfc(param.key), param] as const).filter(([key]) => isParamKey(key)),
  )
  return (text) =>
    toNfc(text)
      .split(/(<[^<>]*>)/)
      .map((part) => {
        const param = part.startsWith('<') ? byKey.get(part.slice(1, -1)) : undefined
        if (param === undefined) return escapeHtml(part)
        const value = escapeHtml(param.sampleValue || param.label)
        return param.rowType ? `<span${colour(param.rowType)}>${value}</span>` : value
      })
      .join('')
}

function colour(rowType: number | undefined): string {
  return [1, 2, 3, 4, 5].some((known) => known === rowType) ? ` class="r${rowType}"` : ''
}
