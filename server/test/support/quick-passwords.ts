import { randomBytes, scryptSync } from 'node:crypto'
import type { PasswordHashing } from '../../src/lib/password-hashing.ts'

/**
 * Salted hashes that cost almost nothing: the service's own take 80 ms of processor time each, and the tests make many
 * hundreds.
 */
export const quickHashing: PasswordHashing = {
  async hash(password) {
    const salt = randomBytes(8).toString('hex')
    return `${salt}:${cheapHash(password, salt)}`
  },
  async verify({ hash, password }) {
    const [salt = '', made] = hash.split(':')
    return made === cheapHash(password, salt)
  },
}

function cheapHash(password: string, salt: string): string {
  return scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 }).toString('hex')
}
