/** How passwords are stored: as a salted hash that is slow to make, so that a stolen table is of little use. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  /** Whether `hash` is that of the password; as slow as making one. */
  verify(given: { hash: string; password: string }): Promise<boolean>
}

/** The sign-in library's: scrypt, some 80 ms of processor time for each. Loaded with the first password. */
export const scryptHashing: PasswordHashing = {
  async hash(password) {
    const { hashPassword } = await import('better-auth/crypto')
    return hashPassword(password)
  },
  async verify(given) {
    const { verifyPassword } = await import('better-auth/crypto')
    return verifyPassword(given)
  },
}
