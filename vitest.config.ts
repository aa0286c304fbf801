import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'server/src/**/*.test.ts',
      'server/test/**/*.test.ts',
      'simulator/test/**/*.test.ts',
      'client/test/**/*.test.ts',
    ],
    setupFiles: ['server/test/support/setup.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    // One database a worker, opened once and shared by the files that run there: each test makes its own shop.
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
