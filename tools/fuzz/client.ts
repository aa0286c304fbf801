import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { shortOfProcessorsMs } from './machine.ts'

/** A request as it is sent: `path` is not encoded or normalised. */
export type WireRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

export type WireAnswer = {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  ms: number
  /** How much of that time processes waited for a processor. */
  shortMs: number
}

export type Client = {
  /** Sends a request. @throws when there is no complete response within 30 s, or the connection breaks. */
  send(sent: WireRequest): Promise<WireAnswer>
  close(): void
}

const GIVE_UP_MS = 30_000

/** An HTTP client with `connections` keep-alive connections. */
export function connect(url: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)

  return {
    send({ method, path, headers, body }) {
      const start = performance.now()
      const shortBefore = shortOfProcessorsMs()
      return new Promise((resolve, reject) => {
        const sent = request({ agent, hostname, port, method, path, timeout: GIVE_UP_MS }, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const { statusCode: status = 0, headers: answered } = answer
            const ms = performance.now() - start
            const shortMs = shortOfProcessorsMs() - shortBefore
            resolve({ status, headers: answered, bytes: Buffer.concat(chunks), ms, shortMs })
          })
        })
        sent.on('error', reject)
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${GIVE_UP_MS / 1000} s`)))
        for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value)
        if (body !== undefined) sent.setHeader('content-length', body.length)
        sent.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}
