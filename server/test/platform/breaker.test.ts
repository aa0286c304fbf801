import { describe, expect, it } from 'vitest'
import { CIRCUIT_OPEN, createBreaker } from '../../src/platform/breaker.ts'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import { createPace } from '../../src/platform/pace.ts'
import type { AcceptedMessage, Platform, PlatformOutcome } from '../../src/platform/types.ts'
import { buildOa, fixedTokens } from './support.ts'

type Outcome = PlatformOutcome<AcceptedMessage>
const OK: Outcome = { kind: 'ok', data: { msgId: 'm' }, raw: {} }
const LOST: Outcome = { kind: 'unknown', cause: 'timeout', surelyNotSent: false }
const BUSY: Outcome = { kind: 'rejected', code: -100, class: 'transient', message: 'x', raw: {} }
const REFUSED: Outcome = { kind: 'rejected', code: -118, class: 'recipient', message: 'x', raw: {} }

/** A breaker with a manual clock, in front of a platform that answers as configured. */
function setUp() {
  let ms = Date.parse('2026-05-01T03:00:00Z')
  const breaker = createBreaker({ now: () => new Date(ms) })
  let answer: Outcome | (() => Promise<Outcome>) = OK
  let calls = 0
  const give = async () => {
    calls += 1
    return typeof answer === 'function' ? answer() : answer
  }
  const rest = createHttpPlatform({ businessUrl: '', openapiUrl: '', tokens: fixedTokens })
  const platform: Platform = breaker.wrap({ ...rest, sendToPhone: give, sendToUid: give })
  const message = { phone: '84901234567', templateId: '1', params: {}, trackingId: 't', development: false }
  return {
    breaker,
    platform,
    calls: () => calls,
    now: () => new Date(ms),
    answer(given: typeof answer) {
      answer = given
    },
    pass(seconds: number) {
      ms += seconds * 1000
    },
    send: (oaId = 'oa1') => platform.sendToPhone(buildOa({ oaId }), message),
    sendToUid: (oaId = 'oa1') => platform.sendToUid(buildOa({ oaId }), { ...message, userId: 'u' }),
    async fail(times: number, outcome = LOST) {
      answer = outcome
      for (let n = 0; n < times; n++) await platform.sendToPhone(buildOa({ oaId: 'oa1' }), message)
    },
    state: () => breaker.circuit('oa1', 'sendToPhone').state,
  }
}

describe('circuit breaker', () => {
  it.each([
    ['unknown outcomes', LOST],
    ['transient refusals', BUSY],
  ])('ten %s in a row open it: calls are refused at once, surely not sent', async (_name, outcome) => {
    const at = setUp()
    await at.fail(9, outcome)
    expect(at.state()).toBe('closed')
    await at.fail(1, outcome)
    expect(at.state()).toBe('open')
    const before = at.calls()
    expect(await at.send()).toEqual({ kind: 'unknown', cause: CIRCUIT_OPEN, surelyNotSent: true })
    expect(at.calls()).toBe(before)
  })

  it('a clear response between, a refusal too, starts the count again', async () => {
    const at = setUp()
    await at.fail(9)
    at.answer(REFUSED)
    await at.send()
    await at.fail(9)
    expect(at.state()).toBe('closed')
  })

  it('more than half of twenty calls within 30 seconds open it, of older ones not', async () => {
    const at = setUp()
    for (let n = 0; n < 9; n++) {
      await at.fail(1)
      at.answer(OK)
      await at.send()
    }
    await at.fail(1)
    expect(at.state()).toBe('closed')
    at.pass(31)
    await at.fail(2)
    expect(at.state()).toBe('closed')
    for (let n = 0; n < 8; n++) {
      at.answer(OK)
      await at.send()
      await at.fail(1)
    }
    expect(at.state()).toBe('closed')
    await at.fail(2)
    expect(at.state()).toBe('open')
  })

  it('is one for each account and endpoint', async () => {
    const at = setUp()
    await at.fail(10)
    at.answer(OK)
    expect(await at.send('oa2')).toEqual(OK)
    expect(await at.sendToUid('oa1')).toEqual(OK)
    expect(at.breaker.list()).toEqual([{ oaId: 'oa1', endpoint: 'sendToPhone', isOpen: true }])
  })

  it('half-open after 15 seconds: one probe goes, the others are refused; its success closes', async () => {
    const at = setUp()
    await at.fail(10)
    at.pass(14.9)
    expect(at.state()).toBe('open')
    at.pass(0.2)
    expect(at.breaker.circuit('oa1', 'sendToPhone')).toEqual({ state: 'half-open', isProbing: false })
    const before = at.calls()
    let end: (outcome: Outcome) => void = () => {}
    at.answer(
      () =>
        new Promise((resolve) => {
          end = resolve
        }),
    )
    const probe = at.send()
    expect(at.breaker.circuit('oa1', 'sendToPhone')).toEqual({ state: 'half-open', isProbing: true })
    expect(await at.send()).toMatchObject({ cause: CIRCUIT_OPEN })
    end(OK)
    expect(await probe).toEqual(OK)
    expect(at.calls()).toBe(before + 1)
    expect(at.state()).toBe('closed')
    expect(at.breaker.list()).toEqual([])
  })

  it('a failed probe doubles the pause, up to two minutes', async () => {
    const at = setUp()
    await at.fail(10)
    for (const seconds of [15, 30, 60, 120, 120]) {
      at.pass(seconds - 0.1)
      expect(at.state()).toBe('open')
      at.pass(0.2)
      expect(at.state()).toBe('half-open')
      await at.fail(1)
    }
  })

  it('asked to try again is half-open at once, what opened after that not; the pause starts again', async () => {
    const at = setUp()
    await at.fail(10)
    at.pass(15.1)
    await at.fail(1)
    at.pass(1)
    const asked = at.now()
    expect(at.breaker.tryAgain('oa2', asked)).toBe(false)
    expect(at.breaker.tryAgain('oa1', new Date(asked.getTime() - 2_000))).toBe(false)
    expect(at.state()).toBe('open')
    expect(at.breaker.tryAgain('oa1', asked)).toBe(true)
    expect(at.breaker.circuit('oa1', 'sendToPhone')).toEqual({ state: 'half-open', isProbing: false })
    at.pass(0.1)
    await at.fail(1)
    expect(at.breaker.tryAgain('oa1', asked)).toBe(false)
    at.pass(14.9)
    expect(at.state()).toBe('open')
    at.pass(0.2)
    expect(at.state()).toBe('half-open')
  })

  it('a probe that throws leaves it open', async () => {
    const at = setUp()
    await at.fail(10)
    at.pass(16)
    at.answer(() => Promise.reject(new Error('broken')))
    await expect(at.send()).rejects.toThrow('broken')
    expect(at.state()).toBe('open')
  })
})

describe('pace', () => {
  function shared(ratePerMinute: number, given: number[]) {
    let ms = 0
    const asked: { want: number; debt: number }[] = []
    const pace = createPace({
      ratePerMinute,
      groupSize: 10,
      now: () => ms,
      async take({ want, debt }) {
        asked.push({ want, debt })
        return Math.min(want, given.shift() ?? 0)
      },
    })
    const quiet = createHttpPlatform({ businessUrl: '', openapiUrl: '', tokens: fixedTokens })
    const platform = pace.wrap({ ...quiet, sendToPhone: async () => OK })
    const message = { phone: '84901234567', templateId: '1', params: {}, trackingId: 't', development: false }
    return {
      pace,
      asked,
      pass: (by: number) => {
        ms += by
      },
      send: () => platform.sendToPhone(buildOa(), message),
    }
  }

  it('draws in groups, and sends use up what was drawn', async () => {
    const { pace, asked, send } = shared(600, [10, 3])
    expect(await pace.allow(4)).toBe(4)
    for (let n = 0; n < 8; n++) await send()
    expect(await pace.allow(4)).toBe(4)
    expect(asked).toEqual([
      { want: 10, debt: 0 },
      { want: 8, debt: 0 },
    ])
  })

  it('gives nothing while the shared allowance is empty', async () => {
    const { pace } = shared(600, [0])
    expect(await pace.allow(4)).toBe(0)
  })

  it('sends that did not ask go at once and are paid by the next who ask, whenever that is', async () => {
    const { pace, asked, pass, send } = shared(600, [0, 0])
    for (let n = 0; n < 30; n++) await send()
    await pace.allow(1)
    for (let n = 0; n < 30; n++) await send()
    pass(2_000)
    await pace.allow(1)
    expect(asked.map(({ debt }) => debt)).toEqual([30, 30])
  })

  it('a debt is paid without drawing, once, and is never more than a minute’s sends', async () => {
    const { pace, asked, send } = shared(600, [])
    for (let n = 0; n < 30; n++) await send()
    await Promise.all([pace.payDebt(), pace.payDebt()])
    for (let n = 0; n < 1_000; n++) await send()
    await pace.payDebt()
    await pace.payDebt()
    expect(asked).toEqual([
      { want: 0, debt: 30 },
      { want: 0, debt: 600 },
    ])
  })

  it('sends that go while more is drawn are counted; a debt stays where drawing fails', async () => {
    const drawn: (number | Error)[] = [new Error('away'), 10]
    const asked: number[] = []
    const pace = createPace({
      ratePerMinute: 600,
      groupSize: 10,
      now: () => 0,
      async take({ debt }) {
        asked.push(debt)
        await send(2)
        const given = drawn.shift()!
        if (given instanceof Error) throw given
        return given
      },
    })
    const quiet = createHttpPlatform({ businessUrl: '', openapiUrl: '', tokens: fixedTokens })
    const platform = pace.wrap({ ...quiet, sendToUid: async () => OK })
    const send = async (count: number) => {
      for (let n = 0; n < count; n++)
        await platform.sendToUid(buildOa(), { userId: 'u', templateId: '1', params: {} })
    }
    await send(5)
    await expect(pace.allow(10)).rejects.toThrow('away')
    expect(await pace.allow(10)).toBe(8)
    expect(asked).toEqual([5, 7])
  })

  it('0 means no pace', async () => {
    const { pace, asked } = shared(0, [])
    expect(await pace.allow(16)).toBe(16)
    expect(asked).toEqual([])
  })
})
