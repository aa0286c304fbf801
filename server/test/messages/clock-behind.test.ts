import { describe, expect, it } from 'vitest'
import {
  BATCHES,
  type BatchShop,
  batchTo,
  makeBatchShop,
  messageRows,
  phones,
  readBatch,
} from '../support/batches.ts'
import { checkInvariants } from '../support/invariants.ts'
import { separateService } from '../support/service.ts'
import { control } from '../support/templates.ts'
import { dispatchAt } from './dispatch-at.ts'

const running = await separateService({ platformRatePerMinute: 0 })
const { deps } = running

const BEHIND_MS = 1_000
const MINUTE_MS = 60_000

const settings = (changed: object) => control(running, '/settings', changed)

/** An instant of a later day, by the clock of Vietnam. The service's own dispatcher sends nothing by then. */
function inDays(days: number, time: string): Date {
  const day = new Date(Date.now() + days * 86_400_000 + 7 * 3_600_000).toISOString().slice(0, 10)
  return new Date(`${day}T${time}+07:00`)
}

const after = (instant: Date | string, ms: number) => new Date(new Date(instant).getTime() + ms)

async function scheduled(sender: BatchShop, count: number, scheduledAt: Date): Promise<string> {
  const made = await sender.shop.post(BATCHES, batchTo(sender, phones(count), { scheduledAt }))
  expect(made.status).toBe(202)
  return made.body.data.id
}

async function mostTries({ shop }: BatchShop): Promise<number> {
  return Math.max(...(await messageRows(running, shop.shopId)).map((row) => row.put_offs))
}

describe('G-27 the platform’s clock is behind', () => {
  it('at 06:00 the batch is refused once more, waits a minute and goes; only the refusal at night counts', async () => {
    const sender = await makeBatchShop(running)
    const night = inDays(2, '05:30:00')
    const morning = inDays(2, '06:00:00')
    const id = await scheduled(sender, 20, night)
    await settings({ nightWindow: true })
    await dispatchAt(running, night, BEHIND_MS)
    expect((await readBatch(sender, id)).waiting).toEqual({
      reason: 'NIGHT_WINDOW',
      resumesAt: morning.toISOString(),
    })
    await dispatchAt(running, after(morning, 20), BEHIND_MS)
    const soon = after(morning, 20 + MINUTE_MS)
    const early = await readBatch(sender, id)
    expect(early.waiting).toEqual({ reason: 'NIGHT_WINDOW', resumesAt: soon.toISOString() })
    expect(early.progress).toMatchObject({ queued: 20, received: 0 })
    await dispatchAt(running, soon, BEHIND_MS)
    await settings({ nightWindow: false, clock: new Date().toISOString() })
    expect((await readBatch(sender, id)).progress).toMatchObject({ queued: 0, received: 20 })
    expect(await mostTries(sender)).toBe(1)
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('at midnight the quota of yesterday still holds for a moment: the rest goes within minutes', async () => {
    const sender = await makeBatchShop(running)
    const evening = inDays(3, '21:00:00')
    const midnight = inDays(4, '00:00:00')
    const id = await scheduled(sender, 20, evening)
    await settings({ dailyQuota: 12 })
    await dispatchAt(running, evening, BEHIND_MS)
    expect((await readBatch(sender, id)).progress).toMatchObject({ queued: 8, received: 12 })
    await dispatchAt(running, after(midnight, 20), BEHIND_MS)
    const soon = after(midnight, 20 + MINUTE_MS)
    expect((await readBatch(sender, id)).waiting).toEqual({
      reason: 'DAILY_QUOTA',
      resumesAt: soon.toISOString(),
    })
    await dispatchAt(running, soon, BEHIND_MS)
    await settings({ dailyQuota: 500, clock: new Date().toISOString() })
    expect((await readBatch(sender, id)).progress).toMatchObject({ queued: 0, received: 20 })
    expect(await mostTries(sender)).toBe(1)
    await checkInvariants(deps.db, sender.shop.shopId)
  })
})
