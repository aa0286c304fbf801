import { describe, expect, it } from 'vitest'
import { AT_ONCE, runBulk } from '../src/components/lists/bulk/run-bulk.ts'
import { repriced } from '../src/screens/products/bulk/new-price.ts'

describe('what is done with many rows', () => {
  it('runs a few at a time, names the refused ones, and starts no more once stopped', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => n)
    let now = 0
    let most = 0
    const refusal = new Error('no')
    const act = async (row: number) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      now--
      if (row === 2) throw refusal
    }
    const progress: number[] = []
    const options = {
      isStopped: () => progress.length >= 6,
      isAway: (error: unknown) => error === refusal,
      onProgress: (n: number) => progress.push(n),
    }
    const { done, refused, left } = await runBulk(rows.slice(0, 2), act, options)
    expect({ done, refused, left }).toEqual({ done: [0, 1], refused: [], left: [] })
    const second = await runBulk(rows, act, options)
    expect(most).toBe(AT_ONCE)
    // No response came: running requests end, and no other begins.
    expect(second.refused).toEqual([{ row: 2, error: refusal }])
    expect([...second.done, 2, ...second.left].sort((a, b) => a - b)).toEqual(rows)
    expect(second.left.length).toBeGreaterThan(4)
  })

  it.each([
    [20_000, 10, 1_000, 22_000],
    [15_500, 10, 1_000, 17_000],
    [15_500, -10, 1, 13_950],
    [400, -10, 1_000, 360],
    [1_000, 10, 1_000, 1_100],
    [0, 10, 1_000, 0],
    [20_000, 0, 1_000, 20_000],
  ])('%i đ by %i percent, rounded to %i, is %i', (vnd, percent, stepVnd, after) => {
    expect(repriced(vnd, { percent, stepVnd })).toBe(after)
  })
})
