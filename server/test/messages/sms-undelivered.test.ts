import { describe, expect, it } from 'vitest'
import { fallBackFromSilence } from '../../src/modules/messages/fallback/begin-fallback.ts'
import { settleUndeliveredMessages } from '../../src/modules/messages/outcome/settle-undelivered.ts'
import { applyReceipts } from '../../src/modules/messages/receipts/apply-receipts.ts'
import { eraseMessages } from '../../src/modules/people/sql.ts'
import type { Platform } from '../../src/platform/types.ts'
import { onPostgres } from '../support/database.ts'
import { failingTransactions } from '../support/failing-transactions.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { entryTypes, type Sender, walletOf } from '../support/senders.ts'
import {
  FEE,
  type Given,
  MONEY,
  PRICE,
  sendNamed,
  smsEnded,
  smsService,
  statusOf,
  typesOf,
} from '../support/sms.ts'
import { DAY, readMessage } from '../support/unknown-messages.ts'

const { running, at, makeFalling, roundIn, holds } = await smsService()
const { deps } = running

const silent: Partial<Platform> = {
  messageStatus: async () => ({ kind: 'ok', data: { status: 'pushed' }, raw: null }),
}

function settleUndelivered(seconds: number, platform: Partial<Platform> = silent): Promise<number> {
  return settleUndeliveredMessages(at(seconds, { platform: { ...deps.platform, ...platform } }))
}

function receive({ template }: Sender, id: string): Promise<unknown> {
  const receipt = {
    kind: 'receipt' as const,
    trackingId: id,
    msgId: `of-${id}`,
    deliveredAt: deps.clock.now(),
  }
  return deps.db
    .transaction()
    .execute((trx) => applyReceipts(deps, trx, [{ key: id, oaId: template.oaId, receipt }]))
}

describe('G-92 an SMS in place of a message that is not delivered in time', () => {
  /** A message that the platform accepted and did not deliver, with an account that is charged on delivery. */
  async function undelivered(given: Given = {}, phone = '0911110003') {
    const sender = await makeFalling({ chargeOn: 'delivered', ...given })
    const answer = await sendNamed(sender, phone)
    expect([answer.status, answer.body.data.status]).toEqual([200, 'RECEIVED'])
    return { sender, id: answer.body.data.message_id as string }
  }

  it('the platform says so after its time: its fee comes back, the SMS arrives and is charged', async () => {
    const { sender, id } = await undelivered()
    // The template has its own time after its approval is reported; before that it is a day.
    expect(await settleUndelivered(60)).toBe(0)
    expect(await settleUndelivered(DAY + 60)).toBe(1)
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - PRICE, held: PRICE })
    await roundIn(DAY + 60)
    await smsEnded(sender, id)
    expect(await statusOf(sender, id)).toEqual(['RECEIVED', 'sms'])
    const { events } = await readMessage(sender, id)
    expect(events.find((event: { kind: string }) => event.kind === 'released').reason).toBe(
      'The message was not delivered in time. The fee was released',
    )
    expect(await typesOf(sender)).toEqual(['hold', 'release', 'sms_capture', 'sms_hold', 'top_up'])
    await receive(sender, id)
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - PRICE, held: 0 })
    await holds(sender)
  })

  it.each<[string, Partial<Platform>]>([
    [
      'does not know it',
      { messageStatus: async () => ({ kind: 'ok', data: { status: 'unknown' }, raw: null }) },
    ],
    [
      'refuses to say',
      {
        messageStatus: async () => ({
          kind: 'rejected',
          code: -108,
          class: 'payload',
          message: 'no',
          raw: null,
        }),
      },
    ],
  ])('no SMS when the platform %s: nobody knows whether it arrived', async (_name, platform) => {
    const { sender, id } = await undelivered()
    await settleUndelivered(DAY + 60, platform)
    expect(await statusOf(sender, id)).toEqual(['ERROR', null])
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release'])
  })

  it('no SMS with an account that is charged when the platform accepts: that fee is spent', async () => {
    const { sender, id } = await undelivered({ chargeOn: 'accepted' })
    expect(await settleUndelivered(DAY + 60)).toBe(0)
    expect(await statusOf(sender, id)).toEqual(['RECEIVED', 'phone'])
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'capture'])
  })

  it('its receipt comes while the SMS is under way: charged for the SMS if that arrives', async () => {
    const { sender, id } = await undelivered()
    await settleUndelivered(DAY + 60)
    await receive(sender, id)
    await receive(sender, id)
    expect(await statusOf(sender, id)).toEqual(['SENDING', null])
    await roundIn(DAY + 60)
    await smsEnded(sender, id)
    expect(await typesOf(sender)).toEqual(['hold', 'release', 'sms_capture', 'sms_hold', 'top_up'])
    await holds(sender)
  })

  it('and as a late message if the SMS fails: never for both, never for nothing', async () => {
    const { sender, id } = await undelivered({}, '0911910003')
    await settleUndelivered(DAY + 60)
    await receive(sender, id)
    await roundIn(DAY + 60)
    await smsEnded(sender, id)
    expect([await statusOf(sender, id), (await readMessage(sender, id)).late]).toEqual([
      ['RECEIVED', 'phone'],
      true,
    ])
    const types = ['hold', 'late_capture', 'release', 'sms_hold', 'sms_release', 'top_up']
    expect(await typesOf(sender)).toEqual(types)
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - FEE, held: 0 })
    await holds(sender)
  })

  it('no SMS to a person who is erased while it begins: the message is left to end without one', async () => {
    const { sender, id } = await undelivered({}, '0911180003')
    const { shopId } = sender.shop
    const person = { phone: '84911180003', name: '[erased]', limit: 1 }
    const beforeBegin = async () => expect(await eraseMessages(deps.db, shopId, person)).toBe(1)
    const given = { errorCode: 'NOT_DELIVERED', cause: 'no receipt came in time' }
    const db = failingTransactions(deps.db, () => ({ beforeBegin }))
    expect(await fallBackFromSilence({ ...deps, db }, shopId, id, given)).toBe(false)
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - FEE, held: FEE })
    await settleUndelivered(DAY + 60)
    expect([await statusOf(sender, id), await walletOf(sender.shop)]).toEqual([
      ['ERROR', null],
      { balance: MONEY, held: 0 },
    ])
    await holds(sender)
  })

  it('its receipt comes after the SMS has failed: charged as a late message', async () => {
    const { sender, id } = await undelivered({}, '0911910003')
    await settleUndelivered(DAY + 60)
    await roundIn(DAY + 60)
    await smsEnded(sender, id)
    await receive(sender, id)
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - FEE, held: 0 })
    await holds(sender)
  })

  it.runIf(onPostgres)(
    'its receipt meets the beginning of the SMS: it is kept, and charged as late if that fails',
    async () => {
      const { sender, id } = await undelivered({}, '0911910003')
      let receipt: Promise<unknown> | undefined
      const beforeCommit = async () => {
        receipt = receive(sender, id)
        await lockWaits(deps.db, 1)
      }
      const given = { errorCode: 'NOT_DELIVERED', cause: 'no receipt came in time' }
      const db = failingTransactions(deps.db, () => ({ beforeCommit }))
      expect(await fallBackFromSilence({ ...deps, db }, sender.shop.shopId, id, given)).toBe(true)
      await receipt
      await roundIn(DAY + 60)
      await smsEnded(sender, id)
      expect([await statusOf(sender, id), (await readMessage(sender, id)).late]).toEqual([
        ['RECEIVED', 'phone'],
        true,
      ])
      await holds(sender)
    },
  )
})
