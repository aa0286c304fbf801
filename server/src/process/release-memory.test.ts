import { expect, it } from 'vitest'
import { releaseMemoryOfStart } from './release-memory.ts'

const MB = 2 ** 20

it('what only the start needed is returned to the system at once', () => {
  let needed = Array.from({ length: 500_000 }, (_, n) => ({ n, half: n / 2 }))
  const before = process.memoryUsage().heapTotal
  expect(needed).toHaveLength(500_000)
  needed = []
  releaseMemoryOfStart()
  expect(before - process.memoryUsage().heapTotal).toBeGreaterThan(10 * MB)
  expect('gc' in globalThis).toBe(false)
})
