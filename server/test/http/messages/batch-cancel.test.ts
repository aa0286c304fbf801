import { describe, expect, it } from 'vitest'
import {
  BATCHES,
  batchTo,
  makeBatchShop,
  messageRows,
  OTP_VALUES,
  phones,
  walletOf,
} from '../../support/batches.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { type Answer, eventually, makeShop, service } from '../../support/service.ts'
import { insertEnabledTemplate, messagesOnPlatform, topUp } from '../../support/templates.ts'

const running = await service()
const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000).toISOString()

describe('G-27 POST batches/{id}/cancel', () => {
  it('ends what is queued as CANCELLED, gives its fees back, once', async () => {
    const sender = await makeBatchShop(running)
    const made = await sender.shop.post(BATCHES, batchTo(sender, phones(5), { scheduledAt: IN_AN_HOUR() }))
    const path = `${BATCHES}/${made.body.data.id}/cancel`
    const answers: Answer[] = await Promise.all([sender.shop.post(path), sender.shop.post(path)])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.body.data).toMatchObject({
        status: 'CANCELLED',
        waiting: null,
        progress: { queued: 0, error: 0, cancelled: 5 },
        cancelledAt: expect.any(String),
      })
    }
    expect((await sender.shop.post(path)).body.data.cancelledAt).toBe(answers[0]!.body.data.cancelledAt)
    expect(await walletOf(sender)).toEqual({ balance: 1_000_000, held: 0 })
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.meta.total).toBe(5)
    expect(JSON.parse(history.body.histories[0].reason)).toMatchObject({
      code: 'CANCELLED',
      error: expect.stringContaining('cancelled'),
    })
    await checkInvariants(running.deps.db, sender.shop.shopId)
  })

  it('counts what was cancelled with `cancelled=true` in the history, and not as failed', async () => {
    const sender = await makeBatchShop(running)
    const { shop, template } = sender
    const planned = await shop.post(BATCHES, batchTo(sender, phones(4), { scheduledAt: IN_AN_HOUR() }))
    await shop.post(`${BATCHES}/${planned.body.data.id}/cancel`)
    const HISTORY = '/api/external/notify-message/history'
    expect((await shop.get(`${HISTORY}?cancelled=true&templateId=${template.id}`)).body.meta.total).toBe(4)
    expect((await shop.get(`${HISTORY}?status=ERROR&cancelled=false`)).body.meta.total).toBe(0)
    const file = await shop.get(`${HISTORY}/export?cancelled=true`)
    expect(file.body.match(/"ERROR"/g)).toHaveLength(4)
    expect((await shop.get(`${HISTORY}/export?labels=en`)).body.match(/"Cancelled"/g)).toHaveLength(4)
    const { templates } = (await shop.get('/api/external/notify-template/report')).body.data
    expect(templates.filter(({ total }: { total: { failed: number } }) => total.failed > 0)).toEqual([])
  })

  it('masks one-time passwords that were never sent', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 1000)
    const messages = [{ receiverPhone: '0912345678', params: OTP_VALUES }]
    const body = { templateId: template.id, messages, scheduledAt: IN_AN_HOUR() }
    const { id } = (await shop.post(BATCHES, body)).body.data
    await shop.post(`${BATCHES}/${id}/cancel`)
    expect((await messageRows(running, shop.shopId))[0].params).toMatchObject({ otp: '***' })
  })

  it('while it is being sent: every message either went once or was given back', async () => {
    const sender = await makeBatchShop(running)
    const { id } = (await sender.shop.post(BATCHES, batchTo(sender, phones(400)))).body.data
    await eventually(async () => {
      const { body } = await sender.shop.get(`${BATCHES}/${id}`)
      return body.data.progress.received > 10
    })
    await sender.shop.post(`${BATCHES}/${id}/cancel`)
    const done = await eventually(async () => {
      const { body } = await sender.shop.get(`${BATCHES}/${id}`)
      return body.data.status === 'CANCELLED' && body.data
    })
    const { received, cancelled } = done.progress
    expect(received + cancelled).toBe(400)
    expect(cancelled).toBeGreaterThan(0)
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(received)
    await checkInvariants(running.deps.db, sender.shop.shopId)
  })
})
