import type { Json } from '../document.ts'
import { MALFORMED_IDS, nested, oddValue } from './odd-values.ts'
import type { Random } from './random.ts'

type Container = Json[] | { [key: string]: Json }
type Place = { holder: Container; key: string | number }

/** Ids that do not belong in a field, by kind. */
export type OtherIds = { foreign: string; ofAnotherType: string; unused: string }

/** The bytes to send, and the mistakes made in them. */
export type MutatedBody = { bytes: Buffer; mistakes: string[] }

const COPIES = 300
const MOST_COPIED = 2_000_000
const ID = /^[0-9a-f]{24}$/

/**
 * The body's JSON with one or more mistakes in its values, its structure or its text. The description of each mistake
 * names its place.
 */
export function mutateBody(body: Json, random: Random, others: OtherIds): MutatedBody {
  let value = structuredClone(body)
  const mistakes: string[] = []
  const count = random.pick([1, 1, 1, 2, 4])
  for (let n = 0; n < count; n++) {
    const [mutated, says] = random.chance(0.6)
      ? mutateValue(value, random, others)
      : mutateStructure(value, random)
    value = mutated
    mistakes.push(says)
  }
  const text = JSON.stringify(value) ?? ''
  if (!random.chance(0.1)) return { bytes: Buffer.from(text), mistakes }
  const [bytes, says] = mutateText(text, random)
  return { bytes, mistakes: [...mistakes, says] }
}

function placesIn(value: Json, depth = 0): Place[] {
  if (typeof value !== 'object' || value === null || depth > 8) return []
  const holder = value as Container
  const keys = Array.isArray(holder) ? holder.slice(0, 20).map((_, n) => n) : Object.keys(holder)
  return keys.flatMap((key) => [{ holder, key }, ...placesIn(at({ holder, key }), depth + 1)])
}

function at({ holder, key }: Place): Json {
  return (holder as Record<string | number, Json>)[key]!
}

function put({ holder, key }: Place, value: Json): void {
  // `__proto__` becomes an ordinary field.
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

function mutateValue(root: Json, random: Random, others: OtherIds): [Json, string] {
  const places = placesIn(root)
  if (places.length === 0) return [oddValue(random, root), 'another value as the whole']
  const place = random.pick(places)
  const was = at(place)
  if (typeof was === 'string' && ID.test(was) && random.chance(0.8)) {
    const [id, says] = otherId(was, random, others)
    put(place, id)
    return [root, `${String(place.key)}: ${says}`]
  }
  const odd = oddValue(random, was)
  put(place, odd)
  return [root, `${String(place.key)}: ${JSON.stringify(odd)?.slice(0, 40)}`]
}

export function otherId(id: string, random: Random, others: OtherIds): [string, string] {
  switch (random.below(6)) {
    case 0:
    case 1:
      return [others.foreign, 'an id of the other shop']
    case 2:
      return [others.ofAnotherType, 'an id of another type']
    case 3:
      return [others.unused, 'an id that nothing has']
    case 4:
      return [id.toUpperCase(), 'the id in upper case']
    default:
      return [random.pick(MALFORMED_IDS), 'a malformed id']
  }
}

function mutateStructure(root: Json, random: Random): [Json, string] {
  const places = placesIn(root)
  const place = places.length === 0 ? undefined : random.pick(places)
  if (place === undefined || random.chance(0.08)) {
    return [random.pick<Json>([null, [], 'text', 7, true, [root], nested(3_000, true)]), 'another root']
  }
  const { holder, key } = place
  const target = typeof at(place) === 'object' && at(place) !== null ? (at(place) as Container) : holder
  switch (random.below(8)) {
    case 0:
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      return [root, `without ${key}`]
    case 2:
      if (!Array.isArray(target)) put({ holder: target, key: 'khongBiet' }, 1)
      return [root, 'an unknown field']
    case 3:
      if (!Array.isArray(target)) {
        const odd = random.pick([
          '__proto__',
          'constructor',
          'toString',
          '',
          '\u0000',
          '\ud800',
          'Name',
          ' name',
        ])
        put({ holder: target, key: odd }, { prototype: { admin: true } })
      }
      return [root, 'a field with an odd name']
    case 4: {
      const wrapped: Json = [at(place)]
      put(place, wrapped)
      return [root, `${key} in an array`]
    }
    case 5: {
      const depth = random.pick([31, 33, 400])
      put(place, nested(depth, random.chance(0.5)))
      return [root, `${key} nested ${depth} deep`]
    }
    case 6: {
      const lists = places.filter((one) => Array.isArray(at(one)) && (at(one) as Json[]).length > 0)
      if (lists.length === 0) return [root, 'nothing']
      const list = random.pick(lists)
      const items = at(list) as Json[]
      // A body far over the limit takes this process longer to create than the service to refuse.
      if (JSON.stringify(items).length * (COPIES / items.length) > MOST_COPIED) return [root, 'nothing']
      put(
        list,
        Array.from({ length: COPIES }, (_, n) => structuredClone(items[n % items.length]!)),
      )
      return [root, `${list.key} with ${COPIES} elements`]
    }
    default:
      if (!Array.isArray(target)) for (let n = 0; n < 1_001; n++) target[`f${n}`] = n
      return [root, '1,001 unknown fields']
  }
}

const TEXT_MISTAKES: [says: string, mutate: (text: string, random: Random) => Buffer | string][] = [
  ['cut off', (text, random) => text.slice(0, random.below(text.length))],
  ['a trailing comma', (text) => text.replace(/\}$/, ',}')],
  ['single quotes', (text) => text.replaceAll('"', "'")],
  ['a byte order mark', (text) => `\ufeff${text}`],
  ['every field twice', (text) => (text.startsWith('{') ? `{${text.slice(1, -1)},${text.slice(1)}` : text)],
  [
    'bytes that are no UTF-8',
    (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc0])]),
  ],
  ['in UTF-16', (text) => Buffer.from(text, 'utf16le')],
  ['numbers of 400 digits', (text) => text.replace(/:\d+/g, `:${'9'.repeat(400)}`)],
  ['1e400 for numbers', (text) => text.replace(/:\d+/g, ':1e400')],
  ['-0 for numbers', (text) => text.replace(/:\d+/g, ':-0')],
  ['NaN for numbers', (text) => text.replace(/:\d+/g, ':NaN')],
  ['a comment', (text) => `/* */${text}`],
  ['two values', (text) => `${text}${text}`],
  ['50,000 brackets', () => '['.repeat(50_000)],
  ['blanks only', () => ' \n\t '],
  ['nothing', () => ''],
]

function mutateText(text: string, random: Random): [Buffer, string] {
  const [says, mutate] = random.pick(TEXT_MISTAKES)
  return [Buffer.from(mutate(text, random)), says]
}
