import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export type HttpAnswer = { status: number; text: string }

/** The platform's longest response, a page of 100 templates, is far smaller. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** The response is longer than any of the platform's, and is discarded. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
}

const KEPT = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64 }
const agents = { 'http:': new HttpAgent(KEPT), 'https:': new HttpsAgent(KEPT) }

/**
 * Sends one request over a keep-alive connection; redirects are not followed. It replaces `fetch` for the calls that
 * carry every message, because it costs about a third of the processor time.
 * @throws the system's error (`code`), a `TimeoutError` when the whole response has not arrived within `timeoutMs`, or
 *   AnswerTooLarge.
 */
export function callHttp(
  address: string,
  call: { headers: Record<string, string>; body: string | undefined; timeoutMs: number },
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const url = new URL(address)
    const isHttps = url.protocol === 'https:'
    const { body } = call
    const request = (isHttps ? httpsRequest : httpRequest)(url, {
      method: body === undefined ? 'GET' : 'POST',
      agent: agents[isHttps ? 'https:' : 'http:'],
      headers:
        body === undefined
          ? call.headers
          : { ...call.headers, 'content-length': String(Buffer.byteLength(body)) },
    })
    const timer = setTimeout(() => {
      request.destroy(new DOMException('the response did not come in time', 'TimeoutError'))
    }, call.timeoutMs)
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
    }
    request.on('error', fail)
    request.on('response', (response) => {
      const parts: Buffer[] = []
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
        parts.push(part)
        if (size <= MAX_ANSWER_BYTES) return
        fail(new AnswerTooLarge())
        request.destroy()
      })
      response.on('error', fail)
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() })
      })
    })
    request.end(body)
  })
}

/** The text of a response from `fetch`. @throws AnswerTooLarge */
export async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MAX_ANSWER_BYTES) throw new AnswerTooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
