import { isDeepStrictEqual } from 'node:util'
import { invalidField, type Problem, Refused } from '../../errors.ts'
import { isVoucherDate, voucherInstant } from '../../lib/dates.ts'
import { findSystemParam, isParamKey, isTechSetting, paramKeysIn, TECH_SETTINGS } from '../../lib/params.ts'
import { toNfc } from '../../lib/text.ts'
import type {
  ContentBlock,
  TemplateDocument,
  TemplateParam,
  TemplateRating,
  TemplateVoucher,
} from '../../platform/types.ts'
import type { TemplateBody } from './schema.ts'

export type TemplateStatus = 'DRAFT' | 'PENDING_REVIEW' | 'ENABLE' | 'DISABLE' | 'REJECTED'

export type Path = (string | number)[]

/**
 * A broken rule. `says` continues the field's name in Joi's manner (G-03), `mend` is a sentence that tells what
 * to do, `from` the other fields of the body that the finding rests on.
 */
export type Finding = { path: Path; says: string; mend: string; from?: (keyof TemplateBody)[] }
export type Report = (finding: Finding) => void

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Which field of a block carries it. */
const BLOCK_FIELD = { paragraph: 'value', table: 'rows', voucher: 'voucher', rating: 'rating' } as const
/** The button types that lead nowhere without a target: all but the OA's own page and the shop's mini-app. */
const TYPES_WITH_TARGET = new Set(['1', '2', '5', '6', '7', '8', '9', '10'])

/**
 * The template that a body of create or update stands for: `params` completed (`maxLength` from the technical
 * type, keys in NFC; the system parameters that occur when `isCustomParams` is false), fields that the service
 * ignores left out.
 * @throws ValidationError on the first rule that the body breaks (E1, G-11, G-12, G-13).
 */
export function readDocument(body: TemplateBody): TemplateDocument {
  return interpretBody(body, ({ path, says }) => {
    throw invalidField(path, says)
  })
}

/** As {@link readDocument}, but every broken rule goes to `report` and the reading goes on. */
export function interpretBody(body: TemplateBody, report: Report): TemplateDocument {
  const { status: _, shopId: __, ...sent } = body
  checkAddresses(sent, report)
  checkBlocks(sent.contentBlocks, report)
  const params = readParams(sent.params, report)
  for (const type of ['voucher', 'rating'] as const) {
    if (sent.templateType !== type || sent[type] !== undefined) continue
    report({
      path: [type],
      says: 'is required',
      mend: `Add ${type} with the content of the ${type}, or set templateType to "custom".`,
      from: ['templateType'],
    })
  }
  if (sent.voucher !== undefined) checkVoucher(sent.voucher, ['voucher'], report)
  if (sent.rating !== undefined) checkRating(sent.rating, ['rating'], report)
  const document: TemplateDocument = { ...sent, params }
  return {
    ...document,
    params: sent.isCustomParams ? declared(document, report) : systemParams(document, report),
  }
}

/** @throws TEMPLATE_NOT_PUBLISHABLE unless the status is DRAFT or REJECTED (G-15). */
export function assertPublishable(status: TemplateStatus): void {
  if (status !== 'DRAFT' && status !== 'REJECTED') throw new Refused('TEMPLATE_NOT_PUBLISHABLE', { status })
}

/**
 * Every reason why a template cannot go out for review, in the order of its fields; none when it can (G-15).
 * The messages say how to mend it.
 */
export function publishProblems(document: TemplateDocument, isOaLinked: boolean): Problem[] {
  const problems: Problem[] = []
  reportUnpublishable(document, isOaLinked, (finding) => {
    // The messages are joined into one text, each ended there.
    problems.push({ path: finding.path, message: sentenceOf(finding).replace(/\.$/, '') })
  })
  return problems
}

/** The finding as one message: what is wrong with the field, and what to do about it. */
export function sentenceOf({ path, says, mend }: Finding): string {
  const [problem] = invalidField(path, says).problems
  return `${problem!.message}. ${mend}`
}

/** What publishing asks of a template beyond create's rules (G-15). */
export function reportUnpublishable(document: TemplateDocument, isOaLinked: boolean, report: Report): void {
  if (!isOaLinked) {
    report({
      path: ['oaId'],
      says: 'must be an official account linked to this shop',
      mend: 'Link the account to the shop, or name one that is linked.',
    })
  }
  reportHeader(document, report)
  if (document.templateType !== 'custom') {
    const type = document.templateType
    const shown = document.contentBlocks.filter((block) => block.type === type)
    if (!shown.some((block) => isDeepStrictEqual(block[type], document[type]))) {
      report({
        path: ['contentBlocks'],
        says: `must contain a ${type} block with the same content as "${type}"`,
        mend: `Add a block of type "${type}" whose ${type} repeats the template's.`,
        from: ['templateType', type],
      })
    }
  }
  document.buttons.forEach((button, index) => {
    if (TYPES_WITH_TARGET.has(button.type) && !button.value?.trim()) {
      report({
        path: ['buttons', index, 'value'],
        says: `is required for a button of type ${button.type}`,
        mend: `Give ${button.type === '2' ? 'the phone number that it calls' : 'the address that it opens'}.`,
      })
    }
  })
  document.params.forEach((param, index) => {
    if (param.techSetting === undefined) {
      report({
        path: ['params', index, 'techSetting'],
        says: 'is required',
        mend: `Give the kind of value that <${param.key}> takes, "1" to "15".`,
        from: ['isCustomParams'],
      })
    }
  })
}

function reportHeader(document: TemplateDocument, report: Report): void {
  if (document.imageType === 'image') {
    if (document.images?.length) return
    report({
      path: ['images'],
      says: 'must contain at least 1 image when imageType is image',
      mend: 'Add the address of an image, or set imageType to "logo".',
      from: ['imageType'],
    })
    return
  }
  const grounds = { logoLight: 'light', logoDark: 'dark' } as const
  for (const field of ['logoLight', 'logoDark'] as const) {
    if (document[field]) continue
    report({
      path: [field],
      says: 'is required when imageType is logo',
      mend: `Add the address of the logo for a ${grounds[field]} background.`,
      from: ['imageType'],
    })
  }
}

function checkAddresses(
  sent: Pick<TemplateDocument, 'logoLight' | 'logoDark' | 'images'>,
  report: Report,
): void {
  const given: [Path, string | undefined][] = [
    [['logoLight'], sent.logoLight],
    [['logoDark'], sent.logoDark],
    ...(sent.images ?? []).map((image, index): [Path, string] => [['images', index], image]),
  ]
  for (const [path, text] of given) {
    if (text && !isWebAddress(text)) {
      const mend = 'Write the whole address, beginning with https:// or http://.'
      report({ path, says: 'must be a valid uri', mend })
    }
  }
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

const OWN_UUID = 'Give each block a UUID of its own.'

function checkBlocks(blocks: ContentBlock[], report: Report): void {
  const ids = new Set<string>()
  blocks.forEach((block, index) => {
    const at = ['contentBlocks', index]
    const id = block.id.toLowerCase()
    if (!UUID.test(id)) report({ path: [...at, 'id'], says: 'must be a valid GUID', mend: OWN_UUID })
    else if (ids.has(id))
      report({ path: [...at, 'id'], says: 'is the id of another block too', mend: OWN_UUID })
    ids.add(id)
    const field = BLOCK_FIELD[block.type]
    if (block[field] === undefined) {
      const mend = `Add ${field}, which carries a block of type "${block.type}".`
      report({ path: [...at, field], says: 'is required', mend })
    }
    if (block.voucher !== undefined) checkVoucher(block.voucher, [...at, 'voucher'], report)
    if (block.rating !== undefined) checkRating(block.rating, [...at, 'rating'], report)
  })
}

function checkVoucher(voucher: TemplateVoucher, at: Path, report: Report): void {
  const { startDate, expiryDate } = voucher
  for (const [field, text] of Object.entries({ startDate, expiryDate })) {
    if (text !== undefined && !isVoucherDate(text)) {
      report({
        path: [...at, field],
        says: 'must be a date as dd/mm/yyyy, hh:mm dd/mm/yyyy, hh:mm:ss dd/mm/yyyy or ISO 8601, or one <param>',
        mend: 'Write for instance 31/12/2030, or the name of one param such as <expiry>.',
      })
    }
  }
  const start = startDate === undefined ? undefined : voucherInstant(startDate, 'start')
  const end = voucherInstant(expiryDate, 'end')
  if (start !== undefined && end !== undefined && end < start) {
    report({
      path: [...at, 'expiryDate'],
      says: 'must not be before startDate',
      mend: 'Move expiryDate behind startDate.',
    })
  }
}

function checkRating(rating: TemplateRating, at: Path, report: Report): void {
  const stars = new Set<number>()
  rating.items.forEach((item, index) => {
    if (stars.has(item.star)) {
      report({
        path: [...at, 'items', index, 'star'],
        says: 'is the star of another item too',
        mend: 'Keep one item for each star, 1 to 5.',
      })
    }
    stars.add(item.star)
  })
}

function readParams(params: TemplateParam[], report: Report): TemplateParam[] {
  const keys = new Set<string>()
  return params.map((param, index) => {
    const key = toNfc(param.key)
    const at = ['params', index]
    if (!isParamKey(key)) {
      report({
        path: [...at, 'key'],
        says: 'must hold letters, digits and underscores only',
        mend: 'Write the name without angle brackets and spaces, such as order_code.',
      })
    } else if (keys.has(key)) {
      report({
        path: [...at, 'key'],
        says: 'is the key of another param too',
        mend: 'Rename or remove one of the two.',
      })
    }
    keys.add(key)
    if (param.techSetting === undefined || !isTechSetting(param.techSetting)) return { ...param, key }
    const { maxLength } = TECH_SETTINGS[param.techSetting]
    if (param.maxLength !== undefined && param.maxLength !== maxLength) {
      report({
        path: [...at, 'maxLength'],
        says: `must be ${maxLength} for techSetting ${param.techSetting}`,
        mend: 'Leave maxLength out: the techSetting decides it.',
      })
    }
    return { ...param, key, maxLength }
  })
}

/** The declared params, once every place in the texts is found among them (G-13). */
function declared(document: TemplateDocument, report: Report): TemplateParam[] {
  const keys = new Set(document.params.map((param) => param.key))
  for (const { path, text } of places(document)) {
    for (const key of paramKeysIn(text).filter((used) => !keys.has(used))) {
      report({
        path,
        says: `uses <${key}>, which params does not declare`,
        mend: `Declare ${key} in params, or correct its spelling.`,
        from: ['params', 'isCustomParams'],
      })
    }
  }
  return document.params
}

/** The system's parameters that occur in the texts; a sample value sent for one is kept (G-13). */
function systemParams(document: TemplateDocument, report: Report): TemplateParam[] {
  const sent = new Map(document.params.map((param) => [param.key, param]))
  const used = new Map<string, TemplateParam>()
  for (const { path, text } of places(document)) {
    for (const key of paramKeysIn(text)) {
      const system = findSystemParam(key)
      if (system === undefined) {
        report({
          path,
          says: `uses <${key}>, which is none of the system parameters`,
          mend: 'Use a system parameter, or set isCustomParams to true and declare it in params.',
          from: ['isCustomParams'],
        })
        continue
      }
      const { sampleValue, rowType = 0 } = sent.get(key) ?? {}
      used.set(key, {
        key,
        label: system.label,
        techSetting: system.techSetting,
        maxLength: TECH_SETTINGS[system.techSetting].maxLength,
        ...(sampleValue === undefined ? {} : { sampleValue }),
        rowType,
        isFixed: false,
      })
    }
  }
  return [...used.values()]
}

/** Every text in which a parameter is replaced at sending, with its path. */
function places(document: TemplateDocument): { path: Path; text: string }[] {
  return [
    { path: ['title'], text: document.title },
    ...document.contentBlocks.flatMap((block, index) => placesInBlock(block, ['contentBlocks', index])),
    ...document.buttons.map((button, index) => ({
      path: ['buttons', index, 'value'],
      text: button.value ?? '',
    })),
    ...(document.voucher === undefined ? [] : placesInVoucher(document.voucher, ['voucher'])),
  ]
}

function placesInBlock(block: ContentBlock, at: Path): { path: Path; text: string }[] {
  return [
    { path: [...at, 'value'], text: block.value ?? '' },
    ...(block.rows ?? []).map((row, index) => ({ path: [...at, 'rows', index, 'key'], text: row.key })),
    ...(block.voucher === undefined ? [] : placesInVoucher(block.voucher, [...at, 'voucher'])),
  ]
}

function placesInVoucher(voucher: TemplateVoucher, at: Path): { path: Path; text: string }[] {
  const { code, title, condition, startDate = '', expiryDate } = voucher
  return Object.entries({ code, title, condition, startDate, expiryDate }).map(([field, text]) => ({
    path: [...at, field],
    text,
  }))
}
