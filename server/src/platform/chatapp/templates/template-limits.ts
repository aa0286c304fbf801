import { paramKeysIn } from '../../../lib/text/params.ts'
import { codePointLength } from '../../../lib/text/text.ts'
import { fillText, type Language, textsIn } from '../../../texts/catalogue.ts'
import type { Limit, Part } from '../../../texts/keys.ts'
import type { RatingItem, TemplateDocument, TemplateRating, TemplateVoucher } from '../../types.ts'

/**
 * A limit of the platform that a template breaks: `path` with dots (`contentBlocks.0.rows.1.label`), and how to fix it.
 */
export type PlatformWarning = { path: string; message: string }

/** A limit that is broken at `path`. `values` fill its text; `part` names the part of the template. */
export type BrokenLimit = { path: string; limit: Limit; values: LimitValues }

type LimitValues = { part?: Part } & Record<string, string | number>
type Warn = (path: string, limit: Limit, values?: LimitValues) => void

/**
 * Every limit of the platform that the template breaks, in the order of its fields; empty if it breaks none. They are
 * tighter than the contract: warnings in lint and console, errors only with `PLATFORM_STRICT=1` (G-15). Lengths are
 * code points after NFC, with params counted as written. Source: docs/reference/platform.md, "Template limits".
 */
export function platformWarnings(document: TemplateDocument, language: Language): PlatformWarning[] {
  return brokenLimits(document).map((broken) => ({
    path: broken.path,
    message: sentenceOfLimit(broken, language),
  }))
}

/** A broken limit as a sentence that says what to change. */
export function sentenceOfLimit({ limit, values }: BrokenLimit, language: Language): string {
  const { lint } = textsIn(language)
  const { part, ...rest } = values
  return fillText(lint.limit[limit], part === undefined ? rest : { ...rest, part: lint.part[part] })
}

/** Like {@link platformWarnings}, but without texts. */
export function brokenLimits(document: TemplateDocument): BrokenLimit[] {
  const broken: BrokenLimit[] = []
  const warn: Warn = (path, limit, values = {}) => broken.push({ path, limit, values })
  checkLength(warn, 'name', document.name, 10, 60, 'name')
  checkTitle(warn, document)
  checkTag(warn, document)
  checkImages(warn, document)
  checkParagraphs(warn, document)
  checkTables(warn, document)
  checkVouchers(warn, document)
  checkRatings(warn, document)
  checkButtons(warn, document)
  checkNote(warn, document)
  return broken
}

function checkTitle(warn: Warn, document: TemplateDocument): void {
  checkLength(warn, 'title', document.title, 9, 65, 'title')
  const count = paramKeysIn(document.title).length
  if (count > 4) warn('title', 'titleParams', { count })
}

function checkTag(warn: Warn, document: TemplateDocument): void {
  if (document.templateType === 'rating' && document.tag !== '2') {
    warn('tag', 'ratingTag')
  }
}

function checkImages(warn: Warn, document: TemplateDocument): void {
  if (document.imageType !== 'image') return
  if (document.templateType === 'rating') {
    warn('imageType', 'ratingImages')
  }
  const count = document.images?.length ?? 0
  if (count < 1 || count > 3) warn('images', 'images', { count })
  if (document.buttons.length === 0) warn('buttons', 'imagesButton')
}

function checkParagraphs(warn: Warn, document: TemplateDocument): void {
  const paragraphs: string[] = []
  document.contentBlocks.forEach((block, index) => {
    if (block.type !== 'paragraph') return
    paragraphs.push(block.value ?? '')
    checkLength(warn, `contentBlocks.${index}.value`, block.value ?? '', 9, 400, 'paragraph')
  })
  if (paragraphs.length < 1 || paragraphs.length > 4) {
    warn('contentBlocks', 'paragraphs', { count: paragraphs.length })
  }
  const count = paramKeysIn(paragraphs.join(' ')).length
  if (count > 10) warn('contentBlocks', 'paragraphParams', { count })
}

function checkTables(warn: Warn, document: TemplateDocument): void {
  let tables = 0
  document.contentBlocks.forEach((block, index) => {
    if (block.type !== 'table') return
    const path = `contentBlocks.${index}`
    const rows = block.rows ?? []
    tables += 1
    if (tables > 1) warn(path, 'tables')
    if (rows.length < 2 || rows.length > 8) warn(`${path}.rows`, 'rows', { count: rows.length })
    rows.forEach((row, at) => {
      checkLength(warn, `${path}.rows.${at}.label`, row.label, 3, 36, 'rowLabel')
      checkNoParams(warn, `${path}.rows.${at}.label`, row.label, 'rowLabel')
      checkLength(warn, `${path}.rows.${at}.key`, row.key, 3, 90, 'rowText')
      const count = paramKeysIn(row.key).length
      if (count > 1) warn(`${path}.rows.${at}.key`, 'rowParams', { count })
    })
  })
}

function checkVouchers(warn: Warn, document: TemplateDocument): void {
  for (const [path, voucher] of shownVouchers(document)) {
    checkLength(warn, `${path}.title`, voucher.title, 1, 30, 'voucherTitle')
    checkLength(warn, `${path}.condition`, voucher.condition, 1, 40, 'voucherCondition')
    checkLength(warn, `${path}.code`, voucher.code, 1, 25, 'voucherCode')
  }
}

function checkRatings(warn: Warn, document: TemplateDocument): void {
  for (const [path, rating] of shownRatings(document)) {
    if (rating.items.length !== 5) warn(`${path}.items`, 'ratingItems', { count: rating.items.length })
    rating.items.forEach((item, at) => {
      checkRatingItem(warn, `${path}.items.${at}`, item)
    })
  }
}

function checkRatingItem(warn: Warn, path: string, item: RatingItem): void {
  const answers = item.answers ?? []
  checkLength(warn, `${path}.title`, item.title, 1, 50, 'starTitle')
  checkLength(warn, `${path}.question`, item.question, 1, 100, 'question')
  if (answers.length > 5) warn(`${path}.answers`, 'answers', { count: answers.length })
  answers.forEach((answer, at) => {
    checkLength(warn, `${path}.answers.${at}`, answer, 1, 50, 'answer')
  })
  checkLength(warn, `${path}.thanks`, item.thanks ?? '', 1, 100, 'thanks')
  checkLength(warn, `${path}.description`, item.description ?? '', 1, 200, 'description')
}

function checkButtons(warn: Warn, document: TemplateDocument): void {
  const count = document.buttons.length
  if (count > 2) warn('buttons', 'buttons', { count })
  document.buttons.forEach((button, index) => {
    checkLength(warn, `buttons.${index}.label`, button.label, 5, 30, 'buttonLabel')
    checkNoParams(warn, `buttons.${index}.label`, button.label, 'buttonLabel')
  })
}

function checkNote(warn: Warn, document: TemplateDocument): void {
  if (!document.note) {
    warn('note', 'note')
    return
  }
  checkLength(warn, 'note', document.note, 1, 400, 'note')
}

/** The vouchers that a customer would see: those of the blocks, or else the top-level one. */
function shownVouchers(document: TemplateDocument): [string, TemplateVoucher][] {
  const shown = document.contentBlocks.flatMap((block, index): [string, TemplateVoucher][] =>
    block.type === 'voucher' && block.voucher ? [[`contentBlocks.${index}.voucher`, block.voucher]] : [],
  )
  return shown.length === 0 && document.voucher ? [['voucher', document.voucher]] : shown
}

function shownRatings(document: TemplateDocument): [string, TemplateRating][] {
  const shown = document.contentBlocks.flatMap((block, index): [string, TemplateRating][] =>
    block.type === 'rating' && block.rating ? [[`contentBlocks.${index}.rating`, block.rating]] : [],
  )
  return shown.length === 0 && document.rating ? [['rating', document.rating]] : shown
}

function checkLength(warn: Warn, path: string, text: string, min: number, max: number, part: Part): void {
  const length = codePointLength(text)
  if (length >= min && length <= max) return
  warn(path, length < min ? 'tooShort' : 'tooLong', { part, length, min, max })
}

function checkNoParams(warn: Warn, path: string, text: string, part: Part): void {
  if (paramKeysIn(text).length > 0) warn(path, 'noParams', { part })
}
