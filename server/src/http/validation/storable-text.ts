import { type Problem, problemOf } from '../../errors.ts'
import type { PlainRule, RuleValues } from '../../field-rules.ts'
import { hasTooManyMarks, MOST_MARKS } from '../../lib/text/text.ts'

/** The deepest nesting, including the root. None of our shapes needs a quarter of it. */
const MAX_DEPTH = 32
/** The most fields of one object; our objects have at most a hundred. Each pass over 90,000 fields would cost another 50 ms. */
const MAX_FIELDS = 1_000

type Unstorable = { path: Problem['path']; rule: PlainRule; values?: RuleValues }

/**
 * The first reason why a parsed value cannot be stored: text that PostgreSQL refuses (NUL, unpaired surrogates) or that
 * takes too long to normalise, in values or keys; more than 32 nested containers; more than 1,000 fields in one object;
 * a key that could reach an object's prototype. Stops at the depth limit, so a megabyte of brackets does not overflow
 * the stack.
 */
export function storageProblem(value: unknown): Problem | undefined {
  const found = find(value, 1)
  return found && problemOf(found.path, found.rule, found.values)
}

/** The problem of a parsed value with more than 32 nested containers or more than 1,000 fields in one object, if it has one. */
export function sizeProblem(value: unknown): Problem | undefined {
  const found = findOversize(value, 1)
  return found && problemOf(found.path, found.rule, found.values)
}

function findOversize(value: unknown, depth: number): Unstorable | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return { path: [], rule: 'body.tooDeep' }
  const isList = Array.isArray(value)
  const keys = isList ? value : Object.keys(value)
  if (!isList && keys.length > MAX_FIELDS)
    return { path: [], rule: 'object.max', values: { limit: MAX_FIELDS } }
  for (let index = 0; index < keys.length; index++) {
    const part = isList ? index : (keys[index] as string)
    const found = findOversize((value as Record<string | number, unknown>)[part], depth + 1)
    if (found) return under(part, found)
  }
  return undefined
}

function find(value: unknown, depth: number): Unstorable | undefined {
  if (typeof value === 'string') return findInText(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return { path: [], rule: 'body.tooDeep' }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = find(value[index], depth + 1)
      if (found) return under(index, found)
    }
    return undefined
  }
  const keys = Object.keys(value)
  if (keys.length > MAX_FIELDS) return { path: [], rule: 'object.max', values: { limit: MAX_FIELDS } }
  for (const key of keys) {
    const item: unknown = (value as Record<string, unknown>)[key]
    const inKey = findInText(key)
    if (inKey !== undefined) return under(key, inKey)
    if (reachesPrototype(key, item)) return under(key, { path: [], rule: 'object.unknown' })
    const found = find(item, depth + 1)
    if (found) return under(key, found)
  }
  return undefined
}

function findInText(text: string): Unstorable | undefined {
  if (!text.isWellFormed() || text.includes('\0')) return { path: [], rule: 'string.unstorable' }
  if (hasTooManyMarks(text)) return { path: [], rule: 'string.marks', values: { limit: MOST_MARKS } }
  return undefined
}

/** The two spellings by which copying a parsed body can pollute prototypes. */
function reachesPrototype(key: string, item: unknown): boolean {
  if (key === '__proto__') return true
  return (
    key === 'constructor' && typeof item === 'object' && item !== null && Object.hasOwn(item, 'prototype')
  )
}

function under(part: string | number, found: Unstorable): Unstorable {
  found.path.unshift(part)
  return found
}
