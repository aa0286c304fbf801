import type { Deps } from '../../deps.ts'
import { Unauthorized } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import type { GuessLimits } from '../../http/guess-limits.ts'
import { createInbox } from './inbox.ts'
import { receivePlatformEvent } from './receive-event.ts'

const BODY_LIMIT = 1024 * 1024

/** The platform's webhook. It has no shop's key: its signature over the raw bytes proves the sender. */
export function platformHookRoutes(app: App, deps: Deps, limits: GuessLimits): void {
  const inbox = createInbox(deps)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  )

  app.post('/hooks/platform/:oaId', { schema: { hide: true } }, async (request, reply) => {
    const { oaId } = request.params as { oaId: string }
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const signature = request.headers['x-zevent-signature']
    const given = typeof signature === 'string' ? signature : undefined
    await receivePlatformEvent(deps, inbox, oaId, body, given).catch(async (error: unknown) => {
      if (error instanceof Unauthorized) await limits.countSignature(request, reply)
      throw error
    })
    return { ok: true }
  })
}
