import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Writes the paths of the test files that failed into the file that `FAILED_FILES` names, one a line. An error outside of
 * tests counts for the file that was running. Nothing is written where no file can be named.
 */
export default class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly object[]): void {
    const failed = modules.filter((one) => one.state() === 'failed').map((one) => one.moduleId)
    const running = errors.flatMap((error) => ('VITEST_TEST_PATH' in error ? [error.VITEST_TEST_PATH] : []))
    const files = new Set([...failed, ...running])
    if (files.size > 0) writeFileSync(process.env.FAILED_FILES!, `${[...files].join('\n')}\n`)
  }
}
