import Fastify, { type FastifyInstance } from 'fastify'
import { Refusal } from './answers.ts'
import { consentRoutes } from './consent.ts'
import { controlRoutes } from './desk/control.ts'
import { refuseForeignPages } from './desk/desk-guard.ts'
import { pageRoutes } from './desk/page.ts'
import { eventSender } from './events.ts'
import { faultHooks } from './faults/faults.ts'
import { messageRoutes } from './messages/messages.ts'
import { oauthRoutes } from './oauth.ts'
import type { SimulatorOptions } from './settings.ts'
import { smsRoutes } from './sms/sms-calls.ts'
import { keepSnapshot } from './snapshot.ts'
import { newState } from './state.ts'
import { mediaRoutes } from './templates/media.ts'
import { startReview, templateRoutes } from './templates/templates.ts'

export type { SimulatorOptions } from './settings.ts'

/**
 * A stand-in messaging platform and a stand-in SMS provider, ready to listen or to inject. One host serves all their
 * host names. State belongs to the instance, so that each test can have its own.
 */
export function buildSimulator(options: SimulatorOptions = {}): FastifyInstance {
  const state = newState(options)
  const events = eventSender(state)
  const saveNow = options.statePath === undefined ? undefined : keepSnapshot(state, options.statePath)

  // A hanging call must not delay closing.
  const app = Fastify({
    logger: options.logger ?? false,
    forceCloseConnections: true,
    bodyLimit: 1024 * 1024,
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body.toString())))
  })

  app.register(async (platform) => {
    faultHooks(platform, state)
    platform.setErrorHandler<Error & { statusCode?: number }>(async (error, req) => {
      if (error instanceof Refusal) return { error: error.code, message: error.message }
      if (error.statusCode !== undefined && error.statusCode < 500) {
        return { error: -122, message: `The request body has the wrong format: ${error.message}` }
      }
      req.log.error(error)
      return { error: -100, message: 'Unknown error' }
    })
    oauthRoutes(platform, state)
    consentRoutes(platform, state)
    mediaRoutes(platform, state)
    templateRoutes(platform, state, events)
    messageRoutes(platform, state, events)
  })
  app.register(async (sms) => {
    faultHooks(sms, state)
    smsRoutes(sms, state)
  })
  app.register(async (desk) => {
    refuseForeignPages(desk, options.host)
    controlRoutes(desk, state, events)
    pageRoutes(desk, state)
  })

  app.addHook('onReady', async () => {
    for (const template of state.templates.values()) {
      if (template.status === 'PENDING_REVIEW') startReview(state, events, template)
    }
  })
  app.addHook('preClose', async () => {
    state.isClosed = true
    events.close()
    saveNow?.()
  })
  return app
}
