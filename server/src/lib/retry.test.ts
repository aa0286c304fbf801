import { describe, expect, it } from 'vitest'
import { pauseAfter, retry, retryBeyondWait } from './retry.ts'

/** Work that fails `times` times, and a record of what happened. */
function failing(times: number) {
  const seen: string[] = []
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries <= times) throw new Error(`${tries}`)
    return tries
  }
  return { work, seen, failed: (error: unknown) => seen.push((error as Error).message) }
}

describe('retry', () => {
  it('returns the result of the first try that succeeds, after one pause for each failure', async () => {
    const { work, seen, failed } = failing(2)
    const startedAt = performance.now()
    expect(await retry([10, 30, 1_000_000], work, failed)).toBe(3)
    expect(performance.now() - startedAt).toBeGreaterThan(38)
    expect(seen).toEqual(['1', '2'])
  })

  it('throws the error of the try after the last pause', async () => {
    const { work, seen, failed } = failing(9)
    await expect(retry([1, 1], work, failed)).rejects.toThrow('3')
    expect(seen).toEqual(['1', '2', '3'])
  })
})

describe('retryBeyondWait', () => {
  it('returns the result of a try while its caller waits', async () => {
    const { work, seen, failed } = failing(2)
    expect(await retryBeyondWait([1, 1, 1], failed, work)).toBe(3)
    expect(seen).toEqual(['1', '2'])
  })

  it('returns undefined after three failed tries, and goes on without its caller until one succeeds', async () => {
    const { work, seen, failed } = failing(5)
    const { promise: done, resolve } = Promise.withResolvers<number>()
    const waited = retryBeyondWait([1, 1, 1, 1, 1, 1], failed, async () => resolve(await work()))
    expect(await waited).toBeUndefined()
    expect(seen).toEqual(['1', '2', '3'])
    expect(await done).toBe(6)
  })

  it('returns undefined when every try failed', async () => {
    const { work, seen, failed } = failing(9)
    expect(await retryBeyondWait([1], failed, work)).toBeUndefined()
    expect(seen).toEqual(['1', '2'])
  })
})

it('the pause after an attempt is the one of its number, and the last one afterwards', () => {
  expect([1, 2, 3, 4, 50].map((tries) => pauseAfter([10, 20, 30], tries))).toEqual([10, 20, 30, 30, 30])
  expect(pauseAfter([10, 20], 0)).toBe(10)
})
