/** PostgreSQL could not be reached at the start. */
export class DatabaseUnreachable extends Error {
  constructor(url: string, cause: unknown, setting = 'DATABASE_URL') {
    const { host } = new URL(url)
    const why = cause instanceof Error && cause.message !== '' ? cause.message : 'it does not respond'
    super(`${setting}: PostgreSQL at ${host} cannot be used: ${why}`)
    this.name = 'DatabaseUnreachable'
  }
}
