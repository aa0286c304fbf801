import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { eventually } from './eventually.ts'
import type { Service } from './service.ts'

/**
 * Sends `count` requests to `path`, which need `table` and cannot read it because it is locked, and disconnects after
 * all have arrived. Resolves when the service has noticed this and the table can be read again. Other requests, such as
 * the simulator's, are not counted.
 */
export async function hangUpWhileLocked(
  running: Service,
  { path, table, count }: { path: string; table: string; count: number },
  send: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const closed: Promise<unknown>[] = []
  const watch = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === path) closed.push(once(response, 'close'))
  }
  running.app.server.on('request', watch)
  try {
    await running.deps.db.transaction().execute(async (trx) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
      const caller = new AbortController()
      const sent = Array.from({ length: count }, () => send(caller.signal).catch(() => undefined))
      await eventually(async () => closed.length === count, 20_000)
      caller.abort()
      await Promise.all([...sent, ...closed])
    })
  } finally {
    running.app.server.off('request', watch)
  }
}
