import type { paths } from '@shopbell/client'
import type { Language } from '../../../texts/catalogue.ts'
import { type FieldProblem, namedProblem, ownProblem } from '../../../texts/field-problem.ts'
import type { Template } from '../../templates/editor/draft.ts'
import type { CsvRow } from './csv.ts'

export type Batch =
  paths['/api/external/notify-message/batches']['get']['responses'][200]['content']['application/json']['data'][number]
export type BatchMessage =
  paths['/api/external/notify-message/batches']['post']['requestBody']['content']['application/json']['messages'][number]

/** The most messages that the service accepts in one call. */
export const MAX_MESSAGES = 1_000
// A longer text would make the service refuse the whole call, not just the row.
const LONGEST = { phone: 40, uid: 64, value: 2_000 }

/** Which column each place takes its value from, by number; null: not chosen. */
export type Mapping = {
  channel: 'phone' | 'uid'
  recipient: number | null
  params: Record<string, number | null>
}
/** A row as a message; `line` is its row in the file. */
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

/** The columns whose names say what they hold: a parameter's key or label, or a phone number or UID. */
export function guessMapping(header: CsvRow, template: Template): Mapping {
  const folded = header.map(fold)
  const columnOf = (...names: string[]) => {
    const column = folded.findIndex((name) => names.map(fold).includes(name))
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
  return {
    channel: phone === null && uid !== null ? 'uid' : 'phone',
    recipient: phone ?? uid,
    params: Object.fromEntries(passedParams(template).map(({ key, label }) => [key, columnOf(key, label)])),
  }
}

/** Letters and digits only, without accents. */
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

/** The values of a row for its message's parameters; an empty field is none. */
export function valuesOf(fields: CsvRow, mapping: Mapping): Record<string, string> {
  const values = Object.entries(mapping.params).map(([key, column]) => [
    key,
    column === null ? '' : (fields[column] ?? '').trim(),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** Which row it is in the file, the header being the first. */
export const lineOf = (index: number) => index + 2

/**
 * The rows as messages, in the file's order with their lines, and the rows that cannot become messages. `says` words
 * the reasons.
 */
export function planBatch(
  header: CsvRow,
  rows: CsvRow[],
  mapping: Mapping,
  says: { noRecipient: string; tooLong: (column: string) => string },
): { planned: Planned[]; refused: RefusedRow[] } {
  const planned: Planned[] = []
  const refused: RefusedRow[] = []
  rows.forEach((fields, index) => {
    const line = lineOf(index)
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

/** Why a row was refused, in the reader's language; the row itself is named beside it. */
export function refusedReason({ index, message, rule, values }: RefusedMessage, language: Language): string {
  // A rule of the shop, such as its wallet's, is refused in the reader's language.
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
  )
}
