import { isUtf8 } from 'node:buffer'
import { invalidField } from '../../errors.ts'
import type { App } from '../app-type.ts'
import { ignoredParameters } from '../ignored-parameters.ts'
import { BodyEncoded, BodyNotUtf8, compileValidator } from './validate.ts'

/** Bodies and queries are checked by `compileValidator`; path parameters by the handlers (G-04). */
export function setValidation(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body' && httpPart !== 'querystring') return (value: unknown) => ({ value })
    return compileValidator(schema, httpPart)
  })
  app.addHook('preValidation', async (request, reply) => {
    const ignored = request.is404 ? undefined : ignoredParameters(request)
    if (ignored !== undefined) reply.header('x-ignored-parameters', ignored)
    const { body } = request
    if (request.routeOptions.schema?.body !== undefined) {
      // A missing body is checked as an empty one, so that the answer names the field that is missing.
      if (body === undefined) request.body = {}
      return
    }
    // An operation without a body knows no field but the one that is ignored anywhere (G-08). Bytes are none of its business.
    if (request.is404 || typeof body !== 'object' || body === null) return
    if (Object.getPrototypeOf(body) !== Object.prototype) return
    const field = Object.keys(body).find((name) => name !== 'shopId')
    if (field !== undefined) throw invalidField([field], 'is not allowed')
  })
}

/** JSON only, as it is; an empty body with the JSON content type is no body, as clients send it with DELETE. */
export function setBodyParser(app: App): void {
  app.addHook('preParsing', async ({ method, headers }) => {
    const coding = headers['content-encoding']?.toLowerCase() ?? 'identity'
    if (coding !== 'identity' && method !== 'GET' && method !== 'HEAD') throw new BodyEncoded()
  })
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    if (bytes.length === 0) return done(null, undefined)
    // Decoding would put U+FFFD in the place of what it cannot read, and that would be stored.
    if (!isUtf8(bytes)) return done(new BodyNotUtf8())
    void parseJson(request, bytes.toString('utf8'), done)
  })
}
