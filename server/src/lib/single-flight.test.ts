import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { singleFlight } from './single-flight.ts'

describe('singleFlight', () => {
  it('runs once for all who ask in one turn of the event loop, at its end', async () => {
    let begun = 0
    const ask = singleFlight(async () => ++begun)
    const asked = [ask('a'), ask('a'), Promise.resolve().then(() => ask('a'))]
    expect(begun).toBe(0)
    expect(await Promise.all(asked)).toEqual([1, 1, 1])
    expect(await ask('a')).toBe(2)
  })

  it('runs once for all who ask during a run, and begins that run after they asked', async () => {
    const ends: (() => void)[] = []
    let begun = 0
    const ask = singleFlight(async () => {
      const mine = ++begun
      await new Promise<void>((resolve) => ends.push(resolve))
      return mine
    })
    const first = ask('a')
    await nextTurn()
    expect(begun).toBe(1)
    const others = [ask('a'), ask('a')]
    await nextTurn()
    expect(begun).toBe(1)
    ends[0]!()
    expect(await first).toBe(1)
    const late = ask('a')
    expect(begun).toBe(2)
    ends[1]!()
    expect(await Promise.all(others)).toEqual([2, 2])
    ends[2]!()
    expect(await late).toBe(3)
  })

  it('a failure reaches those who asked for that run, and no others', async () => {
    let begun = 0
    const ask = singleFlight(async () => {
      begun++
      if (begun === 1) throw new Error('away')
      return begun
    })
    const first = ask('a')
    await nextTurn()
    const second = ask('a')
    await expect(first).rejects.toThrow('away')
    expect(await second).toBe(2)
    expect(await ask('a')).toBe(3)
  })

  it('names do not wait for each other', async () => {
    const ask = singleFlight(async (name) => (name === 'a' ? new Promise<string>(() => {}) : name))
    void ask('a')
    expect(await ask('b')).toBe('b')
  })
})
