import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidField, ValidationError } from '../../errors.ts'
import { countValues } from '../../lib/json-values.ts'
import type { App } from '../app-type.ts'
import { ignoredParameters } from '../ignored-parameters.ts'
import { assertDecodable } from './query-text.ts'
import {
  assertStorable,
  BodyCharset,
  BodyEncoded,
  BodyNotUtf8,
  BodyTooManyValues,
  compileValidator,
} from './validate.ts'

/** Makes {@link compileValidator} check bodies and queries. Handlers check path parameters themselves (G-04). */
export function setValidation(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body' && httpPart !== 'querystring') return (value: unknown) => ({ value })
    return compileValidator(schema, httpPart)
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.is404) assertDecodable(request)
    const ignored = request.is404 ? undefined : ignoredParameters(request)
    if (ignored !== undefined) reply.header('x-ignored-parameters', ignored)
    const { body } = request
    if (request.routeOptions.schema?.body !== undefined) {
      // A missing body is checked as an empty object, so that the response names the missing field.
      if (body === undefined) request.body = {}
      return done()
    }
    // An operation without a body accepts only the field that every operation ignores (G-08). Binary bodies are not
    // checked.
    if (request.is404 || typeof body !== 'object' || body === null) return done()
    if (Object.getPrototypeOf(body) !== Object.prototype) return done()
    const field = Object.keys(body).find((name) => name !== 'shopId')
    if (field !== undefined) throw invalidField([field], 'object.unknown')
    assertStorable(body)
    done()
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The most fields and entries of a body, for an operation whose longest body has more than MOST_VALUES. */
    mostValues?: number
  }
}

/** In bytes. Parsing and checking a body of this size may take 1 ms, and one of 1 MB 50 ms. */
const LARGE_BODY = 64 * 1024
/**
 * The most fields and entries in one body: goods received with 500 lines have 6,000. Parsing takes 2 ms for each thousand
 * names that differ, so 90,000 of them would take 165 ms before the first is refused.
 */
const MOST_VALUES = 8_000

/**
 * Accepts only JSON, and passes it on as sent. An empty body with the JSON content type counts as no body: clients send
 * it with DELETE.
 */
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
    // JSON in another encoding may be valid UTF-8 too, but would mean something else.
    if (hasOtherCharset(request.headers['content-type'] ?? '')) return done(new BodyCharset())
    // Decoding would replace unreadable bytes with U+FFFD, which would then be stored.
    if (!isUtf8(bytes)) return done(new BodyNotUtf8())
    const parse = () => {
      const text = bytes.toString('utf8')
      void parseJson(request, text, (error, value) => done(error && (forbiddenKey(text) ?? error), value))
    }
    const most = request.routeOptions.config.mostValues ?? MOST_VALUES
    // A body has fewer values than bytes.
    const check = () => {
      if (bytes.length > most && countValues(bytes) > most) done(new BodyTooManyValues())
      else parse()
    }
    if (bytes.length < LARGE_BODY) check()
    else void waitForTurn().then(check)
  })
}

/**
 * The error that names a key which could reach an object's prototype, for a text that the parser refused: it reports such
 * a key as invalid JSON. Undefined if the text is no JSON.
 */
function forbiddenKey(text: string): Error | undefined {
  try {
    assertStorable(JSON.parse(text))
  } catch (error) {
    if (error instanceof ValidationError) return error
  }
  return undefined
}

/** Whether a content type names an encoding of characters other than UTF-8. */
function hasOtherCharset(contentType: string): boolean {
  const charsets = contentType.matchAll(/;\s*charset\s*=\s*["']?([^"';\s]*)/gi)
  return [...charsets].some(([, charset]) => !/^utf-?8$/i.test(charset!))
}

/**
 * Handles one large body per turn of the event loop. Node reads several bodies that arrive together at once, and
 * without this all of them would be parsed and checked before any other request is served.
 */
function turnsOfLargeBodies(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => nextTurn())
    return last
  }
}
