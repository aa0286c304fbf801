import type { METHODS } from './methods.ts'
import type { paths } from './schema.d.ts'
import type { Repeating } from './send-safely.ts'

/** The operations of the API document, grouped by tag: `shop.orders.createPos(…)` is `createPosOrder`. */
export type Methods = {
  readonly [Group in keyof typeof METHODS]: {
    readonly [Name in keyof (typeof METHODS)[Group]]: MethodOf<(typeof METHODS)[Group][Name]>
  }
}

export type CallOptions = Pick<Repeating, 'deadlineMs'> & {
  signal?: AbortSignal
  /** Your own id for a write, at most 255 characters: repeating the call with it does nothing twice (G-10). */
  idempotencyKey?: string
  headers?: Record<string, string>
}

/** A body other than JSON: an image, a table. The type of a Blob is sent with it. */
export type Upload = string | Blob | FormData | ArrayBuffer | Uint8Array

type MethodOf<Entry> = Entry extends `GET ${infer Path} ${infer List}`
  ? Method<'get', Path> & { all: AllOf<Path, List> }
  : Entry extends `${infer Verb} ${infer Path} ${string}`
    ? Method<Lowercase<Verb>, Path>
    : Entry extends `${infer Verb} ${infer Path}`
      ? Method<Lowercase<Verb>, Path>
      : never

type Method<Verb extends string, Path extends string> = (
  ...args: Args<Verb, Path>
) => Promise<AnswerOf<Operation<Verb, Path>>>

/** All records of the list, in its order; pages are read when they are needed. */
type AllOf<Path extends string, List> = (
  ...args: Args<'get', Path>
) => AsyncGenerator<RecordOf<AnswerOf<Operation<'get', Path>>, List>, void, undefined>

/** The arguments: the ids in the order of the path, then the query or body, then the options. */
type Args<Verb extends string, Path extends string> = [
  ...Ids<Path>,
  ...(Verb extends 'get'
    ? [...QueryOf<Operation<Verb, Path>>, options?: CallOptions]
    : [
        ...BodyOf<Operation<Verb, Path>>,
        options?: CallOptions & { query?: NonNullable<QueryOf<Operation<Verb, Path>>[0]> },
      ]),
]

type Operation<Verb extends string, Path> = Path extends keyof paths
  ? Verb extends keyof paths[Path]
    ? paths[Path][Verb]
    : never
  : never

type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...Ids<Rest>]
  : []

type QueryOf<Op> = Op extends { parameters: { query: infer Query } }
  ? [query: Query]
  : Op extends { parameters: { query?: infer Query } }
    ? [query?: Query]
    : never

type BodyOf<Op> = Op extends { requestBody: { content: infer Content } }
  ? [body: Content extends { 'application/json': infer Body } ? Body : Upload]
  : [body?: undefined]

type AnswerOf<Op> = Op extends { responses: infer Responses }
  ? Decoded<Responses[keyof Responses & (200 | 201 | 202)]>
  : never

type Decoded<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Body }
    ? Body
    : keyof Content extends `text/${string}`
      ? string
      : Blob
  : undefined

/** The type of an element of the array at a path such as `data.products?limit=50`. */
type RecordOf<Body, List> = List extends `${infer Path}?${string}`
  ? ElementAt<Body, Path>
  : ElementAt<Body, List>

type ElementAt<Body, Path> = Path extends `${infer Key}.${infer Rest}`
  ? ElementAt<Body[Key & keyof Body], Rest>
  : Body[Path & keyof Body] extends (infer Element)[]
    ? Element
    : never
