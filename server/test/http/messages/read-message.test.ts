import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { TemplateParam } from '../../../src/platform/types.ts'
import { makeSender } from '../../support/senders.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'
import { makeNamer, NAME, readMessage, sent } from '../../support/unknown-messages.ts'

const running = await service()
const { deps } = running

const MESSAGES = '/api/external/notify-message/messages'
const OTP: TemplateParam = { key: 'otp', label: 'Mã', techSetting: '12', maxLength: 10, sampleValue: '1' }

describe('G-27 GET …/messages/{id}', () => {
  it('200: the history record in any state with its timeline, OTPs masked', async () => {
    const sender = await makeSender(running, { params: [NAME, OTP] })
    const body = {
      templateId: sender.template.id,
      receiverPhone: '0901230001',
      params: { customer_name: 'Trần Bình', otp: '246810' },
    }
    expect((await sender.shop.post('/api/external/notify-message/send', body)).status).toBe(400)
    const history = await sender.shop.get('/api/external/notify-message/history')
    const [shown] = history.body.histories
    const answer = await sender.shop.get(`${MESSAGES}/${shown._id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: {
        ...shown,
        isTest: false,
        params: { customer_name: 'Trần Bình', otp: '***' },
        late: false,
        deliveredBy: null,
        events: [
          { kind: 'accepted', createdAt: shown.createdAt, fee: 200 },
          {
            kind: 'rejected',
            createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            reason: JSON.parse(shown.reason).error,
            code: '-118',
          },
        ],
      },
    })
    expect(JSON.stringify(answer.body)).not.toContain('246810')
  })

  it('200 while its outcome is open: UNKNOWN, with no sessionId and no OTP', async () => {
    const sender = await makeSender(running, { params: [NAME, OTP] })
    const body = {
      templateId: sender.template.id,
      receiverPhone: '0901230007',
      params: { customer_name: 'Trần Bình', otp: '246810' },
    }
    const made = await sender.shop.post('/api/external/notify-message/send', body)
    const record = await readMessage(sender, made.body.data.message_id)
    expect(record).toMatchObject({ status: 'UNKNOWN', reason: '', sessionId: '', phone: '84901230007' })
    expect(record.events[1]).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('may have been sent'),
    })
    expect(JSON.stringify(record)).not.toContain('246810')
  })

  it('404 for an unknown id and another shop’s, 500 for a malformed one', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901234567')
    const other = await makeShop(running)
    const unknown = await other.get(`${MESSAGES}/${unusedId()}`)
    expect(unknown.status).toBe(404)
    expect(unknown.body).toEqual({ error: 'Resource not found', message: 'The message does not exist' })
    const foreign = await other.get(`${MESSAGES}/${id}`)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(unknown.body)
    expect((await other.get(`${MESSAGES}/abc`)).status).toBe(500)
  })

  it('a timeline is append-only', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901234567')
    await expect(
      sql`delete from message_events where shop_id = ${sender.shop.shopId} and message_id = ${id}`.execute(
        deps.db,
      ),
    ).rejects.toThrow('append-only')
  })
})
