import { createHash } from 'node:crypto'

/** How long a key is kept after its first use (G-10). */
export const KEPT_MS = 24 * 60 * 60 * 1000
export const MAX_KEY_LENGTH = 255
/** A longer response is not stored: the next attempt makes it again from the record. */
export const MOST_STORED_CHARACTERS = 1_000_000
const REFUSED = new Set([400, 401, 412, 429])

/**
 * What happens to a key after the response to its request (G-10): `store` the response; `delete` the key, as if it had never been
 * used; or `release` it, so that the next attempt continues with the same record. The key of a refused request (400, 401, 412,
 * 429) is deleted. After a 5xx it is uncertain whether anything was written, so the key is released. The same holds for a refused
 * claim that was taken over: the earlier attempt may be slow rather than dead, and still take effect. The key of a response that is too
 * long to be stored is released too.
 */
export function endOfClaim(
  status: number,
  claim: { isTakenOver: boolean; isVoid: boolean },
  characters: number,
): 'store' | 'delete' | 'release' {
  if (claim.isVoid) return 'delete'
  if (status >= 500 || characters > MOST_STORED_CHARACTERS) return 'release'
  if (REFUSED.has(status)) return claim.isTakenOver ? 'release' : 'delete'
  return 'store'
}

/**
 * A hash that is equal for equal requests (G-10): of method, path and body. The order of JSON fields does not matter; other
 * bodies are hashed byte by byte.
 */
export function requestHash(request: { method: string; path: string; body: unknown }): Buffer {
  const { method, path, body } = request
  return createHash('sha256')
    .update(`${method} ${path}\n`)
    .update(body instanceof Uint8Array ? body : (JSON.stringify(body, inOrder) ?? ''))
    .digest()
}

/** A JSON replacer that sorts the fields of objects. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(fields)
}
