import type { WireRequest } from '../client.ts'
import type { Json } from '../document.ts'
import type { Shop } from '../shapes.ts'
import { headersOf } from '../world/world.ts'
import { mutateBody, type OtherIds, otherId } from './body-mistakes.ts'
import { oddText } from './odd-values.ts'
import type { Random } from './random.ts'
import { type Draft, kindOfParam } from './valid-drafts.ts'

/** A request as it is sent, with its mistakes; none if it is meant to be valid. */
export type Sent = WireRequest & {
  draft: Draft
  mistakes: string[]
  /** The shop whose id the path names, if it is not the caller's. */
  namesForeign: boolean
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY', 'PROPFIND', 'TRACE']
const CONTENT_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json;;',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'text/csv',
  'image/png',
  '',
  'x',
]
const ODD_HEADERS: [name: string, value: string][] = [
  ['content-encoding', 'gzip'],
  ['idempotency-key', ''],
  ['idempotency-key', 'k'.repeat(256)],
  ['idempotency-key', 'khóa\u00ff'],
  ['accept-language', 'vi;q=x,,;;*'],
  ['accept', 'application/xml'],
  ['x-shop-id', 'not an id'],
  ['cookie', 'shopbell.session_token=%E0%A4%A; ; =; a'],
  ['origin', 'null'],
  ['sec-fetch-site', 'cross-site'],
  ['x-forwarded-host', 'evil.example'],
  ['x-http-method-override', 'DELETE'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
  ['expect', 'something'],
]
const ODD_ENDS = [
  '/',
  '//',
  '/..',
  '/%2e%2e',
  '%00',
  '%',
  '%zz',
  '%C3%28',
  ';a=b',
  '?',
  '??',
  '?a[]=1&a[b]=2',
  '/x',
  '%2F',
]

/** The request of an unchanged draft. */
export function write(draft: Draft): Sent {
  return written(draft, { mistakes: [] })
}

/** The request of a draft with one or more mistakes in its body, query, path, headers, method or credential. */
export function mutate(draft: Draft, random: Random, other: Shop): Sent {
  const mistakes: string[] = []
  const changed: Draft = {
    ...draft,
    params: { ...draft.params },
    query: [...draft.query],
    headers: { ...draft.headers },
  }
  const others = otherIds(draft, random, other)
  let bytes: Buffer | undefined
  let end = ''
  let namesForeign = false
  const parts = [
    ...(draft.body !== undefined ? ['body', 'body', 'body', 'body'] : []),
    ...(draft.operation.params.length > 0 ? ['path'] : []),
    ...(draft.operation.query.length > 0 ? ['query', 'query', 'query'] : ['query']),
    'headers',
    'method',
    'end',
    'credential',
  ]
  for (const part of new Set([random.pick(parts), ...(random.chance(0.15) ? [random.pick(parts)] : [])])) {
    if (part === 'body') {
      const mutated = Buffer.isBuffer(draft.body)
        ? mutateBytes(draft.body, random)
        : mutateBody(draft.body as Json, random, others)
      bytes = mutated.bytes
      mistakes.push(...mutated.mistakes)
    } else if (part === 'path') {
      const name = random.pick(draft.operation.params)
      const [id, says] = otherId(draft.params[name] ?? '', random, others)
      changed.params[name] = id
      namesForeign = id === others.foreign
      // The operator may name any shop; its owner may not.
      if (namesForeign && draft.as === 'operator') changed.as = { cookie: draft.shop.sessions[0]! }
      mistakes.push(`{${name}}: ${says}`)
    } else if (part === 'query') mistakes.push(mutateQuery(changed, random, others))
    else if (part === 'headers') mistakes.push(mutateHeaders(changed, random))
    else if (part === 'method') {
      // Records that other requests use must stay.
      changed.method = random.pick(
        METHODS.filter((one) => one !== 'DELETE' || draft.operation.params.length === 0),
      )
      mistakes.push(`method ${changed.method}`)
    } else if (part === 'end') {
      end = random.pick(ODD_ENDS)
      mistakes.push(`path ends in ${end}`)
    } else mistakes.push(changeCaller(changed, random))
  }
  return written(changed, { mistakes, bytes, end, namesForeign })
}

function otherIds(draft: Draft, random: Random, other: Shop): OtherIds {
  const [name] = draft.operation.params
  const kind = (name !== undefined && kindOfParam(draft.operation, name)) || 'product'
  const foreign = name === 'id' && draft.params.id === draft.shop.id ? other.id : random.pick(other.ids[kind])
  const unused = Array.from({ length: 24 }, () => '0123456789abcdef'[random.below(16)]).join('')
  return {
    foreign,
    ofAnotherType: random.pick(draft.shop.ids[random.pick(['order', 'customer', 'article'] as const)]),
    unused,
  }
}

function mutateBytes(body: Buffer, random: Random): { bytes: Buffer; mistakes: string[] } {
  const text = body.toString('latin1')
  const from = random.below(text.length)
  const odd = random.pick(['"', '\u0000', '\u00ff', '\n\n', ',,,,', ''])
  const bytes = Buffer.from(text.slice(0, from) + odd + text.slice(from + random.below(20)), 'latin1')
  return { bytes, mistakes: [`bytes changed at ${from}`] }
}

function mutateQuery(draft: Draft, random: Random, others: OtherIds): string {
  const known = draft.operation.query.map(({ name }) => name)
  const name =
    known.length > 0 && random.chance(0.85) ? random.pick(known) : random.pick(['x', '__proto__', 'a[b]', ''])
  const isId = /Id$|^category$|^before$/.test(name)
  const value =
    isId && random.chance(0.7) ? otherId(draft.shop.id, random, others)[0] : oddText(random, 'hoa')
  draft.query = draft.query.filter(([used]) => used !== name || random.chance(0.5))
  draft.query.push([name, value.slice(0, 3_000)])
  return `?${name}=${value.slice(0, 40)}`
}

function mutateHeaders(draft: Draft, random: Random): string {
  const [name, value] =
    draft.body !== undefined && random.chance(0.5)
      ? (['content-type', random.pick(CONTENT_TYPES)] as const)
      : random.pick(ODD_HEADERS)
  draft.headers[name] = value
  return `${name}: ${value.slice(0, 40)}`
}

function changeCaller(draft: Draft, random: Random): string {
  const { shop, operation } = draft
  // The run's own sessions must not end.
  const choices = operation.path.startsWith('/api/auth/') ? 4 : 6
  const bare = (headers: Record<string, string>) => {
    draft.as = 'nobody'
    Object.assign(draft.headers, headers)
  }
  switch (random.below(choices)) {
    case 0:
      bare({})
      return 'no credential'
    case 1:
      bare({
        'x-api-key': random.pick([
          `Service-Partner ${shop.key}`,
          shop.key,
          'service-partner ',
          'service-partner sb_live_x',
        ]),
      })
      return 'a bad key'
    case 2:
    case 3:
      bare({ 'x-api-key': `service-partner ${random.pick(shop.scopedKeys)}` })
      return 'a key of one scope'
    case 4:
      bare({ cookie: random.pick(shop.sessions), 'x-shop-id': shop.id })
      return 'a member’s session'
    default:
      bare({ authorization: 'Bearer operator-token-of-nobody' })
      return 'a wrong token'
  }
}

type How = { mistakes: string[]; bytes?: Buffer | undefined; end?: string; namesForeign?: boolean }

function written(draft: Draft, { mistakes, bytes, end = '', namesForeign = false }: How): Sent {
  const path = draft.operation.path.replace(/\{([^}]+)\}/g, (_, name) => encode(draft.params[name] ?? ''))
  const query = draft.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const own =
    draft.body === undefined
      ? undefined
      : Buffer.isBuffer(draft.body)
        ? draft.body
        : Buffer.from(JSON.stringify(draft.body))
  const body = bytes ?? own
  const headers: Record<string, string> = { ...headersOf(draft.as), ...draft.headers }
  if (body !== undefined) headers['content-type'] ??= 'application/json'
  return {
    draft,
    mistakes,
    namesForeign: namesForeign && draft.as !== 'operator',
    method: draft.method,
    path: path + (query === '' ? '' : `?${query}`) + end,
    headers,
    body,
  }
}

/** Encodes text as browsers do; a lone surrogate has no UTF-8 and is encoded as invalid bytes. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}
