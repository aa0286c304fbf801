import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../build/bundle.ts'

const run = promisify(execFile)

/** A revision of this repository in a folder of its own, with what its lock file names installed. @throws if git does not know it. */
export async function checkOut(revision: string, root: string): Promise<{ root: string; commit: string }> {
  const { stdout } = await run('git', ['rev-parse', '--short', '--verify', `${revision}^{commit}`], {
    cwd: ROOT,
  })
  const commit = stdout.trim()
  mkdirSync(root)
  const archive = `${root}.tar`
  await run('git', ['archive', '--output', archive, commit], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', root])
  // Whoever runs this may have told npm to leave out what the sources need.
  await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: root, maxBuffer: 1 << 26 })
  return { root, commit }
}

/** The command line of a version, and the Node that it is run with. */
export function programOf(root: string): { node: string; main: string } {
  return {
    node: join(root, 'node_modules/.bin/node'),
    main: join(root, 'server/src/process/cli/main.ts'),
  }
}
