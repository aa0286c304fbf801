import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { MessageUnderWay } from '../../src/modules/messages/outgoing.ts'
import { acceptMessage, transmitMessage } from '../../src/modules/messages/send/send-message.ts'
import { checkInvariants } from '../support/invariants.ts'
import { eventually, makeShop, separateService } from '../support/service.ts'
import { control, insertEnabledTemplate, topUp } from '../support/templates.ts'

const running = await separateService()
const { deps } = running
await control(running, '/settings', { suppressEvents: true })

const COUNT = 30
const COPIES = 3

async function makeSender() {
  const shop = await makeShop(running)
  const params = [{ key: 'name', label: 'Tên', techSetting: '1', maxLength: 30, sampleValue: 'An' }]
  const template = await insertEnabledTemplate(running, shop.shopId, { params })
  await topUp(running, shop.shopId, 10_000)
  const accept = (n: number): Promise<MessageUnderWay> =>
    acceptMessage(deps, shop.shopId, {
      templateId: template.id,
      channel: 'phone',
      phone: `8490${String(1_002_100 + n)}`,
      userUid: '',
      isSample: false,
      params: { name: 'An' },
      paramsPath: ['params'],
    })
  /** A receipt as the platform posts it. */
  async function receive(trackingId: string): Promise<void> {
    const timestamp = String(Date.now())
    const raw = JSON.stringify({
      event_name: 'user_received_message',
      sender: { id: template.oaId },
      message: { msg_id: `of-${trackingId}`, tracking_id: trackingId, delivery_time: '1893456000000' },
      timestamp,
    })
    const mac = createHash('sha256').update(`simulator${raw}${timestamp}simulator-secret`).digest('hex')
    const answer = await running.app.inject({
      method: 'POST',
      url: `/hooks/platform/${template.oaId}`,
      headers: { 'content-type': 'application/json', 'x-zevent-signature': `mac=${mac}` },
      payload: raw,
    })
    expect(answer.statusCode).toBe(200)
  }
  return { shop, template, accept, receive }
}

describe('G-25 receipts worked on by parallel jobs', () => {
  it('each three times, and before, beside and after the send’s own answer: every message RECEIVED and paid once', async () => {
    const { shop, template, accept, receive } = await makeSender()
    const messages: MessageUnderWay[] = []
    for (let n = 0; n < COUNT; n++) messages.push(await accept(n))
    const copies = messages.flatMap(({ id }) => Array.from({ length: COPIES }, () => receive(id)))
    const answers = messages.map((message) => transmitMessage(deps, shop.shopId, message))
    expect((await Promise.all(answers)).every(({ kind }) => kind === 'received')).toBe(true)
    await Promise.all(copies)
    await eventually(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from platform_events
        where oa_id = ${template.oaId} and processed_at is not null`.execute(deps.db)
      return Number(rows[0]?.n) === COUNT * COPIES
    }, 30_000)
    const { rows } = await sql<{
      state: string
      is_delivered: boolean
      is_answered: boolean
      receipts: number
    }>`
      select state, delivered_at is not null as is_delivered, platform_answer is not null as is_answered,
        (select count(*) from message_events e
          where e.shop_id = m.shop_id and e.message_id = m.id and e.kind = 'receipt') as receipts
      from messages m
      where shop_id = ${shop.shopId}`.execute(deps.db)
    expect(rows).toHaveLength(COUNT)
    for (const row of rows) {
      expect(row).toEqual({ state: 'RECEIVED', is_delivered: true, is_answered: true, receipts: 1 })
    }
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 10_000 - COUNT * 200, held: 0 })
    await checkInvariants(deps.db, shop.shopId)
  }, 60_000)

  it('a receipt for a message by UID waits until the response has given its session', async () => {
    const { shop, template } = await makeSender()
    await control(running, '/settings', { suppressEvents: false })
    try {
      const body = { templateId: template.id, userUID: `${shop.shopId}0008`, templateData: { name: 'An' } }
      expect((await shop.post('/api/external/chatapp/uid-notify/send-message', body)).status).toBe(200)
      await eventually(async () => {
        const { rows } = await sql<{ delivered_at: Date | null }>`
          select delivered_at from messages where shop_id = ${shop.shopId}`.execute(deps.db)
        return rows[0]?.delivered_at !== null
      }, 20_000)
    } finally {
      await control(running, '/settings', { suppressEvents: true })
    }
    await checkInvariants(deps.db, shop.shopId)
  }, 30_000)
})
