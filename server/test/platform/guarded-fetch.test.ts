import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type GuardedRequest,
  guardedFetch,
  isPublicAddress,
  OutboundFailed,
  OutboundRefused,
  outboundRule,
  plainProblem,
} from '../../src/platform/guarded-fetch.ts'
import { eventually } from '../support/eventually.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serverOn(host: string, answer: (request: IncomingMessage, reply: ServerResponse) => void) {
  const seen: string[] = []
  const server = createServer((request, reply) => {
    seen.push(`${request.method} ${request.url}`)
    answer(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://${host}:${port}`, seen }
}

/** The reason of the refusal, or the status of the response, or the message of the failure. */
async function outcome(request: GuardedRequest): Promise<string | number> {
  try {
    return (await guardedFetch(request)).status
  } catch (error) {
    if (error instanceof OutboundRefused) return error.reason
    if (error instanceof OutboundFailed) return `failed: ${error.message}`
    throw error
  }
}

const any = outboundRule(true)

describe('which addresses are public', () => {
  it.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.0.1',
      '169.254.169.254',
    ],
    ...['172.16.0.1', '172.31.255.255', '192.0.0.192', '192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1'],
    ...['255.255.255.255', '168.63.129.16', '100.100.100.200'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      'fe80::1',
      'fe80::1%lo',
    ],
    ...[
      'fc00::1',
      'fd00:ec2::254',
      'fec0::1',
      'ff02::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
    ],
    ...['localhost', '', '127.1', '2130706433'],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    ...['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0', '169.253.0.1'],
    ...['223.255.255.255', '2606:4700:4700::1111', '2404:6800:4005::200e', '2001:200::1'],
  ])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('the guard of outgoing requests', () => {
  it('refuses private addresses in every spelling, before anything is sent', async () => {
    const server = await serverOn('127.0.0.1', (_request, reply) => reply.end('inside'))
    const { port } = server
    const spellings = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '017700000001', '127.0.0.1.'],
      ...['localhost', 'LOCALHOST', '0', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]'],
      ...['[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]', '①②⑦.⓪.⓪.①', '169.254.169.254'],
    ]
    for (const host of spellings) {
      expect([host, await outcome({ url: `http://${host}:${port}/` })]).toEqual([host, 'private'])
    }
    expect(server.seen).toEqual([])
    expect(await outcome({ url: `http://127.0.0.1:${port}/`, allows: any })).toBe(200)
  })

  it('a name is judged by the address that it resolves to, at the connection itself', async () => {
    const server = await serverOn('127.0.0.1', (_request, reply) => reply.end('inside'))
    const asked: string[] = []
    const noteAnd = (verdict: boolean) => (address: string) => {
      asked.push(address)
      return verdict
    }
    const url = `http://localhost:${server.port}/`
    expect(await outcome({ url, allows: noteAnd(false) })).toBe('private')
    expect(asked).toContain('127.0.0.1')
    expect(server.seen).toEqual([])
    expect(await outcome({ url, allows: noteAnd(true) })).toBe(200)
  })

  it('of a name’s addresses only the allowed ones are connected to', async () => {
    const server = await serverOn('127.0.0.1', (request, reply) => reply.end(request.socket.localAddress))
    const url = `http://localhost:${server.port}/`
    const answer = await guardedFetch({ url, allows: (address) => address === '127.0.0.1' })
    expect(answer.body.toString()).toBe('127.0.0.1')
    expect(await outcome({ url, allows: (address) => address === '127.0.0.9' })).toBe('private')
  })

  it('each redirect is checked the same way: by its literal address and by its name', async () => {
    const inside = await serverOn('127.0.0.2', (_request, reply) => reply.end('inside'))
    let to = ''
    const outside = await serverOn('127.0.0.1', (_request, reply) => {
      reply.writeHead(302, { location: to }).end()
    })
    const allows = (address: string) => address === '127.0.0.1'
    to = `${inside.url}/`
    expect(await outcome({ url: outside.url, allows })).toBe('private')
    to = `http://2130706434:${inside.port}/`
    expect(await outcome({ url: outside.url, allows })).toBe('private')
    let asked = 0
    to = `http://localhost:${outside.port}/`
    expect(await outcome({ url: outside.url, allows: () => asked++ === 0 })).toBe('private')
    to = 'file:///etc/passwd'
    expect(await outcome({ url: outside.url, allows })).toBe('address')
    expect(inside.seen).toEqual([])
    to = `${inside.url}/`
    expect(await outcome({ url: outside.url, allows: any })).toBe(200)
  })

  it('follows three redirects and no more; to a POST a redirect is the answer', async () => {
    const server = await serverOn('127.0.0.1', (request, reply) => {
      const left = Number(request.url!.slice(1))
      if (left === 0) reply.end('there')
      else reply.writeHead(307, { location: `/${left - 1}` }).end()
    })
    const answer = await guardedFetch({ url: `${server.url}/3`, allows: any })
    expect(answer).toMatchObject({ status: 200, url: `${server.url}/0` })
    expect(await outcome({ url: `${server.url}/4`, allows: any })).toBe('redirects')
    expect(await outcome({ url: `${server.url}/1`, method: 'POST', body: '{}', allows: any })).toBe(307)
  })

  it('cuts off an answer that is too large, declared or not', async () => {
    let written = 0
    const server = await serverOn('127.0.0.1', (request, reply) => {
      if (request.url === '/declared') return void reply.writeHead(200, { 'content-length': '5000' }).end()
      const timer = setInterval(() => {
        written += 1
        if (!reply.write('x'.repeat(600))) clearInterval(timer)
      }, 1)
      reply.on('close', () => clearInterval(timer))
    })
    expect(await outcome({ url: `${server.url}/declared`, allows: any, maxBytes: 1_000 })).toBe('too-large')
    expect(await outcome({ url: `${server.url}/stream`, allows: any, maxBytes: 1_000 })).toBe('too-large')
    expect(written).toBeLessThan(20)
  })

  it('a cut answer is there with its headers, whether the body goes on, stops or breaks off', async () => {
    const closed: string[] = []
    const server = await serverOn('127.0.0.1', ({ url = '' }, reply) => {
      reply.writeHead(202, { 'retry-after': '7' }).write('kept')
      const timer = setInterval(() => {
        if (url === '/fast') reply.write('x'.repeat(600))
        if (url === '/slow') reply.write('.')
        if (url === '/broken') reply.destroy()
      }, 20)
      reply.on('close', () => {
        clearInterval(timer)
        closed.push(url)
      })
    })
    for (const path of ['/fast', '/slow', '/silent', '/broken']) {
      const url = `${server.url}${path}`
      const cut = await guardedFetch({
        url,
        allows: any,
        timeoutMs: 300,
        maxBytes: 1_000,
        cutsLongAnswers: true,
      })
      expect([path, cut.status, cut.headers['retry-after']]).toEqual([path, 202, '7'])
      expect(cut.body.toString()).toMatch(/^kept/)
      expect(cut.body.length).toBeLessThanOrEqual(1_000)
    }
    await eventually(async () => closed.length === 4)
    expect(
      await outcome({ url: `${server.url}/slow`, allows: any, timeoutMs: 300 }),
      'without the option, a body that does not end is no answer',
    ).toBe('failed: no response in time')
  })

  it('gives up on a slow answer, slow body and slow chain of redirects', async () => {
    const server = await serverOn('127.0.0.1', (request, reply) => {
      if (request.url === '/body') return void reply.write('x')
      if (request.url === '/chain') {
        setTimeout(() => reply.writeHead(302, { location: '/chain' }).end(), 60)
      }
    })
    for (const path of ['/never', '/body', '/chain']) {
      expect(await outcome({ url: `${server.url}${path}`, allows: any, timeoutMs: 100 })).toBe(
        'failed: no response in time',
      )
    }
  })

  it('a refused connection and an unknown name are failures that may pass', async () => {
    const server = await serverOn('127.0.0.1', (_request, reply) => reply.destroy())
    expect(await outcome({ url: 'http://127.0.0.1:1/', allows: any })).toBe('failed: ECONNREFUSED')
    expect(await outcome({ url: server.url, allows: any })).toBe('failed: ECONNRESET')
    expect(await outcome({ url: 'http://nothing.invalid/' })).toMatch(/^failed: E/)
  })

  it.each([
    'ftp://example.com/a',
    'file:///etc/passwd',
    'javascript:1',
    'example.com',
    '',
    'http://u:p@example.com/',
    'https://example.com:0/',
  ])('refuses the address %j', async (url) => {
    expect(await outcome({ url })).toBe('address')
  })

  it('a host name of more than 253 characters, which no name server has, cannot be a target', () => {
    const host = (length: number) => 'a.'.repeat((length - 3) / 2).padEnd(length, 'com')
    for (const ending of ['', '.']) {
      expect(plainProblem(`https://${host(253)}${ending}/hook`, isPublicAddress)).toBeUndefined()
    }
    expect(plainProblem(`https://${host(255)}/hook`, isPublicAddress)?.reason).toBe('address')
  })

  it('sends method, headers and body', async () => {
    const got: unknown[] = []
    const server = await serverOn('127.0.0.1', (request, reply) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        got.push(request.method, request.headers['x-signature'], request.headers.host, text)
        reply.writeHead(204).end()
      })
    })
    const headers = { 'x-signature': 'abc' }
    const request = {
      url: `${server.url}/hook`,
      method: 'POST',
      headers,
      body: '{"ồ":1}',
      allows: any,
    } as const
    expect(await outcome(request)).toBe(204)
    expect(got).toEqual(['POST', 'abc', `127.0.0.1:${server.port}`, '{"ồ":1}'])
  })
})
