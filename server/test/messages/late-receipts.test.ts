import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../support/invariants.ts'
import { applyReceipt, entriesOf, receipt, type Sender, walletOf } from '../support/senders.ts'
import { manage } from '../support/service.ts'
import {
  abandoned,
  DAY,
  deafService,
  makeNamer,
  readMessage,
  sent,
  settleIn,
} from '../support/unknown-messages.ts'

const running = await deafService()
const { deps } = running

describe('G-26 a receipt after the fee was given back', () => {
  async function released(money: number): Promise<{ sender: Sender; id: string }> {
    const sender = await makeNamer(running, money)
    const id = await sent(sender, '0901230006')
    await settleIn(running, 2 * DAY)
    expect((await readMessage(sender, id)).status).toBe('ERROR')
    return { sender, id }
  }

  it('RECEIVED, flagged late, and charged again; a second receipt changes nothing', async () => {
    const { sender, id } = await released(500)
    const event = receipt({ trackingId: id, msgId: '9007199254740993' })
    expect(await applyReceipt(deps, sender.template.oaId, event)).toBe('applied')
    expect(await applyReceipt(deps, sender.template.oaId, event)).toBe('applied')
    expect(await walletOf(sender.shop)).toEqual({ balance: 300, held: 0 })
    expect(await entriesOf(sender.shop)).toContainEqual(['late_capture', -200])
    const record = await readMessage(sender, id)
    expect(record).toMatchObject({
      status: 'RECEIVED',
      late: true,
      reason: '',
      sessionId: '9007199254740993',
      deliveryTime: String(event.deliveredAt.getTime()),
    })
    expect(record.events.at(-1)).toEqual({
      kind: 'late',
      createdAt: expect.any(String),
      sessionId: '9007199254740993',
      deliveryTime: String(event.deliveredAt.getTime()),
      charged: 200,
      owed: 0,
    })
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.histories).toMatchObject([{ status: 'RECEIVED', reason: '' }])
    await checkInvariants(deps.db)
  })

  it.each([
    [50, 50, 150],
    [0, 0, 200],
  ])('a balance of %i pays %i, never falls below 0, and %i stay owed', async (left, charged, owed) => {
    const { sender, id } = await released(200)
    await manage(running, 'POST', `/shops/${sender.shop.shopId}/wallet/entries`, {
      amount: left - 200,
      note: 'rút',
    })
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '5' }))
    expect(await walletOf(sender.shop)).toEqual({ balance: 0, held: 0 })
    expect((await readMessage(sender, id)).events.at(-1)).toMatchObject({ kind: 'late', charged, owed })
    const { body } = await sender.shop.get('/api/external/wallet/entries')
    expect(body.entries).toContainEqual(
      expect.objectContaining({ type: 'late_capture', amount: 0 - charged, owed }),
    )
    await checkInvariants(deps.db)
  })

  it('ten receipts at once charge once, beside sends of the same shop', async () => {
    const { sender, id } = await released(10_000)
    await Promise.all([
      ...Array.from({ length: 10 }, () =>
        applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '6' })),
      ),
      ...Array.from({ length: 5 }, () => sent(sender, '0901234567')),
    ])
    expect((await entriesOf(sender.shop)).filter(([type]) => type === 'late_capture')).toEqual([
      ['late_capture', -200],
    ])
    expect(await walletOf(sender.shop)).toEqual({ balance: 8_800, held: 0 })
    await checkInvariants(deps.db)
  })

  it('a receipt and the release at the same moment end in one of the two ways, the fee charged once', async () => {
    const sender = await makeNamer(running)
    const made = await abandoned(running, sender, 20)
    await Promise.all([
      settleIn(running, 2 * DAY),
      ...made.map((id) =>
        applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: `m${id}` })),
      ),
    ])
    for (const id of made) expect((await readMessage(sender, id)).status).toBe('RECEIVED')
    expect(await walletOf(sender.shop)).toEqual({ balance: 6_000, held: 0 })
    await checkInvariants(deps.db)
  })
})
