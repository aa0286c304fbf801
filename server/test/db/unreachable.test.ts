import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { DatabaseUnreachable } from '../../src/db/unreachable.ts'

describe('DatabaseUnreachable', () => {
  it('names the address that does not respond, and how long it was given', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const url = `postgres://shop:secret@127.0.0.1:${port}/shopbell`
    const database = openPostgres(url, { max: 1 })
    const error = await sql`select 1`.execute(database.db).catch((error: unknown) => error)
    await database.close()
    for (const socket of sockets) socket.destroy()
    silent.close()
    expect(new DatabaseUnreachable(url, error).message).toBe(
      `DATABASE_URL: PostgreSQL at 127.0.0.1:${port} does not respond within 3 s: check the address, and whether a firewall is in between`,
    )
  })
})
