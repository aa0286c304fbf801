import { withAmounts } from '../format.ts'
import type { Language } from '../texts/catalogue.ts'
import type { FieldProblem, WordedProblems } from '../texts/field-problem.ts'
import { currentLanguage } from '../texts/language.tsx'

/** Another person's change, made since the record was loaded (G-71). */
export type LastChange = { at: string; by: { type: 'member' | 'key'; id: string; name: string } | null }

/** Nothing was saved because the person chose so; there is nothing to report. */
export class NotSaved extends Error {}

/** The body of the service's response to a refused request (G-02). */
type RefusedBody = {
  message?: string
  error?: string | number
  code?: string
  changed?: LastChange
  validation?: Record<string, { message: string; details?: FieldProblem[] }>
}

/** A refused request: a sentence for the reader, and the fields that it is about. */
export class Problem extends Error {
  readonly status: number
  readonly code: string | undefined
  /** Messages for the reader by field, such as `params.customer_name`, for fields of the body that the service names. */
  readonly fields: Record<string, string>
  /** The service's details for each field. */
  readonly details: readonly FieldProblem[]
  readonly requestId: string | undefined
  /** The other change, if the record was changed since it was loaded. */
  readonly changed: LastChange | undefined

  private readonly worded: WordedProblems | undefined

  constructor(
    status: number,
    body: RefusedBody | undefined,
    requestId: string | undefined,
    worded: WordedProblems | undefined,
  ) {
    const sources = Object.values(body?.validation ?? {})
    super(worded?.sentence || sources[0]?.message || wordsOf(status, body, currentLanguage()))
    this.name = 'Problem'
    this.status = status
    this.code = body?.code
    this.requestId = requestId
    this.details = problemsIn(body)
    this.changed = body?.changed
    this.fields = worded?.fields ?? {}
    this.worded = worded
  }

  /** The same problem, whose sentence calls a field as `labelOf` does, by the field's path, if it has a label. */
  named(labelOf: (path: string) => string | undefined): Problem {
    return this.worded === undefined ? this : this.saying(this.worded.sentenceBy(labelOf))
  }

  /** The same problem with another sentence. */
  saying(sentence: string): Problem {
    const other = new Problem(this.status, { message: sentence }, this.requestId, undefined)
    return Object.assign(other, { code: this.code, fields: this.fields, details: this.details })
  }
}

const problemsIn = (body: RefusedBody | undefined) =>
  Object.values(body?.validation ?? {}).flatMap(({ details = [] }) => details)

/** The problem that a response is. The words for problems of fields are fetched when there are such. */
export async function problemOf(response: Response, body: RefusedBody | undefined): Promise<Problem> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const problems = problemsIn(body)
  // Without them the service's own sentence is shown.
  const words = problems.length === 0 ? undefined : await fetchWords().catch(() => undefined)
  return new Problem(response.status, body, requestId, words?.wordedProblems(problems, currentLanguage()))
}

const fetchWords = () => import('../texts/field-problem.ts')

const OWN_WORDS = {
  noSuch: { vi: 'Không có gì ở địa chỉ này.', en: 'There is nothing at this address.' },
  notOfRole: {
    vi: 'Vai trò của bạn không làm được việc này. Nhờ chủ cửa hàng đổi vai trò.',
    en: 'Your role may not do this. Ask an owner of the shop to change your role.',
  },
  tooMany: {
    vi: 'Có quá nhiều yêu cầu trong một phút. Hãy đợi một lát rồi thử lại.',
    en: 'Too many requests in a minute. Wait a moment and try again.',
  },
  failed: {
    vi: (status: number) => `Máy chủ báo lỗi ${status}. Hãy thử lại sau giây lát.`,
    en: (status: number) => `The service responded with error ${status}. Try again in a moment.`,
  },
}

/** The service's sentence, or our own if it has none in the reader's language or a proxy answered. */
function wordsOf(status: number, body: RefusedBody | undefined, language: Language): string {
  // The contract has only one sentence for this, in English.
  if (/ is not a valid object id/.test(body?.message ?? '')) return OWN_WORDS.noSuch[language]
  // The service names the scopes of an API key.
  if (body?.code === 'SCOPE_MISSING') return OWN_WORDS.notOfRole[language]
  if (body?.message !== undefined) return withAmounts(body.message, language)
  return status === 429 ? OWN_WORDS.tooMany[language] : OWN_WORDS.failed[language](status)
}

/**
 * The data of a response.
 * @throws Problem if its status is not 2xx.
 */
export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw await problemOf(response, error as RefusedBody)
  return data as T
}
