/** An id of a record in either case, as a request may write it (G-04). */
const ID_PATTERN = '^[0-9a-fA-F]{24}$'

/** Path parameters that are not ids of records. */
const OTHER_PARAMS: Record<string, string> = {
  token: 'The secret last part of an invitation link',
  appId: 'The id of the app on the platform',
  queue: 'The name of a queue',
  jobId: 'The id of a job, a UUID',
  shop: 'The id of the shop that uploaded the image',
  file: 'The name from the response to the upload: a hash and an extension',
}

type Json = Record<string, unknown>

/**
 * A schema of a request as its caller sees it: a field with a default may be left out, while the handler always finds it.
 * Ids in a query carry their pattern, which validation leaves to the handler (G-04).
 */
export function asCallersSee(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asCallersSee)
  if (typeof schema !== 'object' || schema === null) return schema
  const properties = Object((schema as Json).properties) as Record<string, Json>
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === 'x-object-id') return [['pattern', ID_PATTERN]]
      // As near as a pattern comes: characters without a width are the service's to see.
      if (keyword === 'x-not-blank') return [['pattern', '\\S']]
      if (keyword !== 'required' || !Array.isArray(value)) return [[keyword, asCallersSee(value)]]
      const required = value.filter((name: string) => properties[name]?.default === undefined)
      return required.length === 0 ? [] : [['required', required]]
    }),
  )
}

/**
 * A body with its defaults in words: openapi-typescript takes a field with `default` in a named schema for one that is
 * always there, which a request may leave out.
 */
export function defaultsInWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(defaultsInWords)
  if (typeof schema !== 'object' || schema === null) return schema
  const { default: value, ...keywords } = schema as Json
  const rest = Object.fromEntries(
    Object.entries(keywords).map(([keyword, each]) => [
      keyword,
      // Fields may have any name, also that of a keyword.
      keyword === 'properties' ? mapFields(each as Json) : defaultsInWords(each),
    ]),
  )
  if (value === undefined) return rest
  const words = `Default: \`${JSON.stringify(value)}\``
  return { ...rest, description: rest.description === undefined ? words : `${rest.description}. ${words}` }
}

function mapFields(properties: Json): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, defaultsInWords(each)]))
}

/** The parameters of a path such as `/shops/:id/keys/:keyId`; undefined when it has none. */
export function pathParameters(url: string): object | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  if (names.length === 0) return undefined
  const properties = Object.fromEntries(
    names.map((name) => {
      const description = OTHER_PARAMS[name]
      return [
        name,
        description === undefined ? { type: 'string', pattern: ID_PATTERN } : { type: 'string', description },
      ]
    }),
  )
  return { type: 'object', required: names, properties }
}
