import { pino } from 'pino'
import { openPostgres } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { memoryLimiters } from '../../http/limits/limiters.ts'
import { createWake } from '../../jobs/wake.ts'
import { createIds } from '../../lib/object-id.ts'
import { scryptHashing } from '../../lib/password-hashing.ts'
import { createSecretBox } from '../../lib/secrets/secret-box.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createBreaker } from '../../platform/breaker.ts'
import { createCallWatch } from '../../platform/call-watch.ts'
import { createHttpPlatform } from '../../platform/chatapp/http-adapter.ts'
import { createConsent } from '../../platform/chatapp/tokens/consent.ts'
import { createPace } from '../../platform/pace.ts'
import { openImageStore } from '../../storage/open-image-store.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'

/**
 * The API document as text, made from the routes alone: nothing is connected, and the parts that would connect are
 * never called.
 */
export async function apiDocumentText(): Promise<string> {
  const nowhere = 'http://127.0.0.1:9'
  const database = openPostgres('postgres://127.0.0.1:9/none')
  const secrets = createSecretBox([Buffer.alloc(32)])
  const config = readConfig({ DEMO: '0' })
  const tokens = { current: async () => '', refresh: async () => undefined }
  const deps: Deps = {
    config,
    operatorTokens: ['none'],
    database,
    db: database.db,
    replica: undefined,
    healthDb: database.db,
    jobs: {
      send: async () => {},
      work: async () => {},
      stopTaking: async () => {},
      deleteOf: async () => 0,
      sizes: async () => [],
      retry: async () => {},
      stop: async () => {},
    },
    inboxWake: createWake(),
    deliveryWake: createWake(),
    platform: createHttpPlatform({
      businessUrl: nowhere,
      openapiUrl: nowhere,
      tokens,
    }),
    tokens,
    esmsUrl: '',
    consent: createConsent({ oauthUrl: nowhere, openapiUrl: nowhere, timeoutMs: 1 }),
    breaker: createBreaker(systemClock),
    callWatch: createCallWatch(),
    pace: createPace({ ratePerMinute: 0, take: async () => 0 }),
    stopping: { isAsked: false },
    simulatorSecret: undefined,
    senderId: null,
    limiters: memoryLimiters(),
    secrets,
    passwords: scryptHashing,
    images: openImageStore(config),
    mailCounts: { sent: 0, failed: 0 },
    webhookCounts: { delivered: 0, retried: 0, failed: 0, disabled: 0 },
    timings: config.timings,
    clock: systemClock,
    ids: createIds(),
    log: pino({ level: 'silent' }),
  }
  const app = await buildApp(deps)
  await app.ready()
  const document = app.swagger()
  await app.close()
  await database.close()
  return `${JSON.stringify(document, null, 2)}\n`
}
