import { type Documented, responseProblems } from '../../../tools/shared/response-schema.ts'
import type { App } from '../../src/http/app-type.ts'

const problemsOf = responseProblems()

/**
 * Fails when a sent body does not match the API document for this route and status: a field is missing, has another
 * type or is not documented, or the document does not list the status or an error's code.
 */
export function checkResponse(app: App, method: string, url: string, status: number, body: unknown): void {
  const problems = problemsOf(app.swagger() as Documented, { method, url, status, body })
  if (problems.length === 0) return
  throw new Error(`${method} ${url} ${status} does not keep to the API document:\n${problems.join('\n')}`)
}
