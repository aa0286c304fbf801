/** A record's id in upper or lower case, as a request may contain it (G-04). */
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
 * A request's schema as its caller sees it. A field with a default may be left out, although the handler always gets
 * it. Ids in a query have their pattern, which validation leaves to the handler (G-04).
 */
export function callerSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(callerSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const properties = Object((schema as Json).properties) as Record<string, Json>
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === 'x-object-id') return [['pattern', ID_PATTERN]]
      // A pattern can only approximate this: the service also refuses text of zero-width characters.
      if (keyword === 'x-not-blank') return [['pattern', '\\S']]
      // The description says it.
      if (keyword === 'x-most-words') return []
      if (keyword !== 'required' || !Array.isArray(value)) return [[keyword, callerSchema(value)]]
      const required = value.filter((name: string) => properties[name]?.default === undefined)
      return required.length === 0 ? [] : [['required', required]]
    }),
  )
}

/**
 * Describes a body's defaults in words. openapi-typescript would treat a field with `default` in a named schema as
 * always present, although a request may leave it out.
 */
export function defaultsInWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(defaultsInWords)
  if (typeof schema !== 'object' || schema === null) return schema
  const { default: value, ...keywords } = schema as Json
  const rest = Object.fromEntries(
    Object.entries(keywords).map(([keyword, each]) => [
      keyword,
      // Fields may have any name, including that of a keyword.
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
