import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The keys of a box. The first one seals; all of them open. */
export type SealingKeys = [Buffer, ...Buffer[]]

/** Seals short secrets for the database with AES-256-GCM: 12 bytes nonce, 16 bytes tag, then the text. */
export type SecretBox = {
  seal(text: string): Buffer
  /** @throws when another key sealed `sealed`, or it was changed since. */
  open(sealed: Uint8Array): string
  /** Whether the first key sealed it, so that it can be opened without the other keys. */
  isSealedAnew(sealed: Uint8Array): boolean
  /**
   * Derives a 32-byte key for one `purpose`. It is always the same for this box, and reveals nothing about the box's
   * own key.
   */
  derive(purpose: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const REMEMBERED = 1_000

/**
 * A box with 32-byte keys. It caches what it has opened, because a token is opened for each message; a resealed secret
 * has other bytes, so the cache stays correct. `deriving` is the key that others are derived from, by default the first
 * one.
 */
export function createSecretBox(keys: SealingKeys, deriving: Buffer = keys[0]): SecretBox {
  const opened = new LRUCache<string, string>({ max: REMEMBERED })

  function openWith(key: Buffer, bytes: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
  }

  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys[0], nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      const name = bytes.toString('latin1')
      const known = opened.get(name)
      if (known !== undefined) return known
      for (const [n, key] of keys.entries()) {
        try {
          const text = openWith(key, bytes)
          opened.set(name, text)
          return text
        } catch (error) {
          if (n === keys.length - 1) throw error
        }
      }
      throw new Error('a box without keys')
    },
    isSealedAnew(sealed) {
      try {
        openWith(keys[0], Buffer.from(sealed))
        return true
      } catch {
        return false
      }
    },
    derive: (purpose) => createHmac('sha256', deriving).update(purpose).digest(),
  }
}
