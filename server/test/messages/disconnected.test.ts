import { describe, expect, it, onTestFinished } from 'vitest'
import { settleOutcome } from '../../src/modules/messages/outcome/settle-outcomes.ts'
import { callPlatformWithRetries } from '../../src/modules/messages/send/call-platform.ts'
import { acceptMessage } from '../../src/modules/messages/send/send-message.ts'
import type { Platform } from '../../src/platform/types.ts'
import {
  BATCHES,
  type BatchShop,
  batchTo,
  makeBatchShop,
  messageRows,
  PLAIN_VALUES,
  phones,
  readBatch,
  whenBatchDone,
} from '../support/batches.ts'
import { checkInvariants } from '../support/invariants.ts'
import { eventually, manage, separateService } from '../support/service.ts'
import { control, messagesOnPlatform } from '../support/templates.ts'

const running = await separateService(
  { platformRatePerMinute: 0 },
  {
    timings: {
      breakerFirstPauseMs: 300,
      breakerLongestPauseMs: 300,
      deferFirstMs: 100,
      deferLongestMs: 300,
      tokenRefusedMs: 1,
    },
  },
)
await control(running, '/settings', { hangMs: 200 })
const SEND = '/api/external/notify-message/send'
const WALLET = '/api/external/wallet'
const RENEWAL = '/v4/oa/access_token'

/** A shop whose account's access token has just expired; `refreshToken` is the one that it can be renewed with. */
async function makeExpired(refreshToken?: string): Promise<BatchShop> {
  const sender = await makeBatchShop(running)
  await connect(sender, refreshToken)
  await control(running, '/tokens/expire', { oaId: sender.template.oaId })
  return sender
}

async function connect(
  { shop, template: { oaId } }: BatchShop,
  refreshToken = `simr:${oaId}`,
): Promise<void> {
  const path = `/shops/${shop.shopId}/official-accounts`
  const tokens = { accessToken: `sim:${oaId}`, refreshToken }
  const made = await manage(running, 'POST', path, {
    oaId,
    name: 'OA',
    appId: 'app',
    secretKey: 's',
    ...tokens,
  })
  expect(made.status).toBe(201)
}

async function post({ shop }: BatchShop, body: unknown): Promise<string> {
  const made = await shop.post(BATCHES, body)
  expect(made.status).toBe(202)
  return made.body.data.id
}

const single = ({ shop, template }: BatchShop, headers = {}) =>
  shop.post(SEND, { templateId: template.id, receiverPhone: '0912345670', params: PLAIN_VALUES }, headers)

describe.each(['5xx', 'reset', 'hang'])('G-27 the renewal of the access token fails (%s)', (kind) => {
  it('no message of a batch is lost or repeated: it waits and goes on, and its fees are charged once', async () => {
    const sender = await makeExpired()
    await control(running, '/faults', [{ kind, endpoint: RENEWAL }])
    const id = await post(sender, batchTo(sender, phones(60)))
    await eventually(async () =>
      (await messageRows(running, sender.shop.shopId)).some((row) => row.waiting_reason),
    )
    expect((await readBatch(sender, id)).progress).toMatchObject({ received: 0, error: 0, unknown: 0 })
    await control(running, '/faults', [])
    expect((await whenBatchDone(sender, id)).progress).toMatchObject({ received: 60, error: 0 })
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(60)
    expect((await sender.shop.get(WALLET)).body).toEqual({ balance: 1_000_000 - 60 * 200, held: 0 })
    await checkInvariants(running.deps.db, sender.shop.shopId)
  })

  it('503 with Retry-After for a single message: nothing is charged, and its key is free', async () => {
    const sender = await makeExpired()
    await control(running, '/faults', [{ kind, endpoint: RENEWAL }])
    const key = { 'idempotency-key': `key-of-${sender.shop.shopId}` }
    const refused = await single(sender, key)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.any(String)])
    expect((await sender.shop.get(WALLET)).body).toEqual({ balance: 1_000_000, held: 0 })
    await control(running, '/faults', [])
    expect((await single(sender, key)).status).toBe(200)
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(1)
  })
})

describe('G-24 a call that took as long as a time-out', () => {
  it.each([
    ['is not repeated, although it was surely not sent', 1, 1],
    ['is repeated twice if it was quicker', 3, 60_000],
  ])('%s', async (_claim, wanted, platformTimeoutMs) => {
    const sender = await makeExpired()
    await control(running, '/faults', [{ kind: '5xx', endpoint: RENEWAL }])
    onTestFinished(() => control(running, '/faults', []))
    const { deps } = running
    const message = await acceptMessage(deps, sender.shop.shopId, {
      templateId: sender.template.id,
      channel: 'phone',
      phone: '84912345670',
      userUid: '',
      isSample: false,
      params: PLAIN_VALUES,
      paramsPath: ['params'],
    })
    let calls = 0
    const sendToPhone: Platform['sendToPhone'] = (...call) => {
      calls += 1
      return deps.platform.sendToPhone(...call)
    }
    const own = {
      ...deps,
      platform: { ...deps.platform, sendToPhone },
      timings: { ...deps.timings, platformTimeoutMs },
    }
    const outcome = await callPlatformWithRetries(own, sender.shop.shopId, message)
    expect([outcome.kind, calls]).toEqual(['unknown', wanted])
    await settleOutcome(deps, sender.shop.shopId, { message, outcome })
  })
})

describe('G-27 the platform refuses to renew the access token', () => {
  it('the batch waits with ACCOUNT_DISCONNECTED, and goes on as soon as the account is connected again', async () => {
    const sender = await makeExpired('unknown')
    const id = await post(sender, batchTo(sender, phones(60)))
    const waiting = await eventually(async () => {
      const batch = await readBatch(sender, id)
      return batch.waiting?.reason === 'ACCOUNT_DISCONNECTED' && batch.progress.sending === 0 && batch
    }, 10_000)
    expect(waiting.progress).toMatchObject({ queued: 60, error: 0 })
    expect(Date.parse(waiting.waiting.resumesAt)).toBeGreaterThan(Date.now() + 9 * 60_000)
    expect((await sender.shop.get(WALLET)).body.held).toBe(60 * 200)
    expect((await single(sender)).body.code).toBe('PLATFORM_REFUSED')
    await connect(sender)
    expect((await whenBatchDone(sender, id)).progress).toMatchObject({ received: 60, error: 0 })
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(60)
    await checkInvariants(running.deps.db, sender.shop.shopId)
  })

  it('a batch whose every message was tried goes on at once too', async () => {
    const sender = await makeExpired('unknown')
    const id = await post(sender, batchTo(sender, phones(1)))
    await eventually(async () => (await readBatch(sender, id)).waiting?.reason === 'ACCOUNT_DISCONNECTED')
    await connect(sender)
    expect((await whenBatchDone(sender, id)).progress).toMatchObject({ received: 1 })
  })

  it('one message finds out whether the account works again; while it does not, no attempt is counted', async () => {
    const sender = await makeExpired('unknown')
    const id = await post(sender, batchTo(sender, phones(40)))
    const whenWaiting = (after: string) =>
      eventually(async () => {
        const { waiting, progress } = await readBatch(sender, id)
        const isNew = waiting?.reason === 'ACCOUNT_DISCONNECTED' && waiting.resumesAt > after
        return isNew && progress.sending === 0 && waiting.resumesAt
      })
    const tried = async () =>
      (await messageRows(running, sender.shop.shopId)).filter((row) => row.waiting_reason !== null)
    const resumesAt = await whenWaiting('')
    const triedAtOnce = (await tried()).length
    await connect(sender, 'unknown too')
    await whenWaiting(resumesAt)
    expect((await tried()).length).toBeLessThanOrEqual(triedAtOnce + 1)
    expect(new Set((await tried()).map((row) => row.put_offs))).toEqual(new Set([0]))
    expect((await readBatch(sender, id)).progress).toMatchObject({ queued: 40, error: 0 })
  })
})
