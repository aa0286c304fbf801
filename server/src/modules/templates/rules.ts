import { isDeepStrictEqual } from 'node:util'
import { Refused } from '../../errors.ts'
import {
  findSystemParam,
  isParamKey,
  isTechSetting,
  paramKeysIn,
  TECH_SETTINGS,
} from '../../lib/text/params.ts'
import { toNfc } from '../../lib/text/text.ts'
import { isVoucherDate, voucherInstant } from '../../lib/time/dates.ts'
import type {
  ContentBlock,
  TemplateDocument,
  TemplateParam,
  TemplateRating,
  TemplateVoucher,
} from '../../platform/types.ts'
import type { Rule, TemplateStatusName } from '../../texts/keys.ts'
import type { TemplateBody } from './schema.ts'

export type TemplateStatus = TemplateStatusName

export type Path = (string | number)[]

/** A broken rule. `values` fill its text; `from` lists the other fields of the body that the finding depends on. */
export type Finding = {
  path: Path
  rule: Rule
  values?: Record<string, string | number>
  from?: (keyof TemplateBody)[]
}
export type Report = (finding: Finding) => void

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** The field of a block that holds its content. */
const BLOCK_FIELD = { paragraph: 'value', table: 'rows', voucher: 'voucher', rating: 'rating' } as const
/** The button type that opens a web page. */
const ADDRESS_BUTTON = '7'
/** The button types that need a target: all but the OA's own page and the shop's mini-app. */
const TYPES_WITH_TARGET = new Set(['1', '2', '5', '6', '7', '8', '9', '10'])

/**
 * The most text that all content blocks may have together, in UTF-16 units: about fifteen times what the platform
 * accepts.
 */
const MAX_CONTENT_LENGTH = 100_000

/** The finding that the content blocks have too much text to check, or undefined. Call this before any other check. */
export function findOversize({ contentBlocks }: Pick<TemplateBody, 'contentBlocks'>): Finding | undefined {
  if (textLength(contentBlocks) <= MAX_CONTENT_LENGTH) return undefined
  return { path: ['contentBlocks'], rule: 'contentSize', values: { most: MAX_CONTENT_LENGTH } }
}

/** The length of all texts in a value that has the body's shape. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + textLength(part), 0)
}

/**
 * The template described by a body of create or update. Its `params` are completed: `maxLength` from the technical
 * type, keys in NFC, and, when `isCustomParams` is false, the system parameters that occur. Fields that the service
 * ignores are left out. Every broken rule is passed to `report`, and reading continues (E1, G-11, G-12, G-13).
 */
export function interpretBody(body: TemplateBody, report: Report): TemplateDocument {
  const { status: _, shopId: __, ...sent } = body
  checkAddresses(sent, report)
  checkButtons(sent.buttons, report)
  checkBlocks(sent.contentBlocks, report)
  const params = readParams(sent.params, report)
  for (const type of ['voucher', 'rating'] as const) {
    if (sent.templateType !== type || sent[type] !== undefined) continue
    report({
      path: [type],
      rule: 'content',
      values: { type },
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

/** Whether a template of this status may be changed (E2) and published (G-15). */
export function isEditable(status: TemplateStatus): boolean {
  return status === 'DRAFT' || status === 'REJECTED'
}

/** @throws TEMPLATE_NOT_PUBLISHABLE unless the status is DRAFT or REJECTED (G-15). */
export function assertPublishable(status: TemplateStatus): void {
  if (!isEditable(status))
    throw new Refused('TEMPLATE_NOT_PUBLISHABLE', { status: { templateStatus: status } })
}

/** Reports what publishing requires of a template beyond create's rules, in the order of its fields (G-15). */
export function reportUnpublishable(document: TemplateDocument, isOaLinked: boolean, report: Report): void {
  if (!isOaLinked) {
    report({ path: ['oaId'], rule: 'officialAccount' })
  }
  reportHeader(document, report)
  if (document.templateType !== 'custom') {
    const type = document.templateType
    const shown = document.contentBlocks.filter((block) => block.type === type)
    if (!shown.some((block) => isDeepStrictEqual(block[type], document[type]))) {
      report({
        path: ['contentBlocks'],
        rule: 'shownBlock',
        values: { type },
        from: ['templateType', type],
      })
    }
  }
  document.buttons.forEach((button, index) => {
    if (TYPES_WITH_TARGET.has(button.type) && !button.value?.trim()) {
      report({
        path: ['buttons', index, 'value'],
        rule: button.type === '2' ? 'buttonPhone' : 'buttonAddress',
        values: { type: button.type },
      })
    }
  })
  document.params.forEach((param, index) => {
    if (param.techSetting === undefined) {
      report({
        path: ['params', index, 'techSetting'],
        rule: 'techSetting',
        values: { key: param.key },
        from: ['isCustomParams'],
      })
    }
  })
}

function reportHeader(document: TemplateDocument, report: Report): void {
  if (document.imageType === 'image') {
    if (document.images?.length) return
    report({ path: ['images'], rule: 'images', from: ['imageType'] })
    return
  }
  for (const field of ['logoLight', 'logoDark'] as const) {
    if (!document[field]) report({ path: [field], rule: field, from: ['imageType'] })
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
    if (text && !isWebAddress(text)) report({ path, rule: 'address' })
  }
}

/** The address that a button opens must begin with http, https or a parameter; it may contain parameters. */
function checkButtons(buttons: TemplateDocument['buttons'], report: Report): void {
  buttons.forEach(({ type, value = '' }, index) => {
    const target = value.trim()
    if (type !== ADDRESS_BUTTON || target === '' || /^<[^<>]+>/.test(target)) return
    if (!isWebAddress(target.replace(/<[^<>]*>/g, 'x')))
      report({ path: ['buttons', index, 'value'], rule: 'address' })
  })
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

function checkBlocks(blocks: ContentBlock[], report: Report): void {
  const ids = new Set<string>()
  blocks.forEach((block, index) => {
    const at = ['contentBlocks', index]
    const id = block.id.toLowerCase()
    if (!UUID.test(id)) report({ path: [...at, 'id'], rule: 'blockId' })
    else if (ids.has(id)) report({ path: [...at, 'id'], rule: 'blockIdTwice' })
    ids.add(id)
    const field = BLOCK_FIELD[block.type]
    if (block[field] === undefined) {
      report({ path: [...at, field], rule: 'blockContent', values: { field, type: block.type } })
    }
    if (block.voucher !== undefined) checkVoucher(block.voucher, [...at, 'voucher'], report)
    if (block.rating !== undefined) checkRating(block.rating, [...at, 'rating'], report)
  })
}

function checkVoucher(voucher: TemplateVoucher, at: Path, report: Report): void {
  const { startDate, expiryDate } = voucher
  for (const [field, text] of Object.entries({ startDate, expiryDate })) {
    if (text !== undefined && !isVoucherDate(text)) {
      report({ path: [...at, field], rule: 'voucherDate' })
    }
  }
  const start = startDate === undefined ? undefined : voucherInstant(startDate, 'start')
  const end = voucherInstant(expiryDate, 'end')
  if (start !== undefined && end !== undefined && end < start) {
    report({ path: [...at, 'expiryDate'], rule: 'voucherDates' })
  }
}

function checkRating(rating: TemplateRating, at: Path, report: Report): void {
  const stars = new Set<number>()
  rating.items.forEach((item, index) => {
    if (stars.has(item.star)) report({ path: [...at, 'items', index, 'star'], rule: 'starTwice' })
    stars.add(item.star)
  })
}

function readParams(params: TemplateParam[], report: Report): TemplateParam[] {
  const keys = new Set<string>()
  return params.map((param, index) => {
    const key = toNfc(param.key)
    const at = ['params', index]
    if (!isParamKey(key)) {
      report({ path: [...at, 'key'], rule: 'paramKey' })
    } else if (keys.has(key)) {
      report({ path: [...at, 'key'], rule: 'paramKeyTwice' })
    }
    keys.add(key)
    if (param.techSetting === undefined || !isTechSetting(param.techSetting)) return { ...param, key }
    const { maxLength } = TECH_SETTINGS[param.techSetting]
    if (param.maxLength !== undefined && param.maxLength !== maxLength) {
      report({
        path: [...at, 'maxLength'],
        rule: 'maxLength',
        values: { maxLength, techSetting: param.techSetting },
      })
    }
    return { ...param, key, maxLength }
  })
}

/** The declared params. Reports every param in the texts that is not declared (G-13). */
function declared(document: TemplateDocument, report: Report): TemplateParam[] {
  const keys = new Set(document.params.map((param) => param.key))
  for (const { path, text } of places(document)) {
    for (const key of paramKeysIn(text).filter((used) => !keys.has(used))) {
      report({
        path,
        rule: 'undeclaredParam',
        values: { key },
        from: ['params', 'isCustomParams'],
      })
    }
  }
  return document.params
}

/** The system parameters that occur in the texts. A sample value sent for one is kept (G-13). */
function systemParams(document: TemplateDocument, report: Report): TemplateParam[] {
  const sent = new Map(document.params.map((param) => [param.key, param]))
  const used = new Map<string, TemplateParam>()
  for (const { path, text } of places(document)) {
    for (const key of paramKeysIn(text)) {
      const system = findSystemParam(key)
      if (system === undefined) {
        report({ path, rule: 'noSystemParam', values: { key }, from: ['isCustomParams'] })
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

type Place = { path: Path; text: string }

/** Every text that the customer sees or opens, with its path: a parameter may occur in all of them. */
function places(document: TemplateDocument): Place[] {
  return [
    { path: ['title'], text: document.title },
    ...document.contentBlocks.flatMap((block, index) => placesInBlock(block, ['contentBlocks', index])),
    ...document.buttons.flatMap(({ label, value = '' }, index) => [
      { path: ['buttons', index, 'label'], text: label },
      { path: ['buttons', index, 'value'], text: value },
    ]),
    ...(document.voucher === undefined ? [] : placesInVoucher(document.voucher, ['voucher'])),
    ...(document.rating === undefined ? [] : placesInRating(document.rating, ['rating'])),
  ]
}

function placesInBlock(block: ContentBlock, at: Path): Place[] {
  return [
    { path: [...at, 'value'], text: block.value ?? '' },
    ...(block.rows ?? []).flatMap(({ label, key }, index) => [
      { path: [...at, 'rows', index, 'label'], text: label },
      { path: [...at, 'rows', index, 'key'], text: key },
    ]),
    ...(block.voucher === undefined ? [] : placesInVoucher(block.voucher, [...at, 'voucher'])),
    ...(block.rating === undefined ? [] : placesInRating(block.rating, [...at, 'rating'])),
  ]
}

function placesInRating(rating: TemplateRating, at: Path): Place[] {
  return rating.items.flatMap(({ title, question, answers = [], thanks = '', description = '' }, index) => {
    const item = [...at, 'items', index]
    return [
      ...Object.entries({ title, question, thanks, description }).map(([field, text]) => ({
        path: [...item, field],
        text,
      })),
      ...answers.map((text, answer) => ({ path: [...item, 'answers', answer], text })),
    ]
  })
}

function placesInVoucher(voucher: TemplateVoucher, at: Path): Place[] {
  const { code, title, condition, startDate = '', expiryDate } = voucher
  return Object.entries({ code, title, condition, startDate, expiryDate }).map(([field, text]) => ({
    path: [...at, field],
    text,
  }))
}
