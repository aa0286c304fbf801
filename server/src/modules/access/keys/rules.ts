import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../lib/secrets/sha256.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'sb_live_'
const SECRET_CHARACTERS = 30
const CHECK_CHARACTERS = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_CHARACTERS + CHECK_CHARACTERS}}$`)

/** The scopes of keys: `read` covers every GET, each of the others a part of the API, listed in modules/access/scopes.ts. */
export const SCOPES = ['read', 'catalogue', 'orders', 'content', 'messages', 'wallet'] as const
export type Scope = (typeof SCOPES)[number]

/** How long an old key may keep working beside the one that replaces it. */
export const MAX_OVERLAP_SECONDS = 7 * 86_400

/** The scopes that a key gets: the requested ones, each once; all if none are named (G-60). */
export function keyScopes(asked: readonly Scope[] | undefined): Scope[] {
  return SCOPES.filter((scope) => asked === undefined || asked.includes(scope))
}

/** A new API key: `sb_live_`, 30 random base62 characters (178 bits) and 6 check characters (G-60). */
export function newApiKey(): string {
  let secret = ''
  while (secret.length < SECRET_CHARACTERS) {
    // 248 = 4 × 62: larger bytes would make the first characters likelier than the others.
    for (const byte of randomBytes(SECRET_CHARACTERS)) {
      if (byte < 248 && secret.length < SECRET_CHARACTERS) secret += ALPHABET[byte % 62]
    }
  }
  return PREFIX + secret + checkCharacters(secret)
}

/** Whether `key` has the shape and check characters of a key of this service, without asking the database (G-60). */
export function isKeyWellFormed(key: string): boolean {
  if (!SHAPE.test(key)) return false
  const secret = key.slice(PREFIX.length, PREFIX.length + SECRET_CHARACTERS)
  return key.endsWith(checkCharacters(secret))
}

/** What is stored of a key: its SHA-256. A long random key needs no slow hash. */
export function hashApiKey(key: string): Buffer {
  return sha256(key)
}

/** The part of a key that lists may show. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX.length + 4)
}

function checkCharacters(secret: string): string {
  let number = sha256(secret).readUIntBE(0, 6)
  let text = ''
  for (let i = 0; i < CHECK_CHARACTERS; i++) {
    text += ALPHABET[number % 62]
    number = Math.floor(number / 62)
  }
  return text
}
