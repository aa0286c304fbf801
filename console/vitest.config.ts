import { defineConfig } from 'vitest/config'

/** The browser tests: each file has a service, a simulator and a Chromium of its own, one file after the other. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['../server/test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // As for the other tests: a shared machine may stand still for seconds.
    retry: process.env.CI === undefined ? 0 : 2,
  },
})
