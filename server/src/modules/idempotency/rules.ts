import { createHash } from 'node:crypto'

/** How long a key is kept, from its first use on (G-10). */
export const KEPT_MS = 24 * 60 * 60 * 1000
export const MAX_KEY_LENGTH = 255

/**
 * What is to become of a key once its request is answered (G-10): `store` the answer; `delete` the key, as if it had
 * never been used; or `release` it, so that the next try begins with what this one was to create.
 * A refused request (400, 401, 429) is forgotten. After a 5xx nobody can be sure that nothing was written. The same
 * goes for a claim taken over: the try before may be late instead of dead, and its effect still come.
 */
export function endOfClaim(
  status: number,
  claim: { isTakenOver: boolean; isVoid: boolean },
): 'store' | 'delete' | 'release' {
  if (claim.isVoid) return 'delete'
  if (status >= 500) return 'release'
  if (status === 400 || status === 401 || status === 429) return claim.isTakenOver ? 'release' : 'delete'
  return 'store'
}

/**
 * What makes two requests the same (G-10): method, path, and the body; of JSON whatever the order of its fields, of
 * bytes each one.
 */
export function requestHash(request: { method: string; path: string; body: unknown }): Buffer {
  const { method, path, body } = request
  return createHash('sha256')
    .update(`${method} ${path}\n`)
    .update(body instanceof Uint8Array ? body : (JSON.stringify(body, inOrder) ?? ''))
    .digest()
}

/** A replacer for JSON: objects with their fields in one order. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(fields)
}
