import { describe, expect, it } from 'vitest'
import { createDispatcher } from '../../src/modules/messages/batches/dispatch.ts'
import { BATCHES, batchTo, makeBatchShop, messageRows, phones } from '../support/batches.ts'
import { checkInvariants } from '../support/invariants.ts'
import { eventually, separateService } from '../support/service.ts'
import { control, messagesOnPlatform } from '../support/templates.ts'

const running = await separateService({ platformRatePerMinute: 0 })
const { deps } = running

async function dispatchAt(at: Date): Promise<void> {
  const dispatcher = createDispatcher({ ...deps, clock: { now: () => at } })
  while ((await dispatcher.round()) === 0) await dispatcher.settled()
  await dispatcher.settled()
}

describe('G-27 the official account has not paid the platform', () => {
  it('the batch waits with PLATFORM_MONEY, tries one message every ten minutes, and goes on once it is paid', async () => {
    const sender = await makeBatchShop(running)
    const read = async (id: string) => (await sender.shop.get(`${BATCHES}/${id}`)).body.data
    await control(running, '/settings', { walletVnd: 3 * 200 })
    const made = await sender.shop.post(BATCHES, batchTo(sender, phones(40)))
    const id: string = made.body.data.id
    const waiting = await eventually(async () => {
      const batch = await read(id)
      return batch.waiting?.reason === 'PLATFORM_MONEY' && batch.progress.sending === 0 && batch
    }, 10_000)
    expect(waiting.progress).toMatchObject({ received: 3, queued: 37, error: 0 })

    const tries = async () =>
      (await messageRows(running, sender.shop.shopId)).filter((row) => row.waiting_reason !== null).length
    const triedAtOnce = await tries()
    const later = new Date(Date.parse(waiting.waiting.resumesAt) + 1_000)
    await dispatchAt(later)
    const again = await read(id)
    expect(again.waiting.reason).toBe('PLATFORM_MONEY')
    expect(Date.parse(again.waiting.resumesAt)).toBeGreaterThan(later.getTime() + 9 * 60_000)
    expect(await tries()).toBeLessThanOrEqual(triedAtOnce + 1)

    await control(running, '/settings', { walletVnd: 1_000_000 })
    await dispatchAt(new Date(Date.parse(again.waiting.resumesAt) + 1_000))
    expect((await read(id)).progress).toMatchObject({ queued: 0, received: 40 })
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(40)
    await checkInvariants(deps.db, sender.shop.shopId)
  })
})
