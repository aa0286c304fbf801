import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { freePorts, http, manageOver, startService, temporaryFolder } from '../support/process.ts'

/** A connection to PostgreSQL that can be cut, as by a restart or a network failure. */
async function cuttable(target: URL) {
  const open = new Set<Socket>()
  let server: Server | undefined
  async function join(port: number): Promise<number> {
    server = createServer((socket) => {
      const onward = connect(Number(target.port), target.hostname)
      for (const end of [socket, onward]) {
        open.add(end)
        end.on('error', () => {})
        end.on('close', () => {
          open.delete(end)
          socket.destroy()
          onward.destroy()
        })
      }
      socket.pipe(onward).pipe(socket)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  }
  const port = await join(0)
  return {
    port,
    cut() {
      server?.close()
      for (const socket of open) socket.destroy()
    },
    rejoin: () => join(port),
  }
}

describe.runIf(onPostgres)('PostgreSQL goes away', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('503 with Retry-After while it is away, /health/ready too, and recovers by itself', async () => {
    const made = await makeDatabase()
    const target = new URL(made.url!)
    const way = await cuttable(new URL(target))
    target.port = String(way.port)
    const service = await startService({
      DATA_DIR: join(folder.path, 'data'),
      DATABASE_URL: target.href,
      ...(await freePorts()),
    })
    const shop = await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Vải' })
    const headers = { 'x-api-key': `service-partner ${shop.body.data.apiKey}` }
    const product = { name: 'Vải lụa', price: 120_000 }
    expect((await http(service.url, 'POST', '/api/external/v1/products', product, headers)).status).toBe(200)

    way.cut()
    const away = await http(service.url, 'POST', '/api/external/v1/products', product, headers)
    expect(away.status).toBe(503)
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(away.body).toMatchObject({ statusCode: 503, error: 'Service Unavailable' })
    expect((await http(service.url, 'GET', '/health/ready')).status).toBe(503)
    expect((await http(service.url, 'GET', '/health/live')).status).toBe(200)
    const ready = async () =>
      /^shopbell_database_ready\{.*\} (\d)$/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1]
    expect(await ready()).toBe('0')

    await way.rejoin()
    await eventually(async () => (await http(service.url, 'GET', '/health/ready')).status === 200, 10_000)
    expect((await http(service.url, 'POST', '/api/external/v1/products', product, headers)).status).toBe(200)
    expect(await ready()).toBe('1')
    const list = await http(service.url, 'GET', '/api/external/v1/products', undefined, headers)
    expect(list.body.data.meta.total).toBe(2)
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    way.cut()
    await made.remove()
  }, 60_000)
})
