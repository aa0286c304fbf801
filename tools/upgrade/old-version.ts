import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../build/bundle.ts'

const run = promisify(execFile)

/**
 * Checks out a revision of this repository into `root` and installs the packages of its lock file.
 * @throws if git does not know the revision.
 */
export async function checkOut(revision: string, root: string): Promise<{ root: string; commit: string }> {
  const { stdout } = await run('git', ['rev-parse', '--short', '--verify', `${revision}^{commit}`], {
    cwd: ROOT,
  })
  const commit = stdout.trim()
  mkdirSync(root)
  const archive = `${root}.tar`
  await run('git', ['archive', '--output', archive, commit], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', root])
  // The environment may tell npm to leave out development packages, which the sources need.
  await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: root, maxBuffer: 1 << 26 })
  return { root, commit }
}

/** The program of a version, and the Node to run it with. */
export function programOf(root: string): { node: string; main: string } {
  return {
    node: join(root, 'node_modules/.bin/node'),
    main: join(root, 'server/src/process/cli/main.ts'),
  }
}
