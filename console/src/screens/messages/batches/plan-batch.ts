import type { paths } from '@shopbell/client'
import type { CsvRow } from '../../../csv.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { type FieldProblem, namedProblem, ownProblem } from '../../../texts/field-problem.ts'
import type { Template } from '../../templates/editor/draft.ts'
import { paramLabelOf } from '../param-label.ts'
import type { Sheet } from './sheet.ts'

export type Batch =
  paths['/api/external/notify-message/batches']['get']['responses'][200]['content']['application/json']['data'][number]
export type BatchMessage =
  paths['/api/external/notify-message/batches']['post']['requestBody']['content']['application/json']['messages'][number]

/** The most messages that the service accepts in one call. */
export const MAX_MESSAGES = 1_000
// A longer text would make the service refuse the whole call and not just the row.
const LONGEST = { phone: 40, uid: 64, value: 2_000 }

/** The index of the column that fills each place; null if none is chosen. */
export type Mapping = {
  channel: 'phone' | 'uid'
  recipient: number | null
  params: Record<string, number | null>
}
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

export function passedParams(template: Template): Template['params'] {
  return template.params.filter(({ isFixed }) => isFixed !== true)
}

/**
 * Guesses the mapping from the columns' names: a parameter's key or label, or a phone number or UID. `columns` has the
 * possible names of each column. If no name matches, a free column is taken if it is the only one whose words are all in
 * the label or the other way round, such as "Khách" for "Tên khách hàng".
 */
export function guessMapping(columns: string[][], template: Template): Mapping {
  const folded = columns.map((names) => names.map(fold))
  const columnOf = (...names: string[]) => {
    const wanted = names.map(fold)
    const column = folded.findIndex((known) => known.some((name) => wanted.includes(name)))
    return column === -1 ? null : column
  }
  const phone = columnOf(
    'phone',
    'sdt',
    'so dien thoai',
    'dien thoai',
    'receiverPhone',
    'phone number',
    'mobile',
  )
  const uid = columnOf('uid', 'user uid', 'userUID')
  const params = passedParams(template)
  const exact = new Map(params.map(({ key, label }) => [key, columnOf(key, label)]))
  const taken = new Set([phone, uid, ...exact.values()])
  const free = columns.flatMap((names, column) =>
    taken.has(column) ? [] : [{ column, name: names[0] ?? '' }],
  )
  const open = params.filter(({ key }) => exact.get(key) === null)
  const mapped = params.map(({ key, label }): [string, number | null] => {
    const column = exact.get(key) ?? null
    if (column !== null) return [key, column]
    const alike = free.filter(({ name }) => isAlike(name, label))
    const isOnly = alike.length === 1 && open.filter((one) => isAlike(alike[0]!.name, one.label)).length === 1
    return [key, isOnly ? alike[0]!.column : null]
  })
  return {
    channel: phone === null && uid !== null ? 'uid' : 'phone',
    recipient: phone ?? uid,
    params: Object.fromEntries(mapped),
  }
}

/** Whether all words of one text occur in the other. */
function isAlike(one: string, other: string): boolean {
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

export function isMapped({ recipient, params }: Mapping): boolean {
  return recipient !== null && Object.values(params).every((column) => column !== null)
}

/** The values of a row for its message's parameters; an empty field counts as no value. */
export function valuesOf(fields: CsvRow, mapping: Mapping): Record<string, string> {
  const values = Object.entries(mapping.params).map(([key, column]) => [
    key,
    column === null ? '' : (fields[column] ?? '').trim(),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/**
 * The rows as messages in the file's order with their lines, and the rows that cannot become messages. `says` has the
 * texts of the reasons.
 */
export function planBatch(
  { header, rows, firstLine }: Sheet,
  mapping: Mapping,
  says: { noRecipient: string; tooLong: (column: string) => string },
): { planned: Planned[]; refused: RefusedRow[] } {
  const planned: Planned[] = []
  const refused: RefusedRow[] = []
  rows.forEach((fields, index) => {
    const line = index + firstLine
    const recipient = (fields[mapping.recipient ?? 0] ?? '').trim()
    const params = valuesOf(fields, mapping)
    const long = Object.entries(params).find(([, value]) => value.length > LONGEST.value)?.[0]
    if (recipient === '') refused.push({ fields, line, reason: says.noRecipient })
    else if (recipient.length > LONGEST[mapping.channel])
      refused.push({ fields, line, reason: says.tooLong(header[mapping.recipient ?? 0] ?? '') })
    else if (long !== undefined) refused.push({ fields, line, reason: says.tooLong(long) })
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
