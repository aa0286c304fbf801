import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Seals short secrets for the database with AES-256-GCM: 12 bytes nonce, 16 bytes tag, then the text. */
export type SecretBox = {
  seal(text: string): Buffer
  /** @throws when `sealed` was made with another key or changed since. */
  open(sealed: Uint8Array): string
  /** A key for one `purpose`, 32 bytes: always the same for this box, and reveals nothing about the box's own key. */
  derive(purpose: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const REMEMBERED = 1_000

/**
 * A box around a 32-byte key. It caches what it has opened: a token is opened for each message, and a resealed secret
 * has other bytes.
 */
export function createSecretBox(key: Buffer): SecretBox {
  const opened = new LRUCache<string, string>({ max: REMEMBERED })
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      const name = bytes.toString('latin1')
      const known = opened.get(name)
      if (known !== undefined) return known
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const text =
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      opened.set(name, text)
      return text
    },
    derive: (purpose) => createHmac('sha256', key).update(purpose).digest(),
  }
}
