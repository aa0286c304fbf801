import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlatformOutcome, RejectClass } from '../../../platform/types.ts'
import { TIMINGS as timings } from '../../../timings.ts'
import {
  type Candidate,
  isExpiredOtp,
  MAX_DEFERRALS,
  nextStep,
  ORDINARY,
  priorityOf,
  quotaForecast,
  shareOut,
  URGENT,
} from './rules.ts'

function batch(shopId: string, overrides: Partial<Candidate> = {}): Candidate {
  return {
    shopId,
    batchId: `batch-of-${shopId}`,
    oaId: shopId,
    channels: ['phone'],
    priority: ORDINARY,
    revision: 0,
    startedAt: new Date('2026-05-01T03:00:00Z'),
    waitingReason: null,
    room: Number.POSITIVE_INFINITY,
    ...overrides,
  }
}

function counts(batches: Candidate[], given: Partial<Parameters<typeof shareOut>[1]> = {}) {
  const { shares, last } = shareOut(batches, { slots: 8, perShop: 8, after: '', busy: new Map(), ...given })
  return { last, ...Object.fromEntries(shares.map((share) => [share.batch.shopId, share.count])) }
}

describe('shareOut', () => {
  it('one slot a shop in turn, whatever each has queued', () => {
    expect(counts([batch('a'), batch('b', { room: 1 }), batch('c')])).toMatchObject({ a: 4, b: 1, c: 3 })
  })

  it('goes on after the shop served last, so that more shops than slots are all served', () => {
    const batches = ['a', 'b', 'c'].map((shop) => batch(shop))
    expect(counts(batches, { slots: 2 })).toEqual({ last: 'b', a: 1, b: 1 })
    expect(counts(batches, { slots: 2, after: 'b' })).toEqual({ last: 'a', c: 1, a: 1 })
  })

  it('urgent batches first, except for a quarter where ordinary ones wait', () => {
    const otp = batch('a', { priority: URGENT })
    expect(counts([otp, batch('b')])).toMatchObject({ a: 6, b: 2 })
    expect(counts([otp])).toMatchObject({ a: 8 })
    expect(counts([{ ...otp, room: 1 }, batch('b')])).toMatchObject({ a: 1, b: 7 })
  })

  it('a shop has no more under way than its part', () => {
    expect(counts([batch('a')], { perShop: 3 })).toMatchObject({ a: 3 })
    expect(counts([batch('a')], { perShop: 3, busy: new Map([['a', 2]]) })).toMatchObject({ a: 1 })
    expect(counts([batch('a')], { perShop: 3, busy: new Map([['a', 3]]) })).toEqual({ last: '' })
  })

  it('a template with a one-time password is urgent', () => {
    expect(priorityOf([{ key: 'otp', label: 'OTP', techSetting: '12' }])).toBe(URGENT)
    expect(priorityOf([{ key: 'name', label: 'Tên', techSetting: '1' }])).toBe(ORDINARY)
  })
})

describe('isExpiredOtp', () => {
  it('G-27 only what has a one-time password expires, five minutes after it became due, wherever that is', () => {
    const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
    const ageMs = fc.oneof(fc.constantFrom(300_000, 300_001), fc.integer({ min: -600_000, max: 86_400_000 }))
    fc.assert(
      fc.property(instant, ageMs, fc.constantFrom(URGENT, ORDINARY), (startedAt, age, priority) => {
        const at = new Date(startedAt.getTime() + age)
        expect(isExpiredOtp({ priority, startedAt }, at, timings)).toBe(priority === URGENT && age > 300_000)
      }),
    )
  })
})

describe('nextStep', () => {
  const now = new Date('2026-05-01T16:00:00Z')
  const retryAt = new Date('2026-05-01T23:00:00Z')
  const at = (outcome: PlatformOutcome<unknown>, deferrals = 0, isPlatformAway = false, random = 1) =>
    nextStep(outcome, deferrals, { now, timings, random, isPlatformAway })
  const rejected = (
    code: number,
    rejectClass: RejectClass,
    more: { retryAt?: Date } = {},
  ): PlatformOutcome<unknown> => ({
    kind: 'rejected',
    code,
    class: rejectClass,
    message: '',
    raw: {},
    ...more,
  })
  const seconds = (step: ReturnType<typeof at>) =>
    step.kind === 'wait' ? (step.until.getTime() - now.getTime()) / 1000 : undefined

  it.each([
    [-133, 'NIGHT_WINDOW', true],
    [-234, 'NIGHT_WINDOW', true],
    [-144, 'DAILY_QUOTA', true],
    [-147, 'DAILY_QUOTA', true],
    [-1471, 'DAILY_QUOTA', true],
    [-1472, 'DAILY_QUOTA', false],
    [-1441, 'MONTHLY_QUOTA', true],
  ])('G-27 %s waits until the platform opens: %s, whole batch %s', (code, reason, isWholeBatch) => {
    expect(at(rejected(code, 'later', { retryAt }))).toEqual({
      kind: 'wait',
      until: retryAt,
      reason,
      isWholeBatch,
      isCounted: true,
    })
  })

  it('G-27 a wait for a platform whose clock may be behind is not counted, and never the last', () => {
    const soon = new Date(now.getTime() + 60_000)
    for (const deferrals of [0, MAX_DEFERRALS - 1]) {
      const step = at(rejected(-133, 'later', { retryAt: soon }), deferrals)
      expect(step).toMatchObject({ kind: 'wait', until: soon, isWholeBatch: true, isCounted: false })
    }
    const recipient = at(rejected(-1472, 'later', { retryAt: soon }))
    expect(recipient).toMatchObject({ kind: 'wait', isWholeBatch: false, isCounted: false })
  })

  it.each([
    [-115, 'platform-money', 'PLATFORM_MONEY'],
    [-220, 'auth', 'ACCOUNT_DISCONNECTED'],
  ] as const)(
    'G-27 %s lets the whole batch wait for the account’s owner, however often: %s',
    (code, rejectClass, reason) => {
      expect(at(rejected(code, rejectClass), 50)).toEqual({
        kind: 'wait',
        until: new Date(now.getTime() + timings.deferAccountMs),
        reason,
        isWholeBatch: true,
        isCounted: false,
      })
    },
  )

  it('the platform’s rate lets the whole batch wait, however often', () => {
    expect(at(rejected(-32, 'transient', { retryAt }), 50)).toMatchObject({
      reason: 'RATE_LIMIT',
      isWholeBatch: true,
      isCounted: false,
    })
  })

  it('a passing fault waits longer each time, spread by chance, and is final at last', () => {
    const fault = rejected(-100, 'transient')
    expect([0, 1, 2, 6].map((deferrals) => seconds(at(fault, deferrals)))).toEqual([2, 4, 8, 128])
    expect(seconds(at(fault, 2, false, 0))).toBe(4)
    expect(at(fault, MAX_DEFERRALS - 1)).toEqual({ kind: 'settle' })
    expect(at(rejected(-144, 'later', { retryAt }), MAX_DEFERRALS - 1)).toEqual({ kind: 'settle' })
  })

  it('what never left waits, uncounted while the circuit is open', () => {
    const never: PlatformOutcome<unknown> = { kind: 'unknown', cause: 'x', surelyNotSent: true }
    expect(at(never)).toMatchObject({ kind: 'wait', reason: 'PLATFORM_UNAVAILABLE', isCounted: true })
    expect(at(never, 100, true)).toMatchObject({ kind: 'wait', isCounted: false })
    expect(at(never, MAX_DEFERRALS - 1)).toEqual({ kind: 'settle' })
  })

  it('what may have been taken is never repeated, a definite no neither', () => {
    for (const outcome of [
      { kind: 'ok', data: {}, raw: {} },
      { kind: 'unknown', cause: 'timeout', surelyNotSent: false },
      rejected(-118, 'recipient'),
      rejected(-4242, 'other'),
    ] as PlatformOutcome<unknown>[]) {
      expect(at(outcome)).toEqual({ kind: 'settle' })
    }
  })
})

describe('quotaForecast', () => {
  const now = new Date('2026-05-01T09:00:00Z')
  const quota = { daily: 500, remaining: 40 }
  it.each([
    ['today, what the platform has not yet counted', now, 30, 0, [40, 0, '2026-05-01T17:00:00.000Z']],
    ['less what is sent before', now, 30, 25, [15, 15, '2026-05-01T17:00:00.000Z']],
    ['never less than nothing', now, 30, 90, [0, 30, '2026-05-01T17:00:00.000Z']],
    [
      'on a later day all of it',
      new Date('2026-05-01T17:00:00Z'),
      600,
      0,
      [500, 100, '2026-05-02T17:00:00.000Z'],
    ],
  ])('G-27 leaves %s', (_, startsAt, messages, ahead, expected) => {
    const { left, waiting, resumesAt } = quotaForecast(quota, { messages, ahead, startsAt, now })
    expect([left, waiting, resumesAt.toISOString()]).toEqual(expected)
  })
})
