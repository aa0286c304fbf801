import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Seals short secrets for the database with AES-256-GCM: 12 bytes nonce, 16 bytes tag, then the text. */
export type SecretBox = {
  seal(text: string): Buffer
  /** @throws when `sealed` was made with another key or changed since. */
  open(sealed: Uint8Array): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A box around a 32-byte key. */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}
