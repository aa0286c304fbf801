import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Refuses requests that a foreign web page makes a browser send here: the desk has no sign-in and shows phone numbers
 * and messages. After DNS rebinding, the foreign name is in `Host`; for a form or script of another page, the foreign
 * origin is in `Origin`. `ownHost` is the name or address that the simulator is configured to listen on.
 */
export function refuseForeignPages(desk: FastifyInstance, ownHost?: string): void {
  desk.addHook('onRequest', async (req, reply) => {
    const host = addressOf(`http://${req.headers.host}`)
    const isOwn = host !== undefined && isOwnHost(host.hostname, req, ownHost)
    const { origin } = req.headers
    if (isOwn && (origin === undefined || addressOf(origin)?.host === host.host)) return
    await reply.code(403).send({ message: 'Refused: the simulator accepts requests from its own page only' })
  })
}

/** An IP address cannot be rebound like a name. On the loopback interface, only loopback addresses are accepted. */
function isOwnHost(hostname: string, req: FastifyRequest, ownHost: string | undefined): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (hostname === 'localhost' || isLoopback(bare) || bare === ownHost?.toLowerCase()) return true
  return isIP(bare) !== 0 && !isLoopback(req.socket.localAddress ?? '127.0.0.1')
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

function addressOf(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}
