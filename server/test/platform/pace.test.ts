import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createPace, type Pace } from '../../src/platform/pace.ts'
import type { Platform } from '../../src/platform/types.ts'
import { makeSender } from '../support/idempotency.ts'
import { separateService } from '../support/service.ts'
import { buildOa } from './support.ts'

const RATE = 4_000
const web = await separateService({ platformRatePerMinute: RATE, role: 'web' })
const TICK_MS = 10
/** The pause between a dispatcher's rounds while the allowance is used up. */
const PACED = 100 / TICK_MS
const SECOND = 1_000 / TICK_MS
const MINUTE = 60 * SECOND
/** The most that a dispatcher asks for at once. */
const SLOTS = 16

/** The shared allowance on a clock that the test moves, by the formula of `takeCalls` (messages/batches/sql.ts). */
function sharedAllowance(now: () => number) {
  const burst = Math.floor(RATE / 20)
  const perMs = (RATE - burst) / 60_000
  let tokens = burst
  let refilledAt = now()
  return async ({ want, debt }: { want: number; debt: number }) => {
    const left = Math.max(-RATE, Math.min(burst, tokens + (now() - refilledAt) * perMs) - debt)
    const given = Math.max(0, Math.min(want, Math.floor(left)))
    tokens = left - given
    refilledAt = now()
    return given
  }
}

type Plan = {
  processes: number
  minutes: number
  /** Single sends a minute of all processes together, at this tick. */
  singlesPerMinute(tick: number): number
  /** Whether batches have messages left to send. */
  isQueueFull(tick: number): boolean
}

/** Plays processes that share the allowance. @returns the sends of each tick. */
async function play({ processes, minutes, singlesPerMinute, isQueueFull }: Plan) {
  let ms = 0
  const now = () => ms
  const take = sharedAllowance(now)
  const senders = Array.from({ length: processes }, () => {
    const pace = createPace({ ratePerMinute: RATE, take, now })
    const platform = pace.wrap({ sendToUid: async () => ({ kind: 'unknown' }) } as unknown as Platform)
    const send = () => platform.sendToUid(buildOa(), { userId: 'u', templateId: '1', params: {} })
    return { pace, send }
  })
  const singles: number[] = []
  const queued: number[] = []
  let due = 0
  let turn = 0
  for (let tick = 0; tick < minutes * MINUTE; tick++) {
    ms = tick * TICK_MS
    singles.push(0)
    queued.push(0)
    for (due += singlesPerMinute(tick) / MINUTE; due >= 1; due--) {
      await senders[turn++ % processes]!.send()
      singles[tick]! += 1
    }
    for (const [process, { pace, send }] of senders.entries()) {
      if (tick % PACED !== process) continue
      if (isQueueFull(tick)) queued[tick]! += await sendAllowed(pace, send)
      // An idle dispatcher's round, once a second.
      else if (tick % SECOND === process) await pace.payDebt()
    }
  }
  return { queued, all: singles.map((count, tick) => count + queued[tick]!) }
}

async function sendAllowed(pace: Pace, send: () => Promise<unknown>): Promise<number> {
  let sent = 0
  for (let allowed = await pace.allow(SLOTS); allowed > 0; allowed = await pace.allow(SLOTS)) {
    for (let n = 0; n < allowed; n++) await send()
    sent += allowed
  }
  return sent
}

const sum = (counts: number[]) => counts.reduce((one, other) => one + other, 0)

/** The most sends in any 60 seconds. */
function mostInAMinute(counts: number[]): number {
  let inWindow = 0
  let most = 0
  for (const [tick, count] of counts.entries()) {
    inWindow += count - (counts[tick - MINUTE] ?? 0)
    most = Math.max(most, inWindow)
  }
  return most
}

describe('the pace of batches beside single sends', () => {
  const RATES = [0, 500, 2_000, 3_600].flatMap((perMinute) => [
    [perMinute, 1],
    [perMinute, 4],
  ])

  it.each(RATES)(
    '%i single sends a minute from %i processes and a full queue stay within the platform’s rate and use it',
    async (perMinute, processes) => {
      const minutes = 4
      const { queued, all } = await play({
        ...{ processes: processes!, minutes },
        singlesPerMinute: () => perMinute!,
        isQueueFull: () => true,
      })
      expect(mostInAMinute(all)).toBeLessThanOrEqual(RATE * 1.05)
      // A twentieth is kept for the burst at the start.
      expect(sum(queued)).toBeGreaterThanOrEqual(minutes * (RATE * 0.95 - perMinute!) - RATE * 0.01)
    },
  )

  it.each([1, 4])(
    'single sends of an idle hour take nothing from a batch after it (%i processes)',
    async (processes) => {
      const begins = 10 * MINUTE
      const { queued, all } = await play({
        ...{ processes, minutes: 12 },
        singlesPerMinute: () => 2_000,
        isQueueFull: (tick) => tick >= begins,
      })
      expect(mostInAMinute(all)).toBeLessThanOrEqual(RATE * 1.05)
      const first = queued.slice(begins, begins + MINUTE)
      expect(sum(first.slice(0, 2 * SECOND))).toBeGreaterThan(150)
      expect(sum(first)).toBeGreaterThan(RATE * 0.95 - 2_000)
    },
  )

  it.each([1, 4])(
    'a burst of single sends is made up for by the batch after it (%i processes)',
    async (processes) => {
      const begins = MINUTE + 10 * SECOND
      const { all } = await play({
        ...{ processes, minutes: 4 },
        singlesPerMinute: (tick) => (tick >= MINUTE && tick < begins ? 12_000 : 0),
        isQueueFull: (tick) => tick >= begins,
      })
      expect(mostInAMinute(all)).toBeLessThanOrEqual(RATE * 1.05)
      expect(mostInAMinute(all)).toBeGreaterThan(RATE * 0.9)
    },
  )
})

describe('a process that only answers requests', () => {
  it('deducts its sends from the allowance that all processes share', async () => {
    const { db } = web.deps
    const sender = await makeSender(web)
    const full = RATE / 20
    await sql`update platform_pace set tokens = ${full}, refilled_at = now() where name = 'send'`.execute(db)
    expect((await sender.toPhone({})).status).toBe(200)
    const left = async () => {
      const { rows } = await sql<{ tokens: number }>`
        select tokens from platform_pace where name = 'send'`.execute(db)
      return rows[0]?.tokens
    }
    await expect.poll(left, { timeout: 10_000 }).toBe(full - 1)
  })
})
