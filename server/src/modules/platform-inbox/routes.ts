import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { Unauthorized } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import type { GuessLimits } from '../../http/limits/guess-limits.ts'
import { createInbox } from './inbox.ts'
import { receivePlatformEvent } from './receive-event.ts'

/** The largest event that we know, a customer's message, has a few KB. Anybody may send a body, signed or not. */
const BODY_LIMIT = 64 * 1024

/** The platform's webhook. It needs no API key: its signature over the raw bytes proves the sender. */
export function platformHookRoutes(app: App, deps: Deps, limits: GuessLimits): void {
  const inbox = createInbox(deps)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const receive = async (request: FastifyRequest, reply: FastifyReply) => {
    const { oaId } = request.params as { oaId?: string }
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const header = (name: string) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    await receivePlatformEvent(deps, inbox, { oaId, rawBody, header }).catch(async (error: unknown) => {
      if (error instanceof Unauthorized) await limits.countSignature(request, reply)
      throw error
    })
    return { ok: true }
  }

  // The platform has one address per app; the addresses per account are for those who configured them. GET: the platform may only
  // check an address.
  for (const path of ['/hooks/platform', '/hooks/platform/:oaId']) {
    app.route({
      method: ['GET', 'POST'],
      url: path,
      bodyLimit: BODY_LIMIT,
      schema: { hide: true },
      handler: receive,
    })
  }
}
