import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePorts, type Running, startService, temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'

/** Requests over a bare connection, to a service in a separate process whose log is checked. */

const ARRIVAL_MS = 4_000
const TIMINGS = { ...QUICK_TIMINGS, requestArrivalMs: ARRIVAL_MS, requestArrivalLookEveryMs: 500 }

const folder = temporaryFolder()
let running: Running

beforeAll(async () => {
  running = await startService({
    DATA_DIR: folder.path,
    TIMINGS: JSON.stringify(TIMINGS),
    ...(await freePorts()),
  })
}, 180_000)
afterAll(async () => {
  await running?.end('SIGKILL')
  folder.remove()
})

async function open() {
  const { hostname, port } = new URL(running.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  return { socket, answer: () => closed.then(() => text) }
}

describe('requests with any method', () => {
  const PATHS = [
    '/nowhere',
    '/api/external/v1/products',
    '/api/manage/v1/shops',
    '/health/live',
    '/hooks/platform',
  ]
  // Node itself ends a connection that requests a tunnel.
  const UNKNOWN = METHODS.filter(
    (method) => !['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT'].includes(method),
  )

  it('405 for each that no route has, 404 on an unknown path, without credentials, with or without a body; nothing in the log', async () => {
    expect(UNKNOWN).toContain('QUERY')
    for (const method of UNKNOWN) {
      for (const path of PATHS) {
        for (const rest of ['\r\n', 'Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{']) {
          const { socket, answer } = await open()
          socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}`)
          const status = path === '/nowhere' ? '404' : '405'
          expect([method, path, (await answer()).slice(9, 12)]).toEqual([method, path, status])
        }
      }
    }
    expect(running.output()).not.toMatch(/"level":[45]0/)
  }, 60_000)

  it('none of the known ones on an unknown path is 500', async () => {
    for (const method of METHODS.filter((one) => !UNKNOWN.includes(one) && one !== 'CONNECT')) {
      const { socket, answer } = await open()
      socket.write(`${method} /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: x\r\n\r\n`)
      expect([method, (await answer()).slice(9, 12)]).toEqual([method, '404'])
    }
  })
})

describe('CONNECT', () => {
  it('ends the connection without an answer and without a line in the log; the service goes on', async () => {
    for (const target of ['x:443', '/nowhere', '*']) {
      const { socket, answer } = await open()
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect(await answer()).toBe('')
    }
    expect((await fetch(`${running.url}/health/live`)).status).toBe(200)
    expect(running.output()).not.toMatch(/"level":[45]0/)
  })
})

describe('G-07 a body that arrives too slowly', () => {
  const POST = 'POST /api/external/v1/products HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  /** What is answered to a body of which a byte arrives now and then, and after how long the connection is closed. */
  async function drip(head: string, chunk: string): Promise<{ text: string; afterMs: number }> {
    const { socket, answer } = await open()
    const startedAt = performance.now()
    socket.write(head)
    const dripping = setInterval(() => socket.write(chunk), 200)
    const text = await answer()
    clearInterval(dripping)
    return { text, afterMs: performance.now() - startedAt }
  }

  it('408 when the time for a request to arrive is over, by length or in chunks; nothing more after an early response', async () => {
    const SIGN_IN = POST.replace('/api/external/v1/products', '/api/auth/sign-in/email')
    const [byLength, chunked, inHead, answered] = await Promise.all([
      drip(`${SIGN_IN}Content-Length: 1000\r\n\r\n`, 'a'),
      drip(`${SIGN_IN}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
      drip(SIGN_IN, 'a: b\r\n'),
      drip(`${POST}Content-Length: 1000\r\n\r\n`, 'a'),
    ])
    for (const { text } of [byLength, chunked, inHead]) expect(text.slice(0, 12)).toBe('HTTP/1.1 408')
    expect(answered.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
    for (const { afterMs } of [byLength, chunked, inHead, answered]) {
      expect(afterMs).toBeGreaterThanOrEqual(ARRIVAL_MS - 100)
      expect(afterMs).toBeLessThan(ARRIVAL_MS + 6_000)
    }
  }, 90_000)
})

describe('a caller that disconnects in the middle of its body', () => {
  it('is not in the log as a failure of the database, or as any other failure', async () => {
    const before = running.output().length
    for (const length of ['Content-Length: 1000\r\n\r\na', 'Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n']) {
      const { socket } = await open()
      socket.write(
        `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}`,
      )
      await pause(300)
      socket.destroy()
    }
    await pause(300)
    expect((await fetch(`${running.url}/health/live`)).status).toBe(200)
    expect(running.output().slice(before)).not.toMatch(/"level":[456]0/)
  })
})

describe('a process that was paused', () => {
  it('answers the request that came meanwhile instead of 408; one whose rest never comes gets 408', async () => {
    const head = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n'
    const [inBody, inHead, never] = [await open(), await open(), await open()]
    inBody.socket.write(
      'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
    )
    inHead.socket.write(head)
    never.socket.write(head)
    await pause(1_000)
    running.child.kill('SIGSTOP')
    inBody.socket.write('}')
    inHead.socket.write('\r\n{}')
    await pause(ARRIVAL_MS + 1_000)
    running.child.kill('SIGCONT')
    expect((await inBody.answer()).slice(9, 12)).not.toBe('408')
    expect((await inHead.answer()).slice(9, 12)).toBe('404')
    expect((await never.answer()).slice(9, 12)).toBe('408')
  }, 60_000)
})
