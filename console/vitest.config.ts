import { defineConfig } from 'vitest/config'
import { preferMemoryDisk } from '../tools/shared/memory-disk.ts'

preferMemoryDisk()

/** The browser tests. Each file has its own service, simulator and Chromium; with three at a time, two cores have no pause. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['../server/test/support/global-setup.ts', 'test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As long as the page's own waits.
    expect: { poll: { timeout: 15_000 } },
  },
})
