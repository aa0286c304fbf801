import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findOldestWaits } from '../../src/modules/operations/checks-sql.ts'
import { findMessageWork } from '../../src/modules/operations/metrics-sql.ts'
import { deleteOldRecords } from '../../src/process/retention/retention.ts'
import { entryTypes, walletOf } from '../support/senders.ts'
import { eventually, manage, type Service } from '../support/service.ts'
import { FEE, MONEY, PRICE, refusedTo, smsEnded, smsService, statusOf } from '../support/sms.ts'
import { control } from '../support/templates.ts'
import { DAY, kinds, readMessage } from '../support/unknown-messages.ts'

const { running, makeFalling, smsOnProvider, roundIn, holds } = await smsService()
const { deps } = running

describe('G-92 what becomes of the SMS', () => {
  it('the provider reports that it failed: its fee comes back, and the message ends for its first reason', async () => {
    const sender = await makeFalling()
    const id = await refusedTo(sender, '0911910001')
    await roundIn()
    await smsEnded(sender, id)
    expect(await statusOf(sender, id)).toEqual(['ERROR', null])
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY, held: 0 })
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release', 'sms_hold', 'sms_release'])
    expect(JSON.parse((await readMessage(sender, id)).reason)).toMatchObject({ code: -118 })
    await holds(sender)
  })

  it('refused permanently: released at once; without money at the provider: deferred and sent later', async () => {
    const sender = await makeFalling()
    const refused = await refusedTo(sender, '0911900001')
    await roundIn()
    expect(await statusOf(sender, refused)).toEqual(['ERROR', null])
    await control(running, '/settings', { smsRefusals: { code: 103, times: 1 } })
    const late = await refusedTo(sender, '0911110001')
    await roundIn()
    expect([await statusOf(sender, late), await smsOnProvider(late)]).toEqual([['SENDING', null], []])
    await roundIn(10)
    expect(await smsOnProvider(late)).toEqual([])
    await roundIn(31)
    expect(await smsOnProvider(late)).toHaveLength(1)
    await smsEnded(sender, late)
    expect(await statusOf(sender, late)).toEqual(['RECEIVED', 'sms'])
    await holds(sender)
  })

  it('a lost answer: asked for by sending under the same id, and sent once; the report settles it once', async () => {
    const sender = await makeFalling()
    // After the time-out of our call.
    await control(running, '/settings', { smsCallbackMs: 700 })
    const id = await refusedTo(sender, '0911920001')
    await roundIn()
    expect(await smsOnProvider(id)).toHaveLength(1)
    expect(await kinds(sender, id)).toContain('sms_unknown')
    await smsEnded(sender, id)
    await roundIn(31)
    expect(await smsOnProvider(id)).toHaveLength(1)
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release', 'sms_hold', 'sms_capture'])

    await control(running, '/settings', { smsCallbackMs: 20 })
    const lost = await refusedTo(sender, '0911930001')
    await roundIn()
    expect(await smsOnProvider(lost)).toEqual([])
    await roundIn(31)
    expect(await smsOnProvider(lost)).toHaveLength(1)
    await smsEnded(sender, lost)
    expect(await statusOf(sender, lost)).toEqual(['RECEIVED', 'sms'])
    await holds(sender)
  })

  it('a lost answer, and other keys since: not sent again, as another account would not know it; the fee comes back after a day', async () => {
    const sender = await makeFalling()
    const path = `/shops/${sender.shop.shopId}/sms`
    const ofOthers = { brandname: 'CUAHANG', price: PRICE, apiKey: 'another-account', secretKey: 'secret' }
    const id = await refusedTo(sender, '0911920001')
    await control(running, '/settings', { smsCallbackMs: 86_400_000 })
    await roundIn()
    expect((await manage(running, 'PUT', path, ofOthers)).status).toBe(200)
    await roundIn(31)
    await roundIn(3_600)
    expect(await smsOnProvider(id)).toHaveLength(1)
    await roundIn(DAY + 7_201)
    await control(running, '/settings', { smsCallbackMs: 20 })
    expect(await smsOnProvider(id)).toHaveLength(1)
    expect(await statusOf(sender, id)).toEqual(['ERROR', null])
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY, held: 0 })
    await holds(sender)
  })

  it('new keys while an SMS is under way: its report at the former address counts, also once there is no sender; nothing else does', async () => {
    const sender = await makeFalling()
    const { shopId } = sender.shop
    const path = `/shops/${shopId}/sms`
    const get = async (address: string, id: string) =>
      (
        await running.app.inject({
          url: `${address}?SMSID=x&RequestId=${id}&SendStatus=5&SendSuccess=1&SendFailed=0`,
        })
      ).statusCode
    await control(running, '/settings', { smsCallbackMs: 86_400_000 })
    const handOver = async (phone: string) => {
      const id = await refusedTo(sender, phone)
      await roundIn()
      return { id, address: new URL(String((await smsOnProvider(id))[0]!.callbackUrl)).pathname }
    }
    const before = [await handOver('0911110001'), await handOver('0911120001')]
    const others = { brandname: 'CUAHANG', price: PRICE, apiKey: 'another-account', secretKey: 'secret' }
    expect((await manage(running, 'PUT', path, others)).status).toBe(200)
    const since = await handOver('0911130001')
    expect(since.address).not.toBe(before[0]!.address)

    // Each address is valid only for what was handed over with it.
    expect(await get(before[0]!.address, since.id)).toBe(200)
    expect(await get(since.address, before[0]!.id)).toBe(200)
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - 3 * PRICE, held: 3 * PRICE })
    expect(await get(before[0]!.address, before[0]!.id)).toBe(200)
    expect(await statusOf(sender, before[0]!.id)).toEqual(['RECEIVED', 'sms'])

    expect((await manage(running, 'DELETE', path)).status).toBe(200)
    expect(await get(before[1]!.address, before[1]!.id)).toBe(200)
    expect(await get(since.address, since.id)).toBe(200)
    await control(running, '/settings', { smsCallbackMs: 20 })
    for (const { id } of [before[1]!, since]) expect(await statusOf(sender, id)).toEqual(['RECEIVED', 'sms'])
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - 3 * PRICE, held: 0 })
    await holds(sender)

    const in47Hours = { ...deps, clock: { now: () => new Date(deps.clock.now().getTime() + 47 * 3_600_000) } }
    await deleteOldRecords(in47Hours, 'keys of former SMS senders')
    expect(await get(before[0]!.address, before[0]!.id)).toBe(200)
    const in49Hours = { ...deps, clock: { now: () => new Date(deps.clock.now().getTime() + 49 * 3_600_000) } }
    await deleteOldRecords(in49Hours, 'keys of former SMS senders')
    expect(await get(before[0]!.address, before[0]!.id)).toBe(401)
  })

  it('one without a report is asked about with the keys that it was handed over with', async () => {
    const sender = await makeFalling()
    const path = `/shops/${sender.shop.shopId}/sms`
    const others = { brandname: 'CUAHANG', price: PRICE, apiKey: 'another-account', secretKey: 'secret' }
    for (const [phone, change] of [
      ['0911940001', () => manage(running, 'PUT', path, others)],
      ['0912940001', () => manage(running, 'DELETE', path)],
    ] as const) {
      const id = await refusedTo(sender, phone)
      await roundIn()
      await eventually(async () => (await smsOnProvider(id))[0]?.isSuccess === true)
      expect((await change()).status).toBe(200)
      await roundIn(61)
      expect(await statusOf(sender, id)).toEqual(['RECEIVED', 'sms'])
    }
    await holds(sender)
  })

  it('one that waits to be sent goes out with the keys that the shop has by then', async () => {
    const sender = await makeFalling()
    const path = `/shops/${sender.shop.shopId}/sms`
    await control(running, '/settings', { smsRefusals: { code: 103, times: 1 } })
    const id = await refusedTo(sender, '0911110001')
    await roundIn()
    const renewed = { brandname: 'CUAHANG', price: PRICE, apiKey: 'another-account', secretKey: 'secret' }
    expect((await manage(running, 'PUT', path, renewed)).status).toBe(200)
    await roundIn(31)
    expect(await smsOnProvider(id)).toHaveLength(1)
    await smsEnded(sender, id)
    expect(await statusOf(sender, id)).toEqual(['RECEIVED', 'sms'])
    await holds(sender)
  })

  it('one without a report is asked about; one still unknown after a day is not charged', async () => {
    const sender = await makeFalling()
    const asked = await refusedTo(sender, '0911940001')
    await roundIn()
    await eventually(async () => (await smsOnProvider(asked))[0]?.isSuccess === true)
    expect(await statusOf(sender, asked)).toEqual(['SENDING', null])
    await roundIn(61)
    expect(await statusOf(sender, asked)).toEqual(['RECEIVED', 'sms'])

    await control(running, '/settings', { smsCallbackMs: 86_400_000 })
    const silentOne = await refusedTo(sender, '0911110001')
    await roundIn()
    await roundIn(61)
    await roundIn(DAY - 60)
    expect(await statusOf(sender, silentOne)).toEqual(['SENDING', null])
    await roundIn(DAY + 7_201)
    await control(running, '/settings', { smsCallbackMs: 20 })
    expect(await statusOf(sender, silentOne)).toEqual(['ERROR', null])
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - PRICE, held: 0 })
    await holds(sender)
  })

  it('reported twice, and before the call is answered: captured once', async () => {
    const sender = await makeFalling()
    const ids = [await refusedTo(sender, '0911950001'), await refusedTo(sender, '0911960001')]
    await Promise.all([roundIn(), roundIn(), roundIn()])
    for (const id of ids) {
      await smsEnded(sender, id)
      expect(await statusOf(sender, id)).toEqual(['RECEIVED', 'sms'])
      const [sms, ...others] = await smsOnProvider(id)
      expect(others).toEqual([])
      const { pathname } = new URL(String(sms!.callbackUrl))
      const report = `SMSID=${sms!.SMSID}&RequestId=${id}&SendStatus=5&SendSuccess=1&SendFailed=0`
      expect((await running.app.inject({ url: `${pathname}?${report}` })).statusCode).toBe(200)
    }
    expect(await walletOf(sender.shop)).toEqual({ balance: MONEY - 2 * PRICE, held: 0 })
    await holds(sender)
  })

  it('one that waits is counted, and the operator’s checks know for how long it has been due', async () => {
    const before = await findMessageWork(deps.db, 100)
    await refusedTo(await makeFalling(), '0911110001')
    expect((await findMessageWork(deps.db, 100)).sms).toBe(before.sms + 1)
    expect((await findOldestWaits(deps.db)).sms).toEqual(expect.any(Number))
  })

  it('a sender that is removed meanwhile: it ends unsent', async () => {
    const sender = await makeFalling()
    const id = await refusedTo(sender, '0911110001')
    expect((await manage(running, 'DELETE', `/shops/${sender.shop.shopId}/sms`)).status).toBe(200)
    await roundIn()
    expect([await statusOf(sender, id), await walletOf(sender.shop)]).toEqual([
      ['ERROR', null],
      { balance: MONEY, held: 0 },
    ])
    await holds(sender)
  })

  it('401 for a report at an address that no sender gave, and one of another shop’s message changes nothing', async () => {
    const [one, other] = [await makeFalling(), await makeFalling()]
    const id = await refusedTo(one, '0911940001')
    await roundIn()
    const [sms] = await smsOnProvider(id)
    const report = `SMSID=${sms!.SMSID}&RequestId=${id}&SendStatus=5&SendSuccess=1&SendFailed=0`
    const get = async (path: string) =>
      (await running.app.inject({ url: `/hooks/sms/${path}?${report}` })).statusCode
    const shopId = one.shop.shopId
    expect(await get(`${shopId}/key`)).toBe(401)
    expect(await get('nobody/key')).toBe(401)
    const own = new URL(String(sms!.callbackUrl)).pathname.replace('/hooks/sms/', '')
    const key = own.split('/')[1]!
    expect(await get(`${other.shop.shopId}/${key}`)).toBe(401)
    expect(await statusOf(one, id)).toEqual(['SENDING', null])
    expect(await get(own)).toBe(200)
    expect(await statusOf(one, id)).toEqual(['RECEIVED', 'sms'])
    expect(await get(own)).toBe(200)
    await holds(one)
  })
})

describe('G-92 the schema itself refuses', () => {
  const entry = (service: Service, shopId: string, messageId: string, type: string, change: number) =>
    sql`
    insert into wallet_entries
      (shop_id, id, type, amount, held_change, balance_after, held_after, owed, message_id, created_at)
    values (${shopId}, ${service.deps.ids.next()}, ${type}, ${type === 'sms_hold' || type === 'late_capture' ? -change : type === 'sms_capture' ? 0 : change},
      ${type === 'sms_hold' ? change : type === 'late_capture' ? 0 : -change}, 0, 0, 0, ${messageId}, now())`.execute(
      service.deps.db,
    )

  it('a second hold, a second end, an end of another kind, a late charge beside the SMS, and a change of one that ended', async () => {
    const sender = await makeFalling()
    const { shopId } = sender.shop
    const id = await refusedTo(sender, '0911110001')
    await expect(entry(running, shopId, id, 'sms_hold', PRICE)).rejects.toThrow(/SMS of its message/)
    await expect(entry(running, shopId, id, 'sms_capture', PRICE)).rejects.toThrow(/SMS of its message/)
    await roundIn()
    await smsEnded(sender, id)
    await expect(entry(running, shopId, id, 'sms_capture', PRICE)).rejects.toThrow(/SMS of its message/)
    await expect(entry(running, shopId, id, 'sms_release', PRICE)).rejects.toThrow(/SMS of its message/)
    await expect(entry(running, shopId, id, 'late_capture', FEE)).rejects.toThrow(/SMS of its message/)
    const reopened = sql`
      update message_fallbacks set outcome = 'FAILED' where shop_id = ${shopId} and message_id = ${id}`
    await expect(reopened.execute(deps.db)).rejects.toThrow()
    await holds(sender)
  })
})
