import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidField } from '../../errors.ts'
import type { App } from '../app-type.ts'
import { ignoredParameters } from '../ignored-parameters.ts'
import { assertStorable, BodyEncoded, BodyNotUtf8, BodyTooManyValues, compileValidator } from './validate.ts'

/** Bodies and queries are checked by `compileValidator`; path parameters by the handlers (G-04). */
export function setValidation(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body' && httpPart !== 'querystring') return (value: unknown) => ({ value })
    return compileValidator(schema, httpPart)
  })
  app.addHook('preValidation', (request, reply, done) => {
    const ignored = request.is404 ? undefined : ignoredParameters(request)
    if (ignored !== undefined) reply.header('x-ignored-parameters', ignored)
    const { body } = request
    if (request.routeOptions.schema?.body !== undefined) {
      // A missing body is checked as an empty one, so that the response names the missing field.
      if (body === undefined) request.body = {}
      return done()
    }
    // An operation without a body accepts only the field that is ignored everywhere (G-08). Bodies of bytes are not
    // checked.
    if (request.is404 || typeof body !== 'object' || body === null) return done()
    if (Object.getPrototypeOf(body) !== Object.prototype) return done()
    const field = Object.keys(body).find((name) => name !== 'shopId')
    if (field !== undefined) throw invalidField([field], 'object.unknown')
    assertStorable(body)
    done()
  })
}

/** Bytes. Parsing and checking a body of this size may take a millisecond; one of a megabyte, 50. */
const LARGE_BODY = 64 * 1024
/** Fields and entries of one body; the largest of ours, a batch, has some 30,000. A megabyte of `{}` would take 100 ms. */
const MAX_VALUES = 100_000

/** JSON only, as it is; an empty body with the JSON content type is no body, as clients send it with DELETE. */
export function setBodyParser(app: App): void {
  app.addHook('preParsing', ({ method, headers }, _reply, payload, done) => {
    const coding = headers['content-encoding']?.toLowerCase() ?? 'identity'
    if (coding !== 'identity' && method !== 'GET' && method !== 'HEAD') done(new BodyEncoded())
    else done(null, payload)
  })
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  const waitForTurn = turnsOfLargeBodies()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    if (bytes.length === 0) return done(null, undefined)
    // Decoding would put U+FFFD in the place of what it cannot read, and that would be stored.
    if (!isUtf8(bytes)) return done(new BodyNotUtf8())
    const parse = () => void parseJson(request, bytes.toString('utf8'), done)
    if (bytes.length < LARGE_BODY) return parse()
    void waitForTurn().then(() => (countValues(bytes) > MAX_VALUES ? done(new BodyTooManyValues()) : parse()))
  })
}

/**
 * Handles one large body per turn of the event loop: Node reads several that arrive together at once, and all would be
 * parsed and checked before any other request is served.
 */
function turnsOfLargeBodies(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => nextTurn())
    return last
  }
}

/** An estimate of the number of values in a JSON text, by the separators outside of strings. */
function countValues(json: Buffer): number {
  let count = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfText(json, at)
    else if (byte === COMMA || byte === BRACE || byte === BRACKET) count += 1
  }
  return count
}

const [QUOTE, COMMA, BRACE, BRACKET, BACKSLASH] = [...Buffer.from('",{[\\')] as [
  number,
  number,
  number,
  number,
  number,
]

/**
 * Where the text that begins at `start` ends; its closing quote may follow a backslash only if that is itself escaped.
 */
function endOfText(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start + 1)
  while (end !== -1) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
    end = json.indexOf(QUOTE, end + 1)
  }
  return json.length
}
