/** PostgreSQL could not be reached at the start. */
export class DatabaseUnreachable extends Error {
  constructor(url: string, cause: unknown) {
    const { host } = new URL(url)
    const why = cause instanceof Error && cause.message !== '' ? cause.message : 'it does not respond'
    super(`DATABASE_URL: PostgreSQL at ${host} cannot be used: ${why}`)
    this.name = 'DatabaseUnreachable'
  }
}
