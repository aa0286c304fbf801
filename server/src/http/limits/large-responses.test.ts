import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import type { App } from '../app-type.ts'
import { limitLargeResponses } from './large-responses.ts'

const LONG = JSON.stringify({ data: 'x'.repeat(30 * 1024 * 1024) })

/** Shared by all responses, as the documents that anyone may read. */
const DOCUMENT = Buffer.alloc(60 * 1024 * 1024, 'x')

async function serving(stuckMs: number): Promise<{ url: string; port: number }> {
  const app = Fastify({ trustProxy: true }) as unknown as App
  limitLargeResponses(app, stuckMs)
  app.get('/long', (_request, reply) => reply.header('etag', '"1"').type('application/json').send(LONG))
  app.get('/document', (_request, reply) =>
    reply.headers({ etag: '"2"', 'content-encoding': 'br', 'cache-control': 'no-cache' }).send(DOCUMENT),
  )
  app.get('/short', () => ({ data: 'x' }))
  app.get('/late', async (request, reply) => {
    await once(request.raw.socket, 'close')
    reply.type('application/json')
    return LONG
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return { url, port: Number(new URL(url).port) }
}

/** Asks for the long response and reads nothing of it. */
async function ask(port: number, path = '/long', from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n\r\n`)
  return socket
}

it('a caller leaves at most 64 MB unread: then 429, until the connections that take nothing are closed', async () => {
  const { url, port } = await serving(5_000)
  const stuck = [await ask(port), await ask(port)]
  const status = async () => (await fetch(`${url}/long`, { method: 'HEAD' })).status
  await expect.poll(status, { timeout: 4_500 }).toBe(429)
  const refused = await fetch(`${url}/long`)
  expect(refused.status).toBe(429)
  expect([refused.headers.get('retry-after'), refused.headers.get('etag')]).toEqual(['5', null])
  expect(await refused.json()).toEqual({ error: expect.stringContaining('not read yet') })
  expect((await fetch(`${url}/short`)).status).toBe(200)
  const read = async () => {
    const response = await fetch(`${url}/long`)
    return [response.status, (await response.text()).length > LONG.length / 2]
  }
  await expect.poll(read, { timeout: 20_000 }).toEqual([200, true])
  for (const socket of stuck) {
    // Reads what the kernel still held; then the connection is at its end.
    socket.resume()
    if (!socket.destroyed) await once(socket, 'close')
  }
}, 40_000)

it('strangers at any number of addresses leave at most 256 MB unread together: then 429, in no coding', async () => {
  const { url, port } = await serving(60_000)
  for (let n = 1; n <= 4; n++) await ask(port, '/document', `192.0.2.${n}`)
  const another = () =>
    fetch(`${url}/document`, { method: 'HEAD', headers: { 'x-forwarded-for': '192.0.2.9' } })
  await expect.poll(async () => (await another()).status, { timeout: 10_000 }).toBe(429)
  const { headers } = await another()
  expect(['etag', 'content-encoding', 'cache-control'].map((name) => headers.get(name))).toEqual([
    null,
    null,
    null,
  ])
  expect((await fetch(`${url}/short`)).status).toBe(200)
})

it('what was read is no longer counted', async () => {
  const { url } = await serving(2_000)
  for (let n = 0; n < 4; n++) expect((await (await fetch(`${url}/long`)).text()).length).toBe(LONG.length)
})

it('a response to a caller who has disconnected is not counted', async () => {
  const { url, port } = await serving(60_000)
  for (let n = 0; n < 3; n++) {
    const socket = await ask(port, '/late')
    expect((await fetch(`${url}/short`)).status).toBe(200)
    socket.destroy()
    await once(socket, 'close')
  }
  for (let n = 0; n < 4; n++) expect((await (await fetch(`${url}/long`)).text()).length).toBe(LONG.length)
})
