import type { PGlite } from '@electric-sql/pglite'
import { LRUCache } from 'lru-cache'

/** More than the service has; imports and exports add a text for each number of rows. */
const MOST = 500

// Messages of PostgreSQL's protocol: a byte for the kind, four for the length, and for these a name from this position on.
const PARSE = 'P'.charCodeAt(0)
const PARSE_NAME_AT = 5
const DESCRIBE = 'D'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)
const CLOSE = 'C'.charCodeAt(0)
const STATEMENT = 'S'.charCodeAt(0)
/** The position in a description is after the kind of what it describes, in a binding after the portal, which has no name. */
const STATEMENT_NAME_AT = 6

/**
 * Prepares each statement for which `isPrepared` says so once, as on PostgreSQL, because parsing and planning cost a fifth
 * of the embedded database's time. PGlite's `query` sends each statement without a name, message by message; here these
 * get the name of the statement, and the first is left out for a statement that the database knows.
 */
export function prepareStatements(
  pglite: PGlite,
  isPrepared: (text: string) => boolean,
  most: number = MOST,
): void {
  const execute = pglite.execProtocolRaw.bind(pglite)
  const evicted: string[] = []
  const names = new LRUCache<string, string>({ max: most, dispose: (name) => evicted.push(name) })
  let made = 0
  /** The statement whose messages are being sent. There is one at a time. */
  let current: { key: string; name: string } | undefined

  pglite.execProtocolRaw = async (message, options) => {
    if (message[0] === PARSE) {
      const { buffer, byteOffset, byteLength } = message.subarray(PARSE_NAME_AT + 1)
      const key = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
      const known = names.get(key)
      if (known !== undefined) {
        current = { key, name: known }
        return new Uint8Array(0)
      }
      current = message[PARSE_NAME_AT] === 0 && isPrepared(key) ? { key, name: `s${++made}` } : undefined
      return execute(
        current === undefined ? message : withName(message, PARSE_NAME_AT, current.name),
        options,
      )
    }
    if (current === undefined) return execute(message, options)
    if (message[0] === DESCRIBE && message[5] === STATEMENT) {
      // Only a statement that was parsed is described.
      names.set(current.key, current.name)
      for (const name of evicted.splice(0)) await execute(closing(name), options)
      return execute(withName(message, STATEMENT_NAME_AT, current.name), options)
    }
    if (message[0] === BIND) return execute(withName(message, STATEMENT_NAME_AT, current.name), options)
    return execute(message, options)
  }
}

/** The message with a name where it has an empty one. */
function withName(message: Uint8Array, at: number, name: string): Uint8Array {
  const named = Buffer.concat([message.subarray(0, at), Buffer.from(name), message.subarray(at)])
  named.writeInt32BE(named.byteLength - 1, 1)
  return named
}

function closing(name: string): Uint8Array {
  const message = Buffer.from([CLOSE, 0, 0, 0, 0, STATEMENT, 0])
  return withName(message, STATEMENT_NAME_AT, name)
}
