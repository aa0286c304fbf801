import type { paths } from '@shopbell/client'
import type { CsvRow } from '../../../csv.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { type FieldProblem, namedProblem, ownProblem } from '../../../texts/field-problem.ts'
import type { Template } from '../../templates/editor/draft.ts'
import { paramLabelOf } from '../param-label.ts'
import type { Sheet } from './sheet.ts'
import { type ValueForm, writeValue } from './value-forms.ts'

export type Batch =
  paths['/api/external/notify-message/batches']['get']['responses'][200]['content']['application/json']['data'][number]
export type BatchMessage =
  paths['/api/external/notify-message/batches']['post']['requestBody']['content']['application/json']['messages'][number]

/** The most messages that the service accepts in one call. */
export const MAX_MESSAGES = 1_000
// A longer text would make the service refuse the whole call and not just the row.
export const LONGEST = { phone: 40, uid: 64, value: 2_000 }

/** What fills a parameter: the column with this index, one text for all rows, or nothing yet. */
export type Source = number | { text: string } | null

export type ChosenForm = ValueForm | 'asGiven'

/** What fills each place, and the form of its values. `recipient` is the index of a column. */
export type Mapping = {
  channel: 'phone' | 'uid'
  recipient: number | null
  params: Record<string, Source>
  forms?: Record<string, ChosenForm>
}
/** A value that cannot be written in the form of its parameter. */
export type Misfit = { key: string; form: ValueForm; value: string }
/** A row as a message. `line` is its row in the file. */
export type Planned = { fields: CsvRow; line: number; message: BatchMessage }
/** A message that the service refused, by its index in the call, from 0. */
export type RefusedMessage = {
  index: number
  message: string
  rule?: FieldProblem['rule']
  values?: FieldProblem['values']
}
export type RefusedRow = { fields: CsvRow; line: number; reason: string }

type Param = Template['params'][number]

export function passedParams(template: Template): Template['params'] {
  return template.params.filter(({ isFixed }) => isFixed !== true)
}

/** How shops name the columns of a phone number, folded. */
const PHONE_NAMES =
  'phone, sdt, so dt, dt, so dien thoai, dien thoai, receiver phone, phone number, mobile, tel'
const UID_NAMES = 'uid, user uid'

/** How shops name the column for a param of each data type, folded. */
const NAMES_BY_TYPE: Readonly<Record<string, string>> = {
  1: 'ho ten, ho va ten, ten, ten kh, ten khach, khach, khach hang, name, full name, customer, customer name',
  3: 'dia chi, dc, address',
  4: 'ma don, ma don hang, so don, don hang, ma hd, hoa don, order, order id, order code, code',
  5: 'ma uu dai, ma giam gia, voucher, coupon',
  6: 'trang thai, tinh trang, status',
  9: 'san pham, ten hang, hang hoa, mat hang, ten san pham, product, product name, item',
  10: 'so luong, sl, quantity, qty',
  11: 'ngay, ngay dat, ngay mua, ngay hen, date, order date',
  13: 'link, duong dan, url',
  14: 'tong tien, thanh tien, so tien, tong cong, tri gia, gia tri, total, amount, total amount',
}

/**
 * Guesses the mapping from the columns' names: a parameter's key or label, or a phone number or UID. `columns` has the
 * possible names of each column. If no name matches, a free column is taken if it is the only one that shops name so for
 * the parameter's data type, such as "Thành tiền" for an amount, or whose words are all in the label or the other way round,
 * such as "Khách" for "Tên khách hàng", and if no other parameter would take it.
 */
export function guessMapping(columns: string[][], template: Template): Mapping {
  const folded = columns.map((names) => names.map(fold))
  const columnOf = (names: string[]) => {
    const wanted = names.map(fold)
    const column = folded.findIndex((known) => known.some((name) => wanted.includes(name)))
    return column === -1 ? null : column
  }
  const phone = columnOf(PHONE_NAMES.split(','))
  const uid = columnOf(UID_NAMES.split(','))
  const params = passedParams(template)
  const exact = new Map(params.map(({ key, label }) => [key, columnOf([key, label])]))
  const taken = new Set([phone, uid, ...exact.values()])
  const free = columns.flatMap((names, column) =>
    taken.has(column) ? [] : [{ column, name: names[0] ?? '' }],
  )
  const open = params.filter(({ key }) => exact.get(key) === null)
  /** The one free column that fits a parameter which no other one fits. */
  const onlyFit = (param: Param, fits: (name: string, param: Param) => boolean) => {
    const found = free.filter(({ name }) => fits(name, param))
    const isOnly = found.length === 1 && open.filter((one) => fits(found[0]!.name, one)).length === 1
    return isOnly ? found[0]!.column : undefined
  }
  const mapped = params.map((param): [string, number | null] => [
    param.key,
    exact.get(param.key) ?? onlyFit(param, isNamedSo) ?? onlyFit(param, isAlike) ?? null,
  ])
  return {
    channel: phone === null && uid !== null ? 'uid' : 'phone',
    recipient: phone ?? uid,
    params: Object.fromEntries(mapped),
  }
}

/** Whether shops name the column of a parameter of this data type so. */
function isNamedSo(name: string, { techSetting = '' }: Param): boolean {
  const names = (NAMES_BY_TYPE[techSetting] ?? '').split(',').map(fold)
  return name !== '' && names.includes(fold(name))
}

/** Whether all words of the name occur in the parameter's label, or the other way round. */
function isAlike(one: string, { label: other }: Param): boolean {
  const words = (text: string) =>
    text
      .split(/[^\p{L}\p{N}]+/u)
      .map(fold)
      .filter(Boolean)
  const [short, long] = [words(one), words(other)].sort((left, right) => left.length - right.length)
  return short!.length > 0 && short!.every((word) => long!.includes(word))
}

/** Only letters and digits, without accents. */
function fold(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replace(/[^a-z0-9]/g, '')
}

/** The parameters that nothing fills yet. */
export function unmappedParams(template: Template, { params }: Mapping): Param[] {
  return passedParams(template).filter(({ key }) => {
    const source = params[key] ?? null
    return source === null || (typeof source === 'object' && source.text.trim() === '')
  })
}

/**
 * The values of a row for its message's parameters, each in its form; an empty field counts as no value. A value that does not fit stays
 * as it is, and is in `misfits` too.
 */
export function valuesOf(
  fields: CsvRow,
  mapping: Mapping,
): { values: Record<string, string>; misfits: Misfit[] } {
  const values: [string, string][] = []
  const misfits: Misfit[] = []
  for (const [key, source] of Object.entries(mapping.params)) {
    const value = textOf(source, fields).trim()
    if (value === '') continue
    const form = typeof source === 'number' ? (mapping.forms?.[key] ?? 'asGiven') : 'asGiven'
    const written = form === 'asGiven' ? value : writeValue(form, value)
    if (written === undefined && form !== 'asGiven') misfits.push({ key, form, value })
    values.push([key, written ?? value])
  }
  return { values: Object.fromEntries(values), misfits }
}

/** As many characters of a value as its refusal shows. */
const SHOWN_VALUE = 40

/** What is wrong with a value, with its parameter's label in the template. `says` has the texts by the form. */
export function misfitReason(
  { key, form, value }: Misfit,
  { params }: Pick<Template, 'params'>,
  says: Record<ValueForm, (label: string, value: string) => string>,
): string {
  const label = params.find((param) => param.key === key)?.label || key
  return says[form](label, value.length > SHOWN_VALUE ? `${value.slice(0, SHOWN_VALUE)}…` : value)
}

function textOf(source: Source, fields: CsvRow): string {
  if (source === null) return ''
  return typeof source === 'number' ? (fields[source] ?? '') : source.text
}

/**
 * Whether a row has fields that no column of the header names. Its other fields may then be in the wrong columns, for example
 * because an amount has a separator in it: `1,250,000`.
 */
export function hasSurplus(fields: CsvRow, header: CsvRow): boolean {
  return fields.slice(header.length).some((field) => field.trim() !== '')
}

/**
 * The rows as messages in the file's order with their lines, and the rows that cannot become messages. `says` has the
 * texts of the reasons.
 */
export function planBatch(
  { header, rows, lines }: Sheet,
  mapping: Mapping,
  says: {
    noRecipient: string
    tooLong: (column: string) => string
    surplus: (fields: number, columns: number) => string
    misfit: (misfit: Misfit) => string
  },
): { planned: Planned[]; refused: RefusedRow[] } {
  const planned: Planned[] = []
  const refused: RefusedRow[] = []
  rows.forEach((fields, index) => {
    const line = lines[index]!
    const recipient = (fields[mapping.recipient ?? 0] ?? '').trim()
    const { values: params, misfits } = valuesOf(fields, mapping)
    const long = Object.entries(params).find(([, value]) => value.length > LONGEST.value)?.[0]
    if (hasSurplus(fields, header))
      refused.push({ fields, line, reason: says.surplus(fields.length, header.length) })
    else if (recipient === '') refused.push({ fields, line, reason: says.noRecipient })
    else if (recipient.length > LONGEST[mapping.channel])
      refused.push({ fields, line, reason: says.tooLong(header[mapping.recipient ?? 0] ?? '') })
    else if (long !== undefined) refused.push({ fields, line, reason: says.tooLong(long) })
    else if (misfits.length > 0) refused.push({ fields, line, reason: misfits.map(says.misfit).join('; ') })
    else {
      const message =
        mapping.channel === 'phone' ? { receiverPhone: recipient, params } : { userUID: recipient, params }
      planned.push({ fields, line, message })
    }
  })
  return { planned, refused }
}

/** Why a row was refused, in the reader's language; a parameter is called by its label in the template. The row is named beside it. */
export function refusedReason(
  { index, message, rule, values }: RefusedMessage,
  template: Pick<Template, 'params'> | undefined,
  language: Language,
): string {
  // A refusal of the whole shop, for example because of its wallet, is already in the reader's language.
  if (rule === undefined || values === undefined) return message
  const problem = { key: '', message, rule, values }
  const row = `messages[${index}]`
  const label = String(values.label)
  if (label === row) return ownProblem(problem, language)
  const short = label.slice(row.length + 1)
  return namedProblem(
    {
      key: short,
      rule,
      message: message.replace(`"${label}"`, `"${short}"`),
      values: { ...values, label: short },
    },
    language,
    paramLabelOf(template),
  )
}
