import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { recoverMessages } from '../../src/modules/messages/outcome/recover-messages.ts'
import { createGroupSettler, settleOutcome } from '../../src/modules/messages/outcome/settle-outcomes.ts'
import type { MessageUnderWay } from '../../src/modules/messages/outgoing.ts'
import type { SendRequest } from '../../src/modules/messages/rules.ts'
import { acceptMessage, transmitMessage } from '../../src/modules/messages/send/send-message.ts'
import { checkInvariants } from '../support/invariants.ts'
import {
  applyReceipt,
  entryTypes,
  makeSender,
  receipt,
  rowsOf,
  type Sender,
  sendTo,
  walletOf,
} from '../support/senders.ts'
import { unusedId } from '../support/service.ts'
import { VALUES } from '../support/templates.ts'
import { deafService } from '../support/unknown-messages.ts'

/** A send as the routes do it: accepted, then handed over. */
async function sendMessage(deps: Deps, shopId: string, request: SendRequest) {
  return transmitMessage(deps, shopId, await acceptMessage(deps, shopId, request))
}

const running = await deafService()
const { deps } = running

/** Wraps the database to count the statements that run on it. */
function countStatements() {
  let statements = 0
  const db = deps.db.withPlugin({
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const restart = () => {
    statements = 0
  }
  return { db, counted: () => statements, restart }
}

describe('G-26 two settlers never both settle', () => {
  it('a platform’s refusal after a receipt gives no money back', async () => {
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
      account: { provider: 'chatapp', credentials: null },
      hasSmsText: false,
    }
    const no = { kind: 'rejected', code: -118, class: 'recipient', message: 'no', raw: {} } as const
    // Not 'unknown', which would mean that only the schema's constraints prevented it.
    expect((await settleOutcome(deps, sender.shop.shopId, { message, outcome: no })).kind).toBe('refused')
    const yes = { kind: 'ok', data: { msgId: '2' }, raw: {} } as const
    expect((await settleOutcome(deps, sender.shop.shopId, { message, outcome: yes })).kind).toBe('received')
    expect(await rowsOf(running, sender.shop)).toMatchObject([{ state: 'RECEIVED', session_id: '1' }])
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'capture'])
  })

  it('whatever the platform writes is stored: NUL, unpaired surrogates, 100 kB of text', async () => {
    for (const text of ['a\0b', 'a\ud800b', 'x'.repeat(100_000), `${'x'.repeat(1_999)}😀`]) {
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

describe('G-26 a single message is a group of one', () => {
  it('a taken, a refused, an unknown and an overtaken message of a group: an entry each whose balances run on', async () => {
    const sender = await makeSender(running)
    const { shopId } = sender.shop
    const messages: MessageUnderWay[] = []
    for (const phone of ['84901230001', '84901230002', '84901230003', '84901230004']) {
      const recipient = { channel: 'phone' as const, phone, userUid: '', isSample: false }
      const request = { templateId: sender.template.id, ...recipient, params: VALUES, paramsPath: ['params'] }
      messages.push(await acceptMessage(deps, shopId, request))
    }
    const [taken, refused, unknown, overtaken] = messages as [MessageUnderWay, ...MessageUnderWay[]]
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: overtaken!.id, msgId: '4' }))
    const yes = (msgId: string) => ({ kind: 'ok', data: { msgId }, raw: {} }) as const
    const { counted, db } = countStatements()
    const settle = createGroupSettler({ ...deps, db })
    await Promise.all([
      settle(shopId, { message: overtaken!, outcome: yes('4') }),
      settle(shopId, {
        message: refused!,
        outcome: { kind: 'rejected', code: -118, class: 'recipient', message: 'no', raw: {} },
      }),
      settle(shopId, {
        message: unknown!,
        outcome: { kind: 'unknown', cause: 'timeout', surelyNotSent: false },
      }),
      settle(shopId, { message: taken, outcome: yes('1') }),
    ])
    // One statement for the ended messages, one for the unknown one, and one for the response that came after its
    // receipt.
    expect(counted()).toBe(3)
    const rows = await rowsOf(running, sender.shop)
    expect(rows.map(({ state, session_id }) => [state, session_id])).toEqual([
      ['RECEIVED', '1'],
      ['ERROR', ''],
      ['UNKNOWN', ''],
      ['RECEIVED', '4'],
    ])
    expect(rows[3]!.sent_at).toEqual(expect.any(Date))
    const { rows: entries } = await sql`
      select type, message_id, amount, held_change, balance_after, held_after
      from wallet_entries
      where shop_id = ${shopId}
      order by created_at desc, id desc
      limit 3`.execute(deps.db)
    expect(entries).toEqual([
      ...[entry('release', refused!.id, 200, 9_400, 200), entry('capture', taken.id, 0, 9_200, 400)],
      entry('capture', overtaken!.id, 0, 9_200, 600),
    ])
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_400, held: 200 })
    await checkInvariants(deps.db, shopId)
  })

  function entry(type: string, messageId: string, amount: number, balance: number, held: number) {
    const wallet = { balance_after: balance, held_after: held }
    return { type, message_id: messageId, amount, held_change: -200, ...wallet }
  }
})

describe('design “budget of database round trips”', () => {
  it('a send takes two statements beside the platform’s call, three the first time', async () => {
    const sender = await makeSender(running)
    const { counted, db, restart } = countStatements()
    const counts: number[] = []
    for (const phone of ['84901234567', '84901234568', '84901230001']) {
      restart()
      await sendMessage({ ...deps, db }, sender.shop.shopId, {
        templateId: sender.template.id,
        channel: 'phone',
        phone,
        userUid: '',
        isSample: false,
        params: VALUES,
        paramsPath: ['params'],
      })
      counts.push(counted())
    }
    expect(counts).toEqual([3, 2, 2])
  })
})

describe('design “Sending”: a process that dies on the way', () => {
  /** The process dies during the call to the platform: the send does not continue. */
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
