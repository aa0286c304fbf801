import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../shared/child-process.ts'
import type { Policy } from './plan.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-chaos'

const CLI = fileURLToPath(new URL('../../server/src/process/cli/main.ts', import.meta.url))
const START_TRIES = 20

// An interrupted run must not leave its processes behind.
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** The service's processes, each with its API and its workers, on one database. */
export type Processes = {
  urls: string[]
  /** The addresses of the running processes, as a load balancer knows them; all addresses if none is running. */
  urlsUp(): string[]
  /**
   * Kills processes immediately and restarts them after a while; a process that is still down is killed once it is up.
   */
  kill(which: number[], downMs: number): Promise<void>
  /** Freezes a process for `forMs`, as happens on a machine that swaps or migrates. */
  freeze(which: number, forMs: number): Promise<void>
  /** Stops all processes gracefully; processes that did not end cleanly are added to the problems. */
  stop(): Promise<void>
  /** Unexpected behaviour of processes. */
  problems: string[]
  remove(): Promise<void>
}

type Running = { child: ChildProcess; output: () => string; isEnding: boolean }

/** Starts `count` processes; the first one alone, because it creates the database. */
export async function startProcesses(given: {
  folder: string
  count: number
  databaseUrl: string | undefined
  platformUrl: string
  policies: Policy[]
}): Promise<Processes> {
  const { folder, count, databaseUrl, platformUrl, policies } = given
  const secretsKey = randomBytes(32).toString('hex')
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const problems: string[] = []
  const running = new Map<number, Running>()
  const kills = new Map<number, Promise<void>>()
  let starts = 0

  async function start(which: number): Promise<void> {
    const policy = policies[starts++ % policies.length]!
    const env = {
      PORT: String(ports[which]),
      DATA_DIR: join(folder, `data-${which}`),
      DEMO: '0',
      CONSOLE: '0',
      DRAIN_SECONDS: '0',
      LOG_LEVEL: process.env.CHAOS_LOG ?? 'fatal',
      OPERATOR_TOKEN,
      SECRETS_KEY: secretsKey,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      PLATFORM_BUSINESS_URL: platformUrl,
      PLATFORM_OPENAPI_URL: platformUrl,
      PLATFORM_OAUTH_URL: platformUrl,
      PLATFORM_STRICT: '0',
      PLATFORM_IMAGES: 'link',
      PLATFORM_RATE_PER_MINUTE: '60000',
      UNKNOWN_POLICY: policy,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    }
    for (let tries = 1; ; tries++) {
      try {
        running.set(which, await startOne(env, (line) => problems.push(`process ${which} ${line}`)))
        return
      } catch (error) {
        // The database may be unavailable at this moment; a supervisor would restart the process.
        if (tries === START_TRIES) throw error
        await pause(500)
      }
    }
  }

  await start(0)
  await Promise.all(ports.slice(1).map((_, n) => start(n + 1)))

  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  return {
    urls,
    urlsUp() {
      const up = urls.filter((_, which) => running.get(which)?.isEnding === false)
      return up.length > 0 ? up : urls
    },
    problems,
    async kill(which, downMs) {
      await Promise.all(
        which.map((n) => {
          const done = (kills.get(n) ?? Promise.resolve()).then(async () => {
            await end(running.get(n)!, 'SIGKILL')
            await pause(downMs)
            await start(n)
          })
          kills.set(n, done)
          return done
        }),
      )
    },
    async freeze(which, forMs) {
      const { child } = running.get(which)!
      child.kill('SIGSTOP')
      await pause(forMs)
      child.kill('SIGCONT')
    },
    async stop() {
      for (const [which, one] of running) {
        const code = await end(one, 'SIGTERM')
        if (code !== 0) problems.push(`process ${which} ended with ${code} at SIGTERM: ${one.output()}`)
      }
    },
    async remove() {
      await Promise.all([...running.values()].map((one) => end(one, 'SIGKILL')))
    },
  }
}

async function startOne(env: Record<string, string>, report: (line: string) => void): Promise<Running> {
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  let text = ''
  const one: Running = { child, output: () => text, isEnding: false }
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text = `${text}${chunk}`.slice(-4_000)
      if (process.env.CHAOS_LOG !== undefined) process.stderr.write(chunk)
      if (/ready at/.test(text)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`a process ended with ${code} at its start:\n${text}`)))
  })
  child.once('exit', (code, signal) => {
    if (!one.isEnding) report(`ended by itself with ${code ?? signal}: ${text}`)
  })
  return one
}

async function end(one: Running, signal: NodeJS.Signals): Promise<number | null> {
  one.isEnding = true
  const { child } = one
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    // A frozen process reacts only to SIGKILL.
    child.kill('SIGCONT')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}
