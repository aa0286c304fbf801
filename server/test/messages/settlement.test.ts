import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { refreshTemplate } from '../../src/modules/templates/review/apply-review.ts'
import { checkInvariants } from '../support/invariants.ts'
import { applyReceipt, entriesOf, receipt, walletOf } from '../support/senders.ts'
import { control } from '../support/templates.ts'
import {
  abandoned,
  DAY,
  deafService,
  kinds,
  makeNamer,
  readMessage,
  sent,
  settleIn,
} from '../support/unknown-messages.ts'

const running = await deafService()
const { deps } = running

describe('G-26 a message whose outcome stays unknown', () => {
  it('keeps its hold until its time is over, then ends as ERROR with a readable reason and gives the fee back', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901230006')
    await settleIn(running, DAY - 60)
    expect((await readMessage(sender, id)).status).toBe('UNKNOWN')
    expect(await walletOf(sender.shop)).toEqual({ balance: 9_800, held: 200 })
    await settleIn(running, DAY + 60)
    expect(await walletOf(sender.shop)).toEqual({ balance: 10_000, held: 0 })
    expect(await entriesOf(sender.shop)).toEqual([
      ['top_up', 10_000],
      ['hold', -200],
      ['release', 200],
    ])
    const history = await sender.shop.get('/api/external/notify-message/history?status=ERROR')
    expect(history.body.meta.total).toBe(1)
    expect(JSON.parse(history.body.histories[0].reason)).toEqual({
      error: 'The platform did not confirm delivery in time. The fee was released',
      code: 'UNKNOWN_RELEASED',
      params: { customer_name: 'Trần Bình' },
    })
    const inVietnamese = await readMessage(sender, id, { 'accept-language': 'vi' })
    expect(JSON.parse(inVietnamese.reason).error).toContain('Phí đã được hoàn lại')
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'released'])
    await checkInvariants(deps.db)
  })

  it('the template’s own timeout counts where the platform named one', async () => {
    const sender = await makeNamer(running)
    await sql`
      update templates set timeout_seconds = 7200
      where shop_id = ${sender.shop.shopId} and id = ${sender.template.id}`.execute(deps.db)
    const id = await sent(sender, '0901230006')
    await settleIn(running, 7_100)
    expect((await readMessage(sender, id)).status).toBe('UNKNOWN')
    await settleIn(running, 7_300)
    expect((await readMessage(sender, id)).status).toBe('ERROR')
  })

  it('refreshing a template from the platform brings its timeout along', async () => {
    const { shop, template } = await makeNamer(running)
    const refreshed = await refreshTemplate(deps, shop.shopId, template.id, { source: 'polling' })
    expect(refreshed).toBe('changed')
    const { rows } = await sql`
      select timeout_seconds from templates
      where shop_id = ${shop.shopId} and id = ${template.id}`.execute(deps.db)
    expect(rows).toEqual([{ timeout_seconds: 7_200 }])
    expect(await refreshTemplate(deps, shop.shopId, template.id, { source: 'polling' })).toBe('unchanged')
  })

  it('a receipt within the time makes it RECEIVED, and the round leaves it alone', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901230006')
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '71' }))
    await settleIn(running, 2 * DAY)
    expect(await readMessage(sender, id)).toMatchObject({ status: 'RECEIVED', late: false, sessionId: '71' })
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'receipt'])
  })

  it('rounds of several processes at once settle each message once', async () => {
    const sender = await makeNamer(running)
    const count = 40
    await abandoned(running, sender, count)
    await Promise.all([settleIn(running, 2 * DAY), settleIn(running, 2 * DAY), settleIn(running, 2 * DAY)])
    expect(await walletOf(sender.shop)).toEqual({ balance: 10_000, held: 0 })
    expect((await entriesOf(sender.shop)).filter(([type]) => type === 'release')).toHaveLength(count)
    await checkInvariants(deps.db)
  })

  it('what a dying process had claimed is claimed again', async () => {
    const sender = await makeNamer(running)
    const id = await sent(sender, '0901230006')
    const broken = { ids: { ...deps.ids, next: () => 'no id' } }
    await settleIn(running, 2 * DAY, 'release', broken)
    expect((await readMessage(sender, id)).status).toBe('UNKNOWN')
    await settleIn(running, 2 * DAY + 60)
    expect((await readMessage(sender, id)).status).toBe('UNKNOWN')
    await settleIn(running, 2 * DAY + 100)
    expect((await readMessage(sender, id)).status).toBe('ERROR')
  })
})

describe('G-25 an answer that its receipt overtook', () => {
  it('completes the message: sent time and the raw answer, which stays the operator’s', async () => {
    const sender = await makeNamer(running)
    await control(running, '/settings', { suppressEvents: false, deliveryMs: 60_000 })
    let id: string
    try {
      id = await sent(sender, '0901230008')
      await expect.poll(() => kinds(sender, id)).toContain('receipt')
    } finally {
      await control(running, '/settings', { suppressEvents: true, deliveryMs: 20 })
    }
    expect((await kinds(sender, id)).toSorted()).toEqual(['accepted', 'receipt', 'sent'])
    const { rows } = await sql<{ sent_at: Date | null; platform_answer: unknown }>`
      select sent_at, platform_answer from messages
      where shop_id = ${sender.shop.shopId} and id = ${id}`.execute(deps.db)
    expect(rows).toMatchObject([{ sent_at: expect.any(Date), platform_answer: { error: 0 } }])
    expect(JSON.stringify(await readMessage(sender, id))).not.toContain('quota')
    await checkInvariants(deps.db)
  })
})
