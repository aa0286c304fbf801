import { ApiError } from './api-error.ts'
import type { CallOptions, Methods } from './call-types.ts'
import { METHODS } from './methods.ts'

/** What a method asks of the path form. */
export type PathCall = {
  params: { path: Record<string, unknown>; query: unknown }
  body: unknown
  options: CallOptions
}
/** An answer whose body is not read yet, unless it is a refusal: then `error` is its body. */
type Send = (verb: string, path: string, call: PathCall) => Promise<{ error?: unknown; response: Response }>
type Query = Record<string, unknown>
type AnyMethod = (...args: unknown[]) => Promise<unknown>

/** The methods of {@link METHODS}. Each resolves to its answer's body and throws {@link ApiError} for a refusal. */
export function buildMethods(send: Send): Methods {
  const groups = Object.entries(METHODS).map(([group, entries]) => [
    group,
    Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, buildMethod(entry, send)])),
  ])
  return Object.fromEntries(groups)
}

function buildMethod(entry: string, send: Send): AnyMethod {
  const [verb, path, more] = entry.split(' ') as [string, string, string | undefined]
  const names = Array.from(path.matchAll(/{(\w+)}/g), (match) => match[1]!)

  const method: AnyMethod = async (...args) => {
    const ids = Object.fromEntries(names.map((name, index) => [name, args[index]]))
    const [given, options = {}] = args.slice(names.length) as [unknown, (CallOptions & { query?: Query })?]
    const isRead = verb === 'GET'
    const { error, response } = await send(verb, path, {
      params: { path: ids, query: isRead ? given : options.query },
      body: isRead ? undefined : given,
      options:
        isRead || more === undefined ? options : { ...options, headers: uploadHeaders(more, given, options) },
    })
    if (!response.ok) throw new ApiError(response, error)
    return bodyOf(response)
  }

  if (verb !== 'GET' || more === undefined) return method
  const [records, longest] = more.split('?') as [string, string | undefined]
  return Object.assign(method, {
    all: (...args: unknown[]) =>
      allOf(
        (query) => method(...args.slice(0, names.length), query, args[names.length + 1]),
        args[names.length] as Query | undefined,
        records,
        new URLSearchParams(longest),
      ),
  })
}

/** Pages until one says that it is the last (`meta.nextBefore: null`) or is not full. */
async function* allOf(
  readPage: (query: Query) => Promise<unknown>,
  given: Query | undefined,
  recordsPath: string,
  longest: URLSearchParams,
): AsyncGenerator<unknown, void, undefined> {
  const query: Query = { ...Object.fromEntries(longest), ...given }
  // The first of them is the page's length.
  const [length] = longest.keys()
  for (;;) {
    const body = Object(await readPage(query))
    const records = recordsPath.split('.').reduce((part, key) => part[key], body) as unknown[]
    yield* records
    const next = Object.entries(Object(body.meta ?? body.data.meta)).find(([name]) => name.startsWith('next'))
    if (next !== undefined) {
      const [name, value] = next
      if (value === null) return
      // `nextBefore` is the next page's `before`.
      query[name.slice(4).toLowerCase()] = value
      delete query.page
    } else if (length === undefined || records.length < Number(query[length])) return
    else query.page = Number(query.page ?? 1) + 1
  }
}

function uploadHeaders(type: string, body: unknown, { headers }: CallOptions): Record<string, string> {
  // A form names its own type, with the boundary between its parts.
  if (body instanceof FormData) return headers ?? {}
  return { 'content-type': (body instanceof Blob && body.type) || type, ...headers }
}

function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) return response.json()
  return type.startsWith('text/') ? response.text() : response.blob()
}
