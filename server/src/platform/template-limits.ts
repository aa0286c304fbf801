import { paramKeysIn } from '../lib/params.ts'
import { codePointLength } from '../lib/text.ts'
import type { RatingItem, TemplateDocument, TemplateRating, TemplateVoucher } from './types.ts'

/** A limit of the platform that a template breaks: `path` in dots (`contentBlocks.0.rows.1.label`), how to mend it. */
export type PlatformWarning = { path: string; message: string }

type Warn = (path: string, message: string) => void

/**
 * Every limit of the platform that the template breaks, in the order of its fields; empty when it keeps them all.
 * They are tighter than the contract: warnings for lint and console, refusals only with `PLATFORM_STRICT=1` (G-15).
 * Lengths are code points after NFC, params counted as written. Source: platform.md, "Template limits".
 */
export function platformWarnings(document: TemplateDocument): PlatformWarning[] {
  const warnings: PlatformWarning[] = []
  const warn: Warn = (path, message) => void warnings.push({ path, message })
  checkLength(warn, 'name', document.name, 10, 60, 'The name')
  checkTitle(warn, document)
  checkTag(warn, document)
  checkImages(warn, document)
  checkParagraphs(warn, document)
  checkTables(warn, document)
  checkVouchers(warn, document)
  checkRatings(warn, document)
  checkButtons(warn, document)
  checkNote(warn, document)
  return warnings
}

function checkTitle(warn: Warn, document: TemplateDocument): void {
  checkLength(warn, 'title', document.title, 9, 65, 'The title')
  const count = paramKeysIn(document.title).length
  if (count > 4) warn('title', `The title uses ${count} parameters; the platform takes at most 4.`)
}

function checkTag(warn: Warn, document: TemplateDocument): void {
  if (document.templateType === 'rating' && document.tag !== '2') {
    warn('tag', 'A rating template belongs to content level "2" (customer care); set the tag to "2".')
  }
}

function checkImages(warn: Warn, document: TemplateDocument): void {
  if (document.imageType !== 'image') return
  if (document.templateType === 'rating') {
    warn('imageType', 'A rating template cannot show images; use logos instead.')
  }
  const count = document.images?.length ?? 0
  if (count < 1 || count > 3) warn('images', `Give 1 to 3 images; there are ${count}.`)
  if (document.buttons.length === 0) warn('buttons', 'A template with images needs at least one button.')
}

function checkParagraphs(warn: Warn, document: TemplateDocument): void {
  const paragraphs: string[] = []
  document.contentBlocks.forEach((block, index) => {
    if (block.type !== 'paragraph') return
    paragraphs.push(block.value ?? '')
    checkLength(warn, `contentBlocks.${index}.value`, block.value ?? '', 9, 400, 'The paragraph')
  })
  if (paragraphs.length < 1 || paragraphs.length > 4) {
    warn('contentBlocks', `Write 1 to 4 paragraphs; there are ${paragraphs.length}.`)
  }
  const params = paramKeysIn(paragraphs.join(' ')).length
  if (params > 10) {
    warn('contentBlocks', `The paragraphs use ${params} parameters together; the platform takes at most 10.`)
  }
}

function checkTables(warn: Warn, document: TemplateDocument): void {
  let tables = 0
  document.contentBlocks.forEach((block, index) => {
    if (block.type !== 'table') return
    const path = `contentBlocks.${index}`
    const rows = block.rows ?? []
    tables += 1
    if (tables > 1) warn(path, 'The platform takes one table; move these rows into the first one.')
    if (rows.length < 2 || rows.length > 8) {
      warn(`${path}.rows`, `A table has 2 to 8 rows; this one has ${rows.length}.`)
    }
    rows.forEach((row, at) => {
      checkLength(warn, `${path}.rows.${at}.label`, row.label, 3, 36, 'The row’s label')
      checkNoParams(warn, `${path}.rows.${at}.label`, row.label, 'The row’s label')
      checkLength(warn, `${path}.rows.${at}.key`, row.key, 3, 90, 'The row’s text')
      const count = paramKeysIn(row.key).length
      if (count > 1) {
        warn(`${path}.rows.${at}.key`, `The row’s text uses ${count} parameters; use one a row.`)
      }
    })
  })
}

function checkVouchers(warn: Warn, document: TemplateDocument): void {
  for (const [path, voucher] of shownVouchers(document)) {
    checkLength(warn, `${path}.title`, voucher.title, 1, 30, 'The voucher’s title')
    checkLength(warn, `${path}.condition`, voucher.condition, 1, 40, 'The voucher’s condition')
    checkLength(warn, `${path}.code`, voucher.code, 1, 25, 'The voucher’s code')
  }
}

function checkRatings(warn: Warn, document: TemplateDocument): void {
  for (const [path, rating] of shownRatings(document)) {
    if (rating.items.length !== 5) {
      warn(
        `${path}.items`,
        `The platform wants exactly 5 items, one for each star; there are ${rating.items.length}.`,
      )
    }
    rating.items.forEach((item, at) => {
      checkRatingItem(warn, `${path}.items.${at}`, item)
    })
  }
}

function checkRatingItem(warn: Warn, path: string, item: RatingItem): void {
  const answers = item.answers ?? []
  checkLength(warn, `${path}.title`, item.title, 1, 50, 'The star’s title')
  checkLength(warn, `${path}.question`, item.question, 1, 100, 'The question')
  if (answers.length > 5) {
    warn(`${path}.answers`, `Offer at most 5 answers; there are ${answers.length}.`)
  }
  answers.forEach((answer, at) => {
    checkLength(warn, `${path}.answers.${at}`, answer, 1, 50, 'The answer')
  })
  checkLength(warn, `${path}.thanks`, item.thanks ?? '', 1, 100, 'The thank-you text')
  checkLength(warn, `${path}.description`, item.description ?? '', 1, 200, 'The description')
}

function checkButtons(warn: Warn, document: TemplateDocument): void {
  const count = document.buttons.length
  if (count > 2) warn('buttons', `The platform takes at most 2 buttons; there are ${count}.`)
  document.buttons.forEach((button, index) => {
    checkLength(warn, `buttons.${index}.label`, button.label, 5, 30, 'The button’s label')
    checkNoParams(warn, `buttons.${index}.label`, button.label, 'The button’s label')
  })
}

function checkNote(warn: Warn, document: TemplateDocument): void {
  if (!document.note) {
    warn('note', 'Add a note of 1 to 400 characters that tells the reviewers what the template is for.')
    return
  }
  checkLength(warn, 'note', document.note, 1, 400, 'The note')
}

/** The vouchers a customer would see: those of the blocks, else the top-level one. */
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

function checkLength(warn: Warn, path: string, text: string, min: number, max: number, what: string): void {
  const length = codePointLength(text)
  if (length >= min && length <= max) return
  const mend = length < min ? 'lengthen' : 'shorten'
  warn(path, `${what} has ${length} characters; ${mend} it to between ${min} and ${max}.`)
}

function checkNoParams(warn: Warn, path: string, text: string, what: string): void {
  if (paramKeysIn(text).length > 0) warn(path, `${what} cannot use parameters; write fixed text.`)
}
