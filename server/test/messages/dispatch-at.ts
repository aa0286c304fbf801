import { createDispatcher } from '../../src/modules/messages/batches/dispatch.ts'
import { createBreaker } from '../../src/platform/breaker.ts'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import { fixedTokens } from '../platform/support.ts'
import type { Service } from '../support/service.ts'
import { control } from '../support/templates.ts'

/** Sends what is due at an instant, with every clock there; the platform's may be `behindMs` behind ours. */
export async function dispatchAt(running: Service, at: Date, behindMs = 0): Promise<void> {
  const { deps, simulatorUrl } = running
  const set = (clock: Date) => control(running, '/settings', { clock: clock.toISOString() })
  await set(new Date(at.getTime() - behindMs))
  const clock = { now: () => at }
  const breaker = createBreaker(clock)
  const urls = { businessUrl: simulatorUrl, openapiUrl: simulatorUrl }
  const platform = breaker.wrap(createHttpPlatform({ ...urls, tokens: fixedTokens, now: clock.now }))
  const dispatcher = createDispatcher({ ...deps, platform, breaker, clock })
  while ((await dispatcher.round()) === 0) await dispatcher.settled()
  await dispatcher.settled()
  await set(new Date())
}
