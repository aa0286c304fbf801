import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startLoop } from './loop.ts'

describe('a loop', () => {
  it('goes on after a round that fails, never two at a time', async () => {
    const errors: unknown[] = []
    let rounds = 0
    let atWork = 0
    const stop = startLoop({ everyMs: 1, failed: (error) => errors.push(error) }, async () => {
      rounds += 1
      atWork += 1
      await pause(3)
      expect(atWork).toBe(1)
      atWork -= 1
      if (rounds === 2) throw new Error('no')
    })
    await expect.poll(() => rounds, { timeout: 10_000 }).toBeGreaterThan(3)
    await stop()
    expect(errors).toEqual([new Error('no')])
  })

  it('waits as long as the round says, otherwise its own time', async () => {
    const said: number[] = []
    let silentRounds = 0
    const startedAt = performance.now()
    const saying = startLoop({ everyMs: 1_000_000, firstMs: 20, failed: () => {} }, async () => {
      said.push(performance.now())
      return [0, 30][said.length - 1] ?? 1_000_000
    })
    const silent = startLoop({ everyMs: 1_000_000, failed: () => {} }, async () => {
      silentRounds += 1
    })
    await expect.poll(() => said.length, { timeout: 10_000 }).toBe(3)
    await Promise.all([saying(), silent()])
    expect(silentRounds).toBe(1)
    expect(said[0]! - startedAt).toBeGreaterThan(18)
    expect(said[2]! - said[1]!).toBeGreaterThan(28)
  })

  it('a stop ends the pause, aborts the round’s signal and waits for the round', async () => {
    const paused = startLoop({ everyMs: 1_000_000, failed: () => {} }, async () => {})
    await pause(5)
    await paused()
    let isDone = false
    const working = startLoop({ everyMs: 1_000_000, failed: () => {} }, async (stopping) => {
      await pause(1_000_000, undefined, { signal: stopping }).catch(() => {})
      isDone = true
    })
    await working()
    expect(isDone).toBe(true)
    const early = startLoop({ everyMs: 1, firstMs: 1_000_000, failed: () => {} }, async () => {
      isDone = false
    })
    await early()
    expect(isDone).toBe(true)
  })
})
