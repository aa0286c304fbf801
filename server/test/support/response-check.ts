import { type Documented, responseProblems } from '../../../tools/shared/response-schema.ts'
import type { App } from '../../src/http/app-type.ts'

const problemsOf = responseProblems()

/**
 * Fails when a sent body is not what the API document says of this route and status: a field missing,
 * of another type, or one the document does not know; or when the document does not list the status or an error's code.
 */
export function checkResponse(app: App, method: string, url: string, status: number, body: unknown): void {
  const problems = problemsOf(app.swagger() as Documented, { method, url, status, body })
  if (problems.length === 0) return
  throw new Error(`${method} ${url} ${status} does not keep to the API document:\n${problems.join('\n')}`)
}
