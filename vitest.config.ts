import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { preferMemoryDisk } from './tools/shared/memory-disk.ts'

preferMemoryDisk()

/** Files that start processes of their own wait for most of a minute: begun last, one would be waited for alone. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const startsProcesses = (file: TestSpecification) => file.moduleId.includes('/server/test/process/')
    return [...sorted.filter(startsProcesses), ...sorted.filter((file) => !startsProcesses(file))]
  }
}

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
    // Tests wait for processes and, on PostgreSQL, for the database: with two at a time, two cores stand still for a fifth of the run.
    maxWorkers: 3,
    sequence: { sequencer: ProcessesFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
