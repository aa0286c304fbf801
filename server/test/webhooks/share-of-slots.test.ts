import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareOf } from '../../src/modules/webhooks/delivery/rules.ts'
import { recordEvent } from '../../src/modules/webhooks/outbox/sql.ts'
import { makeShop, separateService, unusedId } from '../support/service.ts'
import { makeReceiver, register, whenAttempts } from '../support/webhooks.ts'

describe('G-62 the slots for deliveries', () => {
  it('are never all taken by three shops, whatever the order in which they take their shares', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 }), { maxLength: 200 }), (turns) => {
        const held = [0, 0, 0]
        let free = 32
        for (const shop of turns) {
          const share = shareOf(held[shop]!, free)
          held[shop]! += share
          free -= share
          expect(shareOf(0, free)).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('twenty slow endpoints of one shop delay no other shop', async () => {
    const running = await separateService(
      { outboundAllowPrivate: true },
      { timings: { webhookTimeoutMs: 20_000, webhookLeaseMs: 25_000 } },
    )
    const write = ({ shopId }: { shopId: string }) =>
      recordEvent(running.deps.db, shopId, {
        type: 'order.paid',
        data: { orderId: unusedId(), code: 'DH1', price: 5, paidAmount: 5, paymentMethod: 'cash' },
        at: new Date(),
      })
    const [slow, other] = [await makeShop(running), await makeShop(running)]
    const holes = await makeReceiver(() => {})
    for (let n = 0; n < 20; n++) await register(slow, `${holes.url}/${n}`)
    for (let n = 0; n < 10; n++) await write(slow)
    await expect.poll(() => holes.deliveries.length, { timeout: 10_000 }).toBe(24)
    const good = await makeReceiver()
    const endpoint = await register(other, good.url)
    const startedMs = performance.now()
    for (let n = 0; n < 10; n++) {
      await write(other)
      await pause(20)
    }
    await whenAttempts(other, endpoint._id, 10)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect(holes.deliveries.length).toBe(24)
  }, 60_000)
})
