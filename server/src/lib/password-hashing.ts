/** How passwords are stored: as a salted hash that is slow to compute, so a stolen table is of little use. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  /** Whether `hash` is that of the password. As slow as computing a hash. */
  verify(given: { hash: string; password: string }): Promise<boolean>
}

/** The sign-in library's hashing: scrypt, about 80 ms of processor time per hash. Loaded when the first password is used. */
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
