import { type FieldProblem, fieldProblem, ownProblem } from '../texts/field-problem.ts'
import { currentLanguage } from '../texts/language.tsx'

/** What the service answers to a request that it refuses (G-02). */
type RefusedBody = {
  message?: string
  error?: string | number
  code?: string
  validation?: Record<string, { message: string; details?: FieldProblem[] }>
}

/** A refused request: a sentence for the reader, and the fields it is about. */
export class Problem extends Error {
  readonly status: number
  readonly code: string | undefined
  /** Message by field, `params.customer_name`: those of the body, as far as the service names them, for the reader. */
  readonly fields: Record<string, string>
  readonly requestId: string | undefined

  constructor(status: number, body: RefusedBody | undefined, requestId: string | undefined) {
    const sources = Object.values(body?.validation ?? {})
    const problems = sources.flatMap(({ details = [] }) => details)
    const language = currentLanguage()
    const sentence = problems.map((problem) => fieldProblem(problem, language)).join('. ')
    super(sentence || sources[0]?.message || body?.message || String(body?.error ?? `HTTP ${status}`))
    this.name = 'Problem'
    this.status = status
    this.code = body?.code
    this.requestId = requestId
    this.fields = Object.fromEntries(problems.map((problem) => [problem.key, ownProblem(problem, language)]))
  }
}

/** The data of an answer. @throws Problem when it is no 2xx. */
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
