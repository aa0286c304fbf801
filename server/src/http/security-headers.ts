import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'
import type { App } from './app-type.ts'

/**
 * Sets helmet's headers on each response of `app`, with this policy for its pages. They are the same for every request and
 * made once: making them for each took half of the processor time of a repeated read.
 */
export function setSecurityHeaders(
  app: App,
  contentSecurityPolicy: HelmetOptions['contentSecurityPolicy'],
): void {
  const headers = headersOf({ contentSecurityPolicy })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** What helmet, which writes to a response of Node, would write. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader(name: string, value: string) {
      headers[name.toLowerCase()] = value
    },
    removeHeader() {},
  }
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error
  })
  return headers
}
