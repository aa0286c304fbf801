import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../errors.ts'
import type { ObjectId } from '../lib/object-id.ts'
import { sendError } from './error-map.ts'

/** Answers a path that cannot be decoded (G-02). No hook runs for such a request, so the id is set here. */
export function answerMalformedPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  sendError(new Refused('MALFORMED_PATH'), request, reply)
}

const NOT_HTTP = { statusCode: 400, error: 'Bad Request', message: 'The request is not valid HTTP' }
export const HEADERS_TOO_LONG = {
  statusCode: 431,
  error: 'Request Header Fields Too Large',
  message: 'The request’s URL and headers are longer than 16 KB',
}
export const NOT_ARRIVED_IN_TIME = {
  statusCode: 408,
  error: 'Request Timeout',
  message: 'The request did not arrive in time',
}
const BY_CODE: Record<string, typeof NOT_HTTP> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LONG,
  ERR_HTTP_REQUEST_TIMEOUT: NOT_ARRIVED_IN_TIME,
}

/** Node's properties for the response in progress on a connection, and for the request that is arriving. */
type HttpSocket = Socket & {
  _httpMessage?: FastifyReply['raw'] | null
  parser?: { incoming?: FastifyRequest['raw'] | null } | null
}

/** After the process has stalled, it gets this long to read what arrived in the meantime. */
const READ_WITHIN_MS = 2_000

/**
 * Answers a request that Node could not read as HTTP, in the shape of G-02 and in English, and ends the connection.
 * Fastify never sees such a request, so the response is written to the socket.
 */
export function answerUnreadableHttp(ids: { next(): ObjectId }) {
  return (error: Error & { code?: string }, socket: HttpSocket): void => {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      refuse(error, socket)
      return
    }
    // Node looks for late requests before it reads from the connections. If the process stalled for the whole time-out,
    // the rest of the request may already have arrived, so it is read first. Node reports each request only once.
    let late: FastifyRequest['raw'] | undefined = socket._httpMessage?.req
    const onRequest = (request: FastifyRequest['raw']) => {
      if (request.socket === socket) late = request
    }
    const { server } = socket as HttpSocket & { server: FastifyInstance['server'] }
    server.on('request', onRequest)
    setTimeout(() => {
      server.off('request', onRequest)
      // The request was answered before all of its body arrived, for example because it had no key.
      if (late === undefined && socket.parser?.incoming) socket.destroy()
      else if (late?.complete !== true) refuse(error, socket)
    }, READ_WITHIN_MS).unref()
  }

  function refuse(error: Error & { code?: string }, socket: HttpSocket): void {
    // If another response has begun, the client would read these bytes as a part of it.
    if (socket.writable && socket._httpMessage?.headersSent !== true) {
      const answer = BY_CODE[error.code ?? ''] ?? NOT_HTTP
      const body = JSON.stringify(answer)
      const head = [
        `HTTP/1.1 ${answer.statusCode} ${answer.error}`,
        `x-request-id: ${ids.next()}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    }
    socket.destroySoon()
  }
}

const EXPECTATION_BODY = JSON.stringify({
  statusCode: 417,
  error: 'Expectation Failed',
  message: 'The only supported value of the header Expect is 100-continue',
})

/** Answers a request whose `Expect` Node does not know, which Node itself does without a body (G-02). */
export function answerUnknownExpectation(ids: { next(): ObjectId }) {
  return (_request: FastifyRequest['raw'], response: FastifyReply['raw']): void => {
    response
      .writeHead(417, {
        'x-request-id': ids.next(),
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(EXPECTATION_BODY),
        // The body that may follow is not read.
        connection: 'close',
      })
      .end(EXPECTATION_BODY)
  }
}
