import type { Language } from '../texts/catalogue.ts'
import { fieldName } from '../texts/field-name.ts'
import { type FieldProblem, fieldProblem, ownProblem } from '../texts/field-problem.ts'
import { currentLanguage } from '../texts/language.tsx'

/** The change that another one met (G-71). */
export type LastChange = { at: string; by: { type: 'member' | 'key'; id: string; name: string } | null }

/** Nothing was saved, as the person chose: there is nothing to report. */
export class NotSaved extends Error {}

/** The service's response to a request that it refuses (G-02). */
type RefusedBody = {
  message?: string
  error?: string | number
  code?: string
  changed?: LastChange
  validation?: Record<string, { message: string; details?: FieldProblem[] }>
}

/** A refused request: a sentence for the reader, and the fields it is about. */
export class Problem extends Error {
  readonly status: number
  readonly code: string | undefined
  /** Messages for the reader by field, such as `params.customer_name`, for the body's fields that the service names. */
  readonly fields: Record<string, string>
  readonly requestId: string | undefined
  /** Of a record that was changed since it was loaded. */
  readonly changed: LastChange | undefined

  constructor(status: number, body: RefusedBody | undefined, requestId: string | undefined) {
    const sources = Object.values(body?.validation ?? {})
    const problems = sources.flatMap(({ details = [] }) => details)
    const language = currentLanguage()
    const sentence = problems.map((problem) => sentenceOf(problem, language)).join('. ')
    super(sentence || sources[0]?.message || body?.message || String(body?.error ?? `HTTP ${status}`))
    this.name = 'Problem'
    this.status = status
    this.code = body?.code
    this.requestId = requestId
    this.changed = body?.changed
    this.fields = Object.fromEntries(problems.map((problem) => [problem.key, ownProblem(problem, language)]))
  }
}

/** By the screen's name of the field; by the path of one that no screen names. */
function sentenceOf(problem: FieldProblem, language: Language): string {
  const name = fieldName(problem.key, language)
  return name === undefined
    ? fieldProblem(problem, language)
    : `${name}: ${lowered(ownProblem(problem, language))}`
}

const lowered = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)

/** The data of a response. @throws Problem if it is not a 2xx. */
export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) {
    const requestId = response.headers.get('x-request-id') ?? undefined
    throw new Problem(response.status, error as RefusedBody, requestId)
  }
  return data as T
}
