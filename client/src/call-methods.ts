import { ApiError } from './api-error.ts'
import type { CallOptions, Methods } from './call-types.ts'
import { TABLE } from './methods.ts'

/** The call that a method makes in the path form. */
export type PathCall = {
  params: { path: Record<string, unknown>; query: unknown }
  body: unknown
  options: CallOptions
}
/** A response with its body still unread, unless it is a refusal: then `error` is its body. */
type Send = (verb: string, path: string, call: PathCall) => Promise<{ error?: unknown; response: Response }>
type Query = Record<string, unknown>
type AnyMethod = (...args: unknown[]) => Promise<unknown>

/** The methods of {@link TABLE}. Each resolves to the response's body and throws {@link ApiError} for a refusal. */
export function buildMethods(send: Send): Methods {
  return readTable((...entry) => buildMethod(send, ...entry)) as Methods
}

/**
 * The groups of the table, each method replaced by the result of `make`. Paths without a leading slash belong to
 * partners, and a method without a name has that of its path's last word.
 */
export function readTable<T>(
  make: (verb: string, path: string, more: string | undefined) => T,
): Record<string, Record<string, T>> {
  return Object.fromEntries(
    TABLE.trim()
      .split('\n\n')
      .map((text) => {
        const [[group, base], ...lines] = text.split('\n').map((line) => line.split(' ')) as [string[]]
        const methods = lines.map(([rest, verb, name, more]: string[]) => {
          const path = base! + rest
          return [
            name || rest!.split('/').pop(),
            make(verb || 'GET', path[0] === '/' ? path : `/api/external/${path}`, more),
          ]
        })
        return [group, Object.fromEntries(methods)]
      }),
  )
}

function buildMethod(send: Send, verb: string, path: string, more: string | undefined): AnyMethod {
  const isRead = verb === 'GET'
  const names = path.match(/\w+(?=})/g) ?? []

  const method: AnyMethod = async (...args) => {
    const ids = Object.fromEntries(names.map((name) => [name, args.shift()]))
    const [given, options = {}] = args as [unknown, (CallOptions & { query?: Query })?]
    const { error, response } = await send(verb, path, {
      params: { path: ids, query: isRead ? given : options.query },
      body: isRead ? undefined : given,
      options: isRead || !more ? options : { ...options, headers: uploadHeaders(more, given, options) },
    })
    if (!response.ok) throw new ApiError(response, error)
    return bodyOf(response)
  }

  if (!isRead || !more) return method
  const [records, longest] = more.split('?') as [string, string | undefined]
  return Object.assign(method, {
    all(...ids: unknown[]) {
      const [query, options] = ids.splice(names.length)
      const first = longest && { cursor: '*', ...Object.fromEntries(new URLSearchParams(longest)) }
      return allOf((page) => method(...ids, page, options), { ...first, ...(query as Query) }, records)
    },
  })
}

/** Reads pages by cursor until a page has no next one; a list without pages has only one. */
async function* allOf(
  readPage: (query: Query) => Promise<unknown>,
  query: Query,
  recordsPath: string,
): AsyncGenerator<unknown, void, undefined> {
  do {
    const body = Object(await readPage(query))
    yield* recordsPath.split('.').reduce((part, key) => part[key], body) as unknown[]
    query.cursor = (body.meta ?? body.data.meta)?.nextCursor
  } while (query.cursor)
}

function uploadHeaders(type: string, body: unknown, { headers }: CallOptions): Record<string, string> {
  // A form sets its own content type, which includes the boundary between its parts.
  if (body instanceof FormData) return headers ?? {}
  return { 'content-type': (body instanceof Blob && body.type) || type, ...headers }
}

function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (/\/json/.test(type)) return response.json()
  return /^text/.test(type) ? response.text() : response.blob()
}
