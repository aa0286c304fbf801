import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { programOf } from './old-version.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-upgrade'

/** A running service of some version. `end` stops it. @throws from `end` if it did not end gracefully. */
export type Running = { url: string; printed: string; end(): Promise<void> }

// A run that fails must not leave its services behind.
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts `serve` of the version in `root`, and waits until it is ready. */
export async function startVersion(root: string, settings: Record<string, string>): Promise<Running> {
  const { node, main } = programOf(root)
  const child = spawn(node, [main, 'serve'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      CONSOLE: '0',
      LOG_LEVEL: 'warn',
      OPERATOR_TOKEN,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const ended = once(child, 'exit') as Promise<[number | null]>
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const ready = /ready at (\S+)/.exec(printed)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    child.once('exit', (code) => reject(new Error(`${main} ended with ${code} at its start:\n${printed}`)))
  })
  return {
    url,
    printed,
    async end() {
      child.kill('SIGTERM')
      const [code] = await ended
      children.delete(child)
      if (code !== 0) throw new Error(`${main} ended with ${code} when it was asked to stop`)
    },
  }
}
