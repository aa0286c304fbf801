import { fillParams, isOtp } from '../../../lib/text/params.ts'
import { toNfc } from '../../../lib/text/text.ts'
import { voucherInstant } from '../../../lib/time/dates.ts'
import { VIETNAM_OFFSET_MS } from '../../../lib/time/vietnam-time.ts'
import type {
  ContentBlock,
  RatingItem,
  TemplateDocument,
  TemplateSubmission,
  TemplateVoucher,
} from '../../types.ts'

type Media = { type: 'IMAGE'; media_id: string }

type WireRatingItem = {
  star: number
  title: string
  question: string
  answers: string[]
  thanks?: string
  description?: string
}

/** One component of a layout: an object with a single key, the component's name. */
export type LayoutComponent =
  | { LOGO: { light: Media; dark: Media } }
  | { IMAGES: { items: Media[] } }
  | { TITLE: { value: string } }
  | { PARAGRAPH: { value: string } }
  | { TABLE: { rows: { title: string; value: string; row_type: number }[] } }
  | {
      VOUCHER: {
        name: string
        condition: string
        voucher_code: string
        start_date?: string
        end_date: string
      }
    }
  | { RATING: { items: WireRatingItem[] } }
  | { BUTTONS: { items: { type: number; title: string; content: string }[] } }

type Section = { components: LayoutComponent[] }

/** The body of the platform's create call; the edit call has the same body and `template_id`. */
export type CreateTemplateBody = {
  template_name: string
  template_type: number
  tag: string
  layout: { header: Section; body: Section; footer: Section }
  params: { name: string; type: string; sample_value: string }[]
  note?: string
  tracking_id: string
}

const CUSTOM_LABEL_TECH_SETTING = '5'

/**
 * The platform's create body for a template of ours. Pure; blocks keep their order. The sample value of a fixed param
 * is written into the texts, and the param is left out of `params`: the platform requires every declared param at each
 * send, and a fixed one is not passed then. Images are given by their media id if they have one, else by their address.
 * `sample_value` falls back to the label (G-12). Source: docs/reference/platform.md, "Calls".
 */
export function toCreateBody(submission: TemplateSubmission): CreateTemplateBody {
  const document = withFixedParams(submission.document)
  const body: CreateTemplateBody = {
    template_name: document.name,
    template_type: platformTemplateType(document),
    tag: document.tag,
    layout: {
      header: { components: headerComponents(document, submission.media) },
      body: {
        components: [{ TITLE: { value: document.title } }, ...document.contentBlocks.flatMap(component)],
      },
      footer: { components: footerComponents(document) },
    },
    params: document.params.map((param) => ({
      name: param.key,
      type: param.techSetting ?? CUSTOM_LABEL_TECH_SETTING,
      sample_value: param.sampleValue || param.label,
    })),
    tracking_id: submission.trackingId,
  }
  if (document.note) body.note = document.note
  return body
}

/**
 * The platform's template type number: voucher 4, rating 5, authentication 2 for a tag 1 template with an OTP
 * param, else custom 1. Payment (3) needs bank details the contract does not have.
 */
export function platformTemplateType(
  document: Pick<TemplateDocument, 'templateType' | 'tag' | 'params'>,
): number {
  if (document.templateType === 'voucher') return 4
  if (document.templateType === 'rating') return 5
  const hasOtp = document.params.some(isOtp)
  return hasOtp && document.tag === '1' ? 2 : 1
}

/** The addresses of the images that the template's header shows, each once. */
export function headerAddresses(
  document: Pick<TemplateDocument, 'imageType' | 'images' | 'logoLight' | 'logoDark'>,
): string[] {
  const { imageType, images = [], logoLight, logoDark } = document
  const shown = imageType === 'image' ? images : [logoLight, logoDark]
  return [...new Set(shown.filter((address): address is string => !!address))]
}

function headerComponents(
  document: TemplateDocument,
  uploaded: TemplateSubmission['media'],
): LayoutComponent[] {
  const media = (address: string): Media => ({ type: 'IMAGE', media_id: uploaded?.get(address) ?? address })
  if (document.imageType === 'image') return [{ IMAGES: { items: (document.images ?? []).map(media) } }]
  return [{ LOGO: { light: media(document.logoLight ?? ''), dark: media(document.logoDark ?? '') } }]
}

function footerComponents(document: TemplateDocument): LayoutComponent[] {
  if (document.buttons.length === 0) return []
  const items = document.buttons.map((button) => ({
    type: Number(button.type),
    title: button.label,
    content: button.value ?? '',
  }))
  return [{ BUTTONS: { items } }]
}

function component(block: ContentBlock): LayoutComponent[] {
  switch (block.type) {
    case 'paragraph':
      return [{ PARAGRAPH: { value: block.value ?? '' } }]
    case 'table': {
      const rows = (block.rows ?? []).map((row) => ({
        title: row.label,
        value: row.key,
        row_type: row.rowType ?? 0,
      }))
      return [{ TABLE: { rows } }]
    }
    case 'voucher':
      return block.voucher ? [voucherComponent(block.voucher)] : []
    case 'rating':
      return block.rating ? [{ RATING: { items: block.rating.items.map(ratingItem) } }] : []
  }
}

function voucherComponent(voucher: TemplateVoucher): LayoutComponent {
  return {
    VOUCHER: {
      name: voucher.title,
      condition: voucher.condition,
      voucher_code: voucher.code,
      ...(voucher.startDate ? { start_date: platformDate(voucher.startDate) } : {}),
      end_date: platformDate(voucher.expiryDate),
    },
  }
}

function ratingItem(item: RatingItem): WireRatingItem {
  return {
    star: item.star,
    title: item.title,
    question: item.question,
    answers: item.answers ?? [],
    ...(item.thanks ? { thanks: item.thanks } : {}),
    ...(item.description ? { description: item.description } : {}),
  }
}

/**
 * Converts ISO 8601 to `hh:mm:ss dd/mm/yyyy` in Vietnam time, or a bare date to `dd/mm/yyyy`; other text is unchanged
 * (G-11).
 */
function platformDate(text: string): string {
  const instant = /^\d{4}-/.test(text) ? voucherInstant(text) : undefined
  if (instant === undefined) return text
  const [date = '', clock = ''] = new Date(instant + VIETNAM_OFFSET_MS).toISOString().split('T')
  const day = date.split('-').reverse().join('/')
  return /t/i.test(text) ? `${clock.slice(0, 8)} ${day}` : day
}

/** The document in the form for the platform: fixed params are filled in, and the places of the others are in NFC, as the keys are. */
function withFixedParams(document: TemplateDocument): TemplateDocument {
  const fixed = Object.fromEntries(
    document.params
      .filter((param) => param.isFixed)
      .map((param) => [toNfc(param.key), param.sampleValue || param.label]),
  )
  const fill = (text: string) => fillParams(text, fixed)
  return {
    ...document,
    title: fill(document.title),
    contentBlocks: document.contentBlocks.map((block) => fillBlock(block, fill)),
    buttons: document.buttons.map(({ type, label, value = '' }) => ({
      type,
      label: fill(label),
      value: fill(value),
    })),
    params: document.params.filter((param) => !param.isFixed),
  }
}

function fillBlock(block: ContentBlock, fill: (text: string) => string): ContentBlock {
  const filled: ContentBlock = { ...block }
  if (block.value !== undefined) filled.value = fill(block.value)
  if (block.rows)
    filled.rows = block.rows.map((row) => ({ ...row, label: fill(row.label), key: fill(row.key) }))
  if (block.voucher) {
    const { code, title, condition, startDate, expiryDate } = block.voucher
    filled.voucher = {
      code: fill(code),
      title: fill(title),
      condition: fill(condition),
      expiryDate: fill(expiryDate),
      ...(startDate === undefined ? {} : { startDate: fill(startDate) }),
    }
  }
  if (block.rating) filled.rating = { items: block.rating.items.map((item) => fillItem(item, fill)) }
  return filled
}

function fillItem(item: RatingItem, fill: (text: string) => string): RatingItem {
  const { title, question, answers, thanks, description } = item
  return {
    ...item,
    title: fill(title),
    question: fill(question),
    ...(answers === undefined ? {} : { answers: answers.map(fill) }),
    ...(thanks === undefined ? {} : { thanks: fill(thanks) }),
    ...(description === undefined ? {} : { description: fill(description) }),
  }
}
