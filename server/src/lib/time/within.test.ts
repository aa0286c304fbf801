import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { within } from './within.ts'

describe('within', () => {
  it('returns the result of the work, undefined included', async () => {
    expect(await within(1_000, Promise.resolve('a'))).toEqual({ found: 'a' })
    expect(await within(1_000, Promise.resolve(undefined))).toEqual({ found: undefined })
  })

  it('returns undefined when the work takes longer, and its later failure has no effect', async () => {
    const { promise, reject } = Promise.withResolvers<never>()
    expect(await within(5, promise)).toBeUndefined()
    reject(new Error('late'))
    await pause(20)
  })

  it('fails as the work does', async () => {
    await expect(within(1_000, Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  })

  it('takes what arrived while the process was paused', async () => {
    const arrived = new Promise((resolve) => setTimeout(() => setImmediate(resolve, 'a'), 5))
    const answer = within(10, arrived)
    const end = performance.now() + 50
    while (performance.now() < end);
    expect(await answer).toEqual({ found: 'a' })
  })
})
