import { describe, expect, it } from 'vitest'
import {
  applyReceipt,
  entryTypes,
  makeSender,
  receipt,
  rowsOf,
  sendTo,
  sendToUid,
} from '../support/senders.ts'
import { unusedId } from '../support/service.ts'
import { deafService } from '../support/unknown-messages.ts'

const running = await deafService()
const { deps } = running

describe('G-25 receipts', () => {
  it('unmatched for another official account, an unknown id, and a number that is not an id', async () => {
    const sender = await makeSender(running)
    const trackingId = (await sendTo(sender, '0901230003')).body.data.message_id
    const { oaId } = sender.template
    expect(await applyReceipt(deps, 'oa-of-nobody', receipt({ trackingId }))).toBe('unmatched')
    const other = await makeSender(running)
    expect(await applyReceipt(deps, other.template.oaId, receipt({ trackingId }))).toBe('unmatched')
    expect(await applyReceipt(deps, oaId, receipt({ trackingId: unusedId() }))).toBe('unmatched')
    expect(await applyReceipt(deps, oaId, receipt({ trackingId: 'x', msgId: '404' }))).toBe('unmatched')
    expect(await applyReceipt(deps, oaId, receipt({ msgId: '' }))).toBe('unmatched')
    expect(await rowsOf(running, sender.shop)).toMatchObject([{ delivered_at: null }])
  })

  it('a message by UID is found by the platform’s session', async () => {
    const sender = await makeSender(running)
    await sendToUid(sender, '7788990003')
    const [row] = await rowsOf(running, sender.shop)
    const event = receipt({ msgId: row!.session_id })
    expect(await applyReceipt(deps, sender.template.oaId, event)).toBe('applied')
    expect((await rowsOf(running, sender.shop))[0]!.delivered_at).toEqual(event.deliveredAt)
  })

  it('a receipt for a message that ended as an error changes nothing', async () => {
    const sender = await makeSender(running)
    await sendTo(sender, '0901230001')
    const before = await rowsOf(running, sender.shop)
    expect(await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: before[0]!.id }))).toBe(
      'applied',
    )
    expect(await rowsOf(running, sender.shop)).toEqual(before)
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'release'])
  })

  it('ten receipts at once capture once', async () => {
    const sender = await makeSender(running)
    const trackingId = (await sendTo(sender, '0901230006')).body.data.message_id
    await Promise.all(
      Array.from({ length: 10 }, () =>
        applyReceipt(deps, sender.template.oaId, receipt({ trackingId, msgId: '12345' })),
      ),
    )
    expect(await entryTypes(sender.shop)).toEqual(['top_up', 'hold', 'capture'])
  })
})
