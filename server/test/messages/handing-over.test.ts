import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { recoverMessages } from '../../src/modules/messages/outcome/recover-messages.ts'
import { settleMessage } from '../../src/modules/messages/outcome/settle-message.ts'
import { applyReceipt } from '../../src/modules/messages/receipts/receive-receipt.ts'
import type { SendRequest } from '../../src/modules/messages/rules.ts'
import { acceptMessage, transmitMessage } from '../../src/modules/messages/send/send-message.ts'
import { checkInvariants } from '../support/invariants.ts'
import { entryTypes, makeSender, receipt, rowsOf, type Sender, sendTo, walletOf } from '../support/senders.ts'
import { unusedId } from '../support/service.ts'
import { VALUES } from '../support/templates.ts'
import { deafService } from '../support/unknown-messages.ts'

/** A send as the routes make it: accepted, then handed over. */
async function sendMessage(deps: Deps, shopId: string, request: SendRequest) {
  return transmitMessage(deps, shopId, await acceptMessage(deps, shopId, request))
}

const running = await deafService()
const { deps } = running

describe('G-26 two settlers never both settle', () => {
  it('a platform’s no that comes after a receipt gives no money back', async () => {
    const sender = await makeSender(running)
    const trackingId = (await sendTo(sender, '0901230006')).body.data.message_id
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId, msgId: '1' }))
    const template = {
      ...sender.template,
      version: 0,
      status: 'ENABLE',
      isOaLinked: true,
      params: [],
      pricePhone: 200,
      priceUid: 55,
    }
    const message = {
      id: trackingId,
      template,
      channel: 'phone' as const,
      phone: '84901230006',
      userUid: '',
      params: {},
      platformTemplateId: template.platformTemplateId,
      isSample: false,
      fee: 200,
      holdEntryId: unusedId(),
      leaseUntil: new Date(),
      senderId: null,
      now: new Date(),
      accessToken: null,
    }
    const no = { kind: 'rejected', code: -118, class: 'recipient', message: 'no', raw: {} } as const
    // Not 'unknown', which would mean that only the schema's constraints stood in the way.
    expect((await settleMessage(deps, sender.shop.shopId, message, no)).kind).toBe('refused')
    const yes = { kind: 'ok', data: { msgId: '2' }, raw: {} } as const
    expect((await settleMessage(deps, sender.shop.shopId, message, yes)).kind).toBe('received')
    expect(await rowsOf(running, sender.shop)).toMatchObject([{ state: 'RECEIVED', session_id: '1' }])
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'capture'])
  })

  it('whatever the platform writes is stored: NUL, unpaired surrogates, 100 kB of text', async () => {
    for (const text of ['a\0b', 'a\ud800b', 'x'.repeat(100_000)]) {
      const sender = await makeSender(running)
      const platform = {
        ...deps.platform,
        sendToPhone: async () =>
          ({ kind: 'rejected', code: -9999, class: 'other', message: text, raw: { text } }) as const,
      }
      const { shopId } = sender.shop
      const result = await sendMessage({ ...deps, platform }, shopId, {
        templateId: sender.template.id,
        channel: 'phone',
        phone: '84901234567',
        userUid: '',
        isSample: false,
        params: VALUES,
        paramsPath: ['params'],
      })
      expect(result.kind).toBe('refused')
      expect(await rowsOf(running, sender.shop)).toMatchObject([{ state: 'ERROR', error_code: '-9999' }])
      expect(await walletOf(sender.shop)).toEqual({ balance: 10_000, held: 0 })
    }
  })
})

describe('design “budget of database round trips”', () => {
  it('a send takes two statements beside the platform’s call, three the first time', async () => {
    const sender = await makeSender(running)
    let statements = 0
    const db = deps.db.withPlugin({
      transformQuery({ node }) {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const counts: number[] = []
    for (const phone of ['84901234567', '84901234568', '84901230001']) {
      statements = 0
      await sendMessage({ ...deps, db }, sender.shop.shopId, {
        templateId: sender.template.id,
        channel: 'phone',
        phone,
        userUid: '',
        isSample: false,
        params: VALUES,
        paramsPath: ['params'],
      })
      counts.push(statements)
    }
    expect(counts).toEqual([3, 2, 2])
  })
})

describe('design “Sending”: a process that dies on the way', () => {
  /** The process dies in the platform's call: nothing of the send runs on. */
  async function dieWhileSending(sender: Sender): Promise<void> {
    let isCalled = () => {}
    const called = new Promise<void>((resolve) => {
      isCalled = resolve
    })
    const platform = {
      ...deps.platform,
      sendToPhone: () => {
        isCalled()
        return new Promise<never>(() => {})
      },
    }
    void sendMessage({ ...deps, platform }, sender.shop.shopId, {
      templateId: sender.template.id,
      channel: 'phone',
      phone: '84901234567',
      userUid: '',
      isSample: false,
      params: VALUES,
      paramsPath: ['params'],
    })
    await called
  }

  const inSeconds = (seconds: number) => ({
    ...deps,
    clock: { now: () => new Date(Date.now() + seconds * 1000) },
  })

  it('the message stays in SENDING under its lease, then recovery makes it UNKNOWN and keeps the hold', async () => {
    const sender = await makeSender(running)
    await dieWhileSending(sender)
    await recoverMessages(inSeconds(110))
    expect(await rowsOf(running, sender.shop)).toMatchObject([{ state: 'SENDING' }])
    expect(await recoverMessages(inSeconds(121))).toBeGreaterThanOrEqual(1)
    const [row] = await rowsOf(running, sender.shop)
    expect(row).toMatchObject({
      state: 'UNKNOWN',
      lease_until: null,
      unknown_cause: expect.stringContaining('process died'),
    })
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_800, held: 200 })
    expect(await recoverMessages(inSeconds(240))).toBe(0)
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: row!.id, msgId: '7' }))
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_800, held: 0 })
    await checkInvariants(deps.db)
  })
})
