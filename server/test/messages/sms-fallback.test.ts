import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { settleUnknownMessages } from '../../src/modules/messages/outcome/settle-unknown.ts'
import type { Platform } from '../../src/platform/types.ts'
import { entriesOf, entryTypes, walletOf } from '../support/senders.ts'
import { manage } from '../support/service.ts'
import {
  FEE,
  type Given,
  MONEY,
  PRICE,
  refusedTo,
  sendNamed,
  smsEnded,
  smsService,
  smsTextPath,
  statusOf,
} from '../support/sms.ts'
import { DAY, kinds } from '../support/unknown-messages.ts'

const { running, at, makeFalling, smsOnProvider, roundIn, holds } = await smsService()
const { deps } = running

describe('G-92 an SMS in place of a message that the platform refuses', () => {
  it.each([
    ['has no account', '0911130001'],
    ['blocks the account', '0911130002'],
  ])(
    '202, the fee back and the SMS held; it arrives and is charged at its price: %s',
    async (_name, phone) => {
      const sender = await makeFalling()
      const id = await refusedTo(sender, phone)
      expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - PRICE, held: PRICE })
      expect(await statusOf(sender, id)).toEqual(['SENDING', null])
      await holds(sender)
      await roundIn()
      await smsEnded(sender, id)
      expect(await statusOf(sender, id)).toEqual(['RECEIVED', 'sms'])
      expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - PRICE, held: 0 })
      expect(await entriesOf(sender.shop)).toEqual([
        ['top_up', MONEY],
        ['hold', -FEE],
        ['release', FEE],
        ['sms_hold', -PRICE],
        ['sms_capture', 0],
      ])
      const [sms] = await smsOnProvider(id)
      expect(sms).toMatchObject({
        content: 'Xin chào Trần Bình, đơn của bạn đã giao',
        brandname: 'CUAHANG',
        isUnicode: true,
      })
      expect((await kinds(sender, id)).slice(0, 4)).toEqual([
        'accepted',
        'rejected',
        'sms_queued',
        'sms_sent',
      ])
      const history = (await sender.shop.get('/api/external/notify-message/history')).body.histories
      expect(history).toMatchObject([{ _id: id, status: 'RECEIVED', reason: '', sessionId: sms!.SMSID }])
      expect(history[0]).not.toHaveProperty('deliveredBy')
      const file = await sender.shop.get('/api/external/notify-message/history/export')
      expect(parse(file.body, { bom: true, columns: true })).toMatchObject([{ id, charged: String(PRICE) }])
      const month = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 7)
      const charges = await manage(running, 'GET', `/shops/${sender.shop.shopId}/charges?month=${month}`)
      expect(charges.body.data).toMatchObject([{ messageId: id, charged: 0, smsCharged: PRICE }])
      await holds(sender)
    },
  )

  it('a longer text costs each of its parts', async () => {
    const sender = await makeFalling()
    const text = `${'ệ'.repeat(70)} <customer_name>`
    await sender.shop.put(smsTextPath(sender), { text })
    await refusedTo(sender, '0911140001')
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - 2 * PRICE, held: 2 * PRICE })
    await holds(sender)
  })

  it.each<[string, Given, number?]>([
    ['the template has no text', { hasText: false }],
    ['the shop has no sender', { hasSender: false }],
    ['the balance is below its price', { money: PRICE - 1 }],
  ])('400 and nothing charged when %s', async (_name, given) => {
    const sender = await makeFalling(given)
    const answer = await sendNamed(sender, '0911150001')
    expect([answer.status, answer.body.code]).toEqual([400, 'PLATFORM_REFUSED'])
    expect(await walletOf(sender.shop)).toEqual({ balance: given.money ?? MONEY, held: 0 })
    await holds(sender)
  })

  it('400 for a refusal of another kind, and for a recipient who has withdrawn from messages of this tag', async () => {
    const sender = await makeFalling({ tag: '2' })
    const night = await sendNamed(sender, '0911160009')
    expect([night.status, night.body.code]).toEqual([400, 'PLATFORM_REFUSED'])
    const said = { phone: '0911160001', status: 'withdrawn', source: 'quầy' }
    expect((await sender.shop.post('/api/external/v1/consents', said)).status).toBe(201)
    expect((await sendNamed(sender, '0911160001')).status).toBe(400)
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release', 'hold', 'release'])
  })

  it('202 UNKNOWN and no SMS after an unknown outcome, also when the second attempt is refused', async () => {
    const sender = await makeFalling()
    const answer = await sendNamed(sender, '0911170006')
    expect([answer.status, answer.body.data.status]).toEqual([202, 'UNKNOWN'])
    const id = answer.body.data.message_id
    const refusing: Partial<Platform> = {
      sendToPhone: async () => ({
        kind: 'rejected',
        code: -118,
        class: 'recipient',
        message: 'no',
        unreachable: 'NO_ACCOUNT',
        raw: {},
      }),
    }
    const config = { ...deps.config, unknown: { ...deps.config.unknown, policy: 'resend-once' as const } }
    await settleUnknownMessages(at(DAY + 60, { config, platform: { ...deps.platform, ...refusing } }))
    expect(await statusOf(sender, id)).toEqual(['ERROR', null])
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release'])
    expect(await smsOnProvider(id)).toEqual([])
  })

  it('nothing is sent for a suspended shop until it is resumed', async () => {
    const sender = await makeFalling()
    const id = await refusedTo(sender, '0911180001')
    await sql`update shops set suspended_at = now() where id = ${sender.shop.shopId}`.execute(deps.db)
    await roundIn()
    expect(await smsOnProvider(id)).toEqual([])
    await sql`update shops set suspended_at = null where id = ${sender.shop.shopId}`.execute(deps.db)
    await roundIn()
    expect(await smsOnProvider(id)).toHaveLength(1)
  })
})
