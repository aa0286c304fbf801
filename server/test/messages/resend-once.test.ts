import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { mayResend } from '../../src/modules/messages/outcome/settle-unknown.ts'
import type { Platform, TemplateParam } from '../../src/platform/types.ts'
import { countRows, loseAnswer, SEND, withKey } from '../support/idempotency.ts'
import { checkInvariants } from '../support/invariants.ts'
import { applyReceipt, receipt, walletOf } from '../support/senders.ts'
import { control, messagesOnPlatform } from '../support/templates.ts'
import {
  DAY,
  deafService,
  kinds,
  makeNamer,
  NAME,
  readMessage,
  sent,
  setPolicy,
  settleIn,
} from '../support/unknown-messages.ts'

const running = await deafService()
const { deps } = running

const OTP: TemplateParam = { key: 'otp', label: 'Mã', techSetting: '12', maxLength: 10, sampleValue: '1' }

describe('G-24 UNKNOWN_POLICY=resend-once', () => {
  it('a message by phone is handed over once more; accepted then, it is RECEIVED and paid once', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901230007')
    await settleIn(running, 2 * DAY, 'resend-once')
    expect(await readMessage(sender, id)).toMatchObject({ status: 'RECEIVED', late: false })
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'resent', 'sent'])
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_800, held: 0 })
    expect(await messagesOnPlatform(running, sender.template.oaId)).toMatchObject([{ tracking_id: id }])
  })

  it('unknown again: no third attempt, released after its time has passed once more; a receipt is late then', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901230005')
    await settleIn(running, 2 * DAY, 'resend-once')
    expect((await readMessage(sender, id)).status).toBe('UNKNOWN')
    await settleIn(running, 2 * DAY + 600, 'resend-once')
    expect((await readMessage(sender, id)).status).toBe('UNKNOWN')
    await settleIn(running, 4 * DAY, 'resend-once')
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'resent', 'unknown', 'released'])
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(2)
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '8' }))
    expect(await readMessage(sender, id)).toMatchObject({ status: 'RECEIVED', late: true })
    await checkInvariants(deps.db)
  })

  it('refused the second time: ERROR with that reason; the first may still arrive', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901230006')
    await control(running, `/templates/${sender.template.platformTemplateId}/status`, { status: 'DISABLE' })
    await settleIn(running, 2 * DAY, 'resend-once')
    const record = await readMessage(sender, id)
    expect(record.status).toBe('ERROR')
    expect(JSON.parse(record.reason).code).toBe(-146)
    expect(record.events.at(-1)).toMatchObject({ kind: 'rejected', code: '-146', attempt: 2 })
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '9' }))
    expect(await readMessage(sender, id)).toMatchObject({ status: 'RECEIVED', late: true, reason: '' })
    await checkInvariants(deps.db)
  })

  it('refused the second time, a request whose response was lost is not sent again when it is repeated (G-10)', async () => {
    const sender = await makeNamer(running)
    const key = randomUUID()
    const body = {
      templateId: sender.template.id,
      receiverPhone: '0901230006',
      params: { customer_name: 'Trần Bình' },
    }
    const send = () => sender.shop.post(SEND, body, withKey(key))
    const id = (await send()).body.data.message_id
    await control(running, `/templates/${sender.template.platformTemplateId}/status`, { status: 'DISABLE' })
    await settleIn(running, 2 * DAY, 'resend-once')
    await control(running, `/templates/${sender.template.platformTemplateId}/status`, { status: 'ENABLE' })
    await loseAnswer(deps.db, sender.shop.shopId, key)
    for (let n = 0; n < 2; n++) {
      expect(await send()).toMatchObject({ status: 202, body: { data: { message_id: id } } })
    }
    expect(await countRows(deps.db, 'messages', sender.shop)).toBe(1)
  })

  it('a shop’s own policy takes precedence over the service’s, either way', async () => {
    const [resending, releasing] = [await makeNamer(running), await makeNamer(running)]
    await setPolicy(running, resending, 'resend-once')
    await setPolicy(running, releasing, 'release')
    const resent = await sent(resending, '0901230007')
    await settleIn(running, 2 * DAY, 'release')
    expect(await kinds(resending, resent)).toEqual(['accepted', 'unknown', 'resent', 'sent'])
    const released = await sent(releasing, '0901230007')
    await settleIn(running, 2 * DAY, 'resend-once')
    expect(await kinds(releasing, released)).toEqual(['accepted', 'unknown', 'released'])
  })

  it('two processes at once hand it over once', async () => {
    const sender = await makeNamer(running)
    for (let n = 0; n < 8; n++) await sent(sender, '0901230007')
    await Promise.all([settleIn(running, 2 * DAY, 'resend-once'), settleIn(running, 2 * DAY, 'resend-once')])
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(8)
  })

  it('accepted while the database is away: written down once it is there, and paid', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901230006')
    let failures = 0
    const platform: Platform = {
      ...deps.platform,
      sendToPhone: async () => {
        failures = 2
        return { kind: 'ok', data: { msgId: '2' }, raw: {} }
      },
    }
    const db = deps.db.withPlugin({
      transformQuery({ node }) {
        if (failures-- > 0) throw new Error('Connection terminated unexpectedly')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const timings = { ...deps.timings, settlePausesMs: [1, 1, 1] }
    await settleIn(running, 2 * DAY, 'resend-once', { platform, db, timings })
    expect(await readMessage(sender, id)).toMatchObject({ status: 'RECEIVED', sessionId: '2' })
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_800, held: 0 })
  })

  it('accepted after its fee was given back meanwhile: RECEIVED late and charged again', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901230006')
    const platform: Platform = {
      ...deps.platform,
      sendToPhone: async () => {
        await settleIn(running, 4 * DAY)
        expect((await readMessage(sender, id)).status).toBe('ERROR')
        return { kind: 'ok', data: { msgId: '2' }, raw: {} }
      },
    }
    await settleIn(running, 2 * DAY, 'resend-once', { platform })
    expect(await readMessage(sender, id)).toMatchObject({ status: 'RECEIVED', sessionId: '2', late: true })
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'resent', 'released', 'late'])
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_800, held: 0 })
    await checkInvariants(deps.db)
  })

  const base = {
    channel: 'phone' as const,
    is_sample: false,
    resent_at: null,
    is_sendable: true,
    declared: [NAME],
  }
  it.each([
    ['a phone message', {}, true],
    ['a message by UID', { channel: 'uid' as const }, false],
    ['a one-time password', { declared: [NAME, OTP] }, false],
    ['a sample', { is_sample: true }, false],
    ['one resent already', { resent_at: new Date() }, false],
    ['one whose template may no longer be sent', { is_sendable: false }, false],
  ])('%s', (_what, given, expected) => {
    expect(mayResend({ ...base, ...given }, 'resend-once')).toBe(expected)
    expect(mayResend({ ...base, ...given }, 'release')).toBe(false)
  })

  it('a message by UID is released, not repeated', async () => {
    const sender = await makeNamer(running)
    const { shop, template } = sender
    const userUID = `${shop.shopId.slice(0, 20)}0007`
    const body = { templateId: template.id, userUID, templateData: { customer_name: 'An' } }
    const answer = await shop.post('/api/external/chatapp/uid-notify/send-message', body)
    expect(answer.status).toBe(202)
    await settleIn(running, 2 * DAY, 'resend-once')
    expect(await kinds(sender, answer.body.data.message_id)).toEqual(['accepted', 'unknown', 'released'])
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
  })
})
