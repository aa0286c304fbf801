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

type Path = (string | number)[]

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
  const { status: _, shopId: __, ...sent } = body
  checkAddresses(sent)
  checkBlocks(sent.contentBlocks)
  const params = readParams(sent.params)
  if (sent.templateType === 'voucher' && sent.voucher === undefined) throw isRequired(['voucher'])
  if (sent.templateType === 'rating' && sent.rating === undefined) throw isRequired(['rating'])
  if (sent.voucher !== undefined) checkVoucher(sent.voucher, ['voucher'])
  if (sent.rating !== undefined) checkRating(sent.rating, ['rating'])
  const document: TemplateDocument = { ...sent, params }
  return { ...document, params: sent.isCustomParams ? declared(document) : systemParams(document) }
}

/** @throws TEMPLATE_NOT_PUBLISHABLE unless the status is DRAFT or REJECTED (G-15). */
export function assertPublishable(status: TemplateStatus): void {
  if (status !== 'DRAFT' && status !== 'REJECTED') throw new Refused('TEMPLATE_NOT_PUBLISHABLE', { status })
}

/** Every reason why a template cannot go out for review, in the order of its fields; none when it can (G-15). */
export function publishProblems(document: TemplateDocument, isOaLinked: boolean): Problem[] {
  const problems: Problem[] = []
  const add = (path: Path, says: string) => problems.push(...invalidField(path, says).problems)
  if (!isOaLinked) add(['oaId'], 'must be an official account linked to this shop')
  if (document.imageType === 'logo') {
    if (!document.logoLight) add(['logoLight'], 'is required when imageType is logo')
    if (!document.logoDark) add(['logoDark'], 'is required when imageType is logo')
  } else if (!document.images?.length) {
    add(['images'], 'must contain at least 1 image when imageType is image')
  }
  if (document.templateType !== 'custom') {
    const type = document.templateType
    const shown = document.contentBlocks.filter((block) => block.type === type)
    if (!shown.some((block) => isDeepStrictEqual(block[type], document[type]))) {
      add(['contentBlocks'], `must contain a ${type} block with the same content as "${type}"`)
    }
  }
  document.buttons.forEach((button, index) => {
    if (TYPES_WITH_TARGET.has(button.type) && !button.value?.trim()) {
      add(['buttons', index, 'value'], `is required for a button of type ${button.type}`)
    }
  })
  document.params.forEach((param, index) => {
    if (param.techSetting === undefined) add(['params', index, 'techSetting'], 'is required')
  })
  return problems
}

function isRequired(path: Path) {
  return invalidField(path, 'is required')
}

function checkAddresses(sent: Pick<TemplateDocument, 'logoLight' | 'logoDark' | 'images'>): void {
  const given: [Path, string | undefined][] = [
    [['logoLight'], sent.logoLight],
    [['logoDark'], sent.logoDark],
    ...(sent.images ?? []).map((image, index): [Path, string] => [['images', index], image]),
  ]
  for (const [path, text] of given) {
    if (text && !isWebAddress(text)) throw invalidField(path, 'must be a valid uri')
  }
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

function checkBlocks(blocks: ContentBlock[]): void {
  const ids = new Set<string>()
  blocks.forEach((block, index) => {
    const at = ['contentBlocks', index]
    if (!UUID.test(block.id)) throw invalidField([...at, 'id'], 'must be a valid GUID')
    const id = block.id.toLowerCase()
    if (ids.has(id)) throw invalidField([...at, 'id'], 'is the id of another block too')
    ids.add(id)
    const field = BLOCK_FIELD[block.type]
    if (block[field] === undefined) throw isRequired([...at, field])
    if (block.voucher !== undefined) checkVoucher(block.voucher, [...at, 'voucher'])
    if (block.rating !== undefined) checkRating(block.rating, [...at, 'rating'])
  })
}

function checkVoucher(voucher: TemplateVoucher, at: Path): void {
  const { startDate, expiryDate } = voucher
  for (const [field, text] of Object.entries({ startDate, expiryDate })) {
    if (text !== undefined && !isVoucherDate(text)) {
      throw invalidField(
        [...at, field],
        'must be a date as dd/mm/yyyy, hh:mm dd/mm/yyyy, hh:mm:ss dd/mm/yyyy or ISO 8601, or one <param>',
      )
    }
  }
  const start = startDate === undefined ? undefined : voucherInstant(startDate, 'start')
  const end = voucherInstant(expiryDate, 'end')
  if (start !== undefined && end !== undefined && end < start) {
    throw invalidField([...at, 'expiryDate'], 'must not be before startDate')
  }
}

function checkRating(rating: TemplateRating, at: Path): void {
  const stars = new Set<number>()
  rating.items.forEach((item, index) => {
    if (stars.has(item.star)) {
      throw invalidField([...at, 'items', index, 'star'], 'is the star of another item too')
    }
    stars.add(item.star)
  })
}

function readParams(params: TemplateParam[]): TemplateParam[] {
  const keys = new Set<string>()
  return params.map((param, index) => {
    const key = toNfc(param.key)
    const at = ['params', index]
    if (!isParamKey(key)) {
      throw invalidField([...at, 'key'], 'must hold letters, digits and underscores only')
    }
    if (keys.has(key)) throw invalidField([...at, 'key'], 'is the key of another param too')
    keys.add(key)
    if (param.techSetting === undefined || !isTechSetting(param.techSetting)) return { ...param, key }
    const { maxLength } = TECH_SETTINGS[param.techSetting]
    if (param.maxLength !== undefined && param.maxLength !== maxLength) {
      throw invalidField([...at, 'maxLength'], `must be ${maxLength} for techSetting ${param.techSetting}`)
    }
    return { ...param, key, maxLength }
  })
}

/** The declared params, once every place in the texts is found among them (G-13). */
function declared(document: TemplateDocument): TemplateParam[] {
  const keys = new Set(document.params.map((param) => param.key))
  for (const { path, text } of places(document)) {
    const unknown = paramKeysIn(text).find((key) => !keys.has(key))
    if (unknown !== undefined) {
      throw invalidField(path, `uses <${unknown}>, which params does not declare`)
    }
  }
  return document.params
}

/** The system's parameters that occur in the texts; a sample value sent for one is kept (G-13). */
function systemParams(document: TemplateDocument): TemplateParam[] {
  const sent = new Map(document.params.map((param) => [param.key, param]))
  const used = new Map<string, TemplateParam>()
  for (const { path, text } of places(document)) {
    for (const key of paramKeysIn(text)) {
      const system = findSystemParam(key)
      if (system === undefined) {
        throw invalidField(path, `uses <${key}>, which is none of the system parameters`)
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
