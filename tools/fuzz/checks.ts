import { MalformedId } from '../../server/src/errors.ts'
import { type Documented, responseProblems } from '../shared/response-schema.ts'
import type { WireAnswer } from './client.ts'
import type { Sent } from './requests/mistakes.ts'
import type { Shop } from './shapes.ts'

/** The longest that any response may take, on a machine that is not overloaded. */
const ANSWER_WITHIN_MS = 5_000
const ID = /[0-9a-f]{24}/g

/**
 * The keys of a user who may have been a member once: the shop no longer knows former members, and reports for any
 * unknown user that there are no keys.
 */
const OF_ANYBODY = /members\/\{userId\}\/keys$/

/** Text that only the service's sources, logs or files may contain. */
const INTERNALS =
  /node_modules|\.[cm]?[jt]s:\d+|\bat (?:async )?[\w.<>]+ \(|file:\/\/|\bselect .{1,80} from |\binsert into |\bviolates |relation "|syntax error|invalid input syntax|invalid byte sequence|kysely|pglite|ECONN|EPIPE|undefined is not|Cannot read|is not a function|is not iterable|Maximum call stack/i

type Body = Record<string, unknown>

/** Checks of a response that apply to every request. */
export type Checks = (sent: Sent, answer: WireAnswer, other: Shop) => string[]

export function buildChecks(document: Documented, dataDir: string): Checks {
  const problemsOf = responseProblems()

  return (sent, { status, headers, bytes, ms, shortMs }, other) => {
    const problems: string[] = []
    const text = bytes.toString('utf8')
    const isJson = /application\/json/.test(headers['content-type'] ?? '')
    const body = isJson && text !== '' ? parsed(text) : undefined

    if (ms - shortMs > ANSWER_WITHIN_MS) problems.push(`answered after ${Math.round(ms)} ms`)
    if (!/^[0-9a-f]{24}$/.test(String(headers['x-request-id']))) problems.push('has no x-request-id')
    if (isJson && body === undefined && text !== '') problems.push('is no JSON, though it says so')
    if (status >= 500) problems.push(...serverErrorProblems(sent, status, body, Object.keys(document.paths)))
    if (status >= 400 && sent.method !== 'HEAD') problems.push(...errorShapeProblems(status, body))
    if (isJson && status < 400) {
      const shape = { method: sent.method, url: sent.path, status, body }
      problems.push(...problemsOf(document, shape).map((problem) => `is not as documented: ${problem}`))
    }
    if (text.includes(dataDir)) problems.push('shows a path of the machine')
    if (status >= 400 && INTERNALS.test(text)) problems.push('shows something of the inside')
    problems.push(...foreignProblems(sent, status, text, other))
    return problems
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Only a malformed id may cause 500, and the response names the parameter (G-04). */
function serverErrorProblems(sent: Sent, status: number, body: unknown, templates: string[]): string[] {
  const message = String((body as Body | undefined)?.message)
  const quoted = /^"([^"]+)"/.exec(message)?.[1]
  const parameter = quoted !== undefined && message === new MalformedId(quoted).message ? quoted : undefined
  if (status === 500 && sent.method === 'HEAD') {
    const { params, query } = sent.draft.operation
    const names = [...params, ...query.map(({ name }) => name)]
    if (names.some((name) => isMalformedIn(sent, name, templates))) return []
  }
  if (status !== 500 || parameter === undefined) return [`answered with ${status}: ${message}`]
  return isMalformedIn(sent, parameter, templates) ? [] : [`takes "${parameter}" for a malformed id`]
}

/** Whether the request has a value that is not an id in the parameter's place. */
function isMalformedIn({ path, body }: Sent, parameter: string, templates: string[]): boolean {
  const isMalformed = (value: string) => value !== '' && !/^[0-9a-f]{24}$/i.test(value)
  if (/^newsIds/.test(parameter)) return body?.includes('newsIds') === true
  const mark = path.indexOf('?')
  const [bare, query] = mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)]
  if (new URLSearchParams(query).getAll(parameter).some(isMalformed)) return true
  const segments = bare.split('/')
  return templates
    .map((template) => template.split('/').indexOf(`{${parameter}}`))
    .some((position) => position !== -1 && isMalformed(segments[position] ?? ''))
}

/** Checks that an error has one of the shapes of G-02 and no other fields. */
function errorShapeProblems(status: number, body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return ['is an error without a JSON object']
  const error = body as Body
  const keys = Object.keys(error).sort().join(',')
  const isText = (...names: string[]) =>
    names.every((name) => typeof error[name] === 'string' && error[name] !== '')
  if (status === 404) {
    return keys === 'error,message' && error.error === 'Resource not found' && isText('message')
      ? []
      : [shape(error)]
  }
  if (status === 429 && keys === 'error') return isText('error') ? [] : [shape(error)]
  if (error.statusCode !== status || !isText('message')) return [shape(error)]
  if (keys === 'error,message,statusCode,validation') return validationProblems(status, error)
  if (keys === 'code,error,message,statusCode') {
    const isNamed = typeof error.error === 'number' || isText('error')
    return /^[A-Z_]+$/.test(String(error.code)) && isNamed ? [] : [shape(error)]
  }
  const isPlain = keys === 'error,message,statusCode' && isText('error')
  // Errors without a code: they are caused by how the request was written, not by a rule of a shop.
  const isKnown =
    [401, 405, 408, 413, 415, 417, 431, 500, 503].includes(status) ||
    error.message === 'The request is not valid HTTP'
  return isPlain && isKnown ? [] : [shape(error)]
}

function validationProblems(status: number, error: Body): string[] {
  const validation = error.validation as Record<string, Body>
  const [source, ...rest] = Object.keys(validation)
  const one = source === undefined ? undefined : validation[source]
  const isWhole =
    status === 400 &&
    error.message === 'Validation failed' &&
    error.error === 'Bad Request' &&
    rest.length === 0 &&
    ['body', 'query', 'headers'].includes(String(source)) &&
    Object.keys(one!).sort().join(',') === 'keys,message,source' &&
    one!.source === source &&
    typeof one!.message === 'string' &&
    Array.isArray(one!.keys) &&
    one!.keys.every((key) => typeof key === 'string')
  return isWhole ? [] : [shape(error)]
}

function shape(error: Body): string {
  return `has not the shape of such an error: ${JSON.stringify(error).slice(0, 300)}`
}

/** Checks that the response contains no names or ids of the other shop, except those that the request itself named. */
function foreignProblems(sent: Sent, status: number, text: string, other: Shop): string[] {
  if (sent.draft.as === 'operator') return []
  const problems: string[] = []
  if (text.includes(other.mark)) problems.push('shows a record of the other shop')
  const isTaken = sent.namesForeign && !OF_ANYBODY.test(sent.draft.operation.name)
  if (isTaken && status >= 200 && status < 300) problems.push('takes the other shop’s id in its path')
  const foreign = new Set([other.id, ...Object.values(other.ids).flat()])
  const asked = `${sent.path} ${sent.body?.toString('latin1') ?? ''}`.toLowerCase()
  for (const id of new Set(text.match(ID))) {
    if (foreign.has(id) && !asked.includes(id)) problems.push(`shows the other shop’s id ${id}`)
  }
  return problems
}
