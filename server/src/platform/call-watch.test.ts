import { expect, it } from 'vitest'
import { createCallWatch, type WatchedCall } from './call-watch.ts'
import type { OaCredentials, Platform } from './types.ts'

it('every listener receives each call, so that each app of a process counts it', async () => {
  const watch = createCallWatch()
  const heard: WatchedCall[][] = [[], []]
  for (const calls of heard) watch.listen((call) => calls.push(call))
  const messageQuota: Platform['messageQuota'] = async () => ({
    kind: 'ok',
    data: { daily: 5, remaining: 3 },
    raw: {},
  })
  await watch.wrap({ messageQuota } as Platform).messageQuota({} as OaCredentials)
  const call = { endpoint: 'messageQuota', outcome: 'ok', seconds: expect.any(Number) }
  expect(heard).toEqual([[call], [call]])
})
