/** Random choices, repeatable with the same seed. */
export type Random = {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number from 0 to `n` - 1. */
  below(n: number): number
  pick<T>(list: readonly T[]): T
  /** True with this probability. */
  chance(share: number): boolean
}

/** The choices of request number `n` of a run, independent of the other requests (mulberry32). */
export function seeded(seed: number, n = 0): Random {
  let state = (seed ^ Math.imul(n + 1, 0x9e3779b1)) >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return {
    next,
    below,
    pick: (list) => list[below(list.length)]!,
    chance: (share) => next() < share,
  }
}
