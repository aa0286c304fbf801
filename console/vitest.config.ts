import { defineConfig } from 'vitest/config'
import { preferMemoryDisk } from '../tools/shared/memory-disk.ts'

preferMemoryDisk()

/**
 * The browser tests. Each file has its own service and simulator, on a copy of the demo shop; a worker's files share its
 * Chromium, one after the other. With three at a time, two cores have no pause.
 */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['../server/test/support/global-setup.ts', 'test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Longer than the page's own waits, which take twice as long on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
})
