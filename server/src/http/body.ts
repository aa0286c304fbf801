import type { App } from '../app.ts'
import { compileValidator } from './validate.ts'

/** Bodies and queries are checked by `compileValidator`; path parameters by the handlers (G-04). */
export function setValidation(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body' && httpPart !== 'querystring') return (value: unknown) => ({ value })
    return compileValidator(schema, httpPart)
  })
  // A missing body is checked as an empty one, so that the answer names the field that is missing.
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body !== undefined) request.body = {}
  })
}

/** JSON only; an empty body with the JSON content type is no body, as clients send it with DELETE. */
export function setBodyParser(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parseJson(request, body as string, done)
  })
}
