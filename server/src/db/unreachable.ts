import { CONNECT_TIMEOUT_MS } from './client.ts'

/** The driver's messages for a connection that took too long. */
const TOOK_TOO_LONG = /connection timeout|timeout expired|timeout exceeded when trying to connect/

/** PostgreSQL could not be reached at the start. */
export class DatabaseUnreachable extends Error {
  constructor(url: string, cause: unknown, setting = 'DATABASE_URL') {
    super(`${setting}: PostgreSQL at ${new URL(url).host} ${problemOf(cause)}`)
    this.name = 'DatabaseUnreachable'
  }
}

function problemOf(cause: unknown): string {
  if (!(cause instanceof Error) || cause.message === '') return 'cannot be used: it does not respond'
  if (TOOK_TOO_LONG.test(cause.message))
    return `does not respond within ${CONNECT_TIMEOUT_MS / 1000} s: check the address, and whether a firewall is in between`
  return `cannot be used: ${cause.message}`
}
