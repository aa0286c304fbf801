import { type Problem, problemOf } from '../../errors.ts'
import type { PlainRule, RuleValues } from '../../field-rules.ts'

/** Containers inside one another, the root included; no shape of ours needs a quarter of it. */
const MAX_DEPTH = 32
/** Fields of one object; every object of ours has at most a hundred. Each further look at 90,000 would cost 50 ms. */
const MAX_FIELDS = 1_000

type Unstorable = { path: Problem['path']; rule: PlainRule; values?: RuleValues }

/**
 * The first reason why a parsed value cannot be kept: text PostgreSQL refuses (NUL, unpaired surrogates), in
 * values or keys; more than 32 containers inside one another, or 1,000 fields of one object; a key that could reach an
 * object's prototype.
 * Stops at the depth limit, so a megabyte of brackets costs no stack.
 */
export function storageProblem(value: unknown): Problem | undefined {
  const found = find(value, 1)
  return found && problemOf(found.path, found.rule, found.values)
}

function find(value: unknown, depth: number): Unstorable | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : unstorableText()
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
    if (!isStorable(key)) return under(key, unstorableText())
    if (reachesPrototype(key, item)) return under(key, { path: [], rule: 'object.unknown' })
    const found = find(item, depth + 1)
    if (found) return under(key, found)
  }
  return undefined
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function unstorableText(): Unstorable {
  return { path: [], rule: 'string.unstorable' }
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
