import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import {
  type Environment,
  freePorts,
  http,
  NO_PLATFORM,
  program,
  temporaryFolder,
} from '../support/process.ts'
import { whenReady } from '../support/start-program.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Starts a service through another program, and returns that one with the service's own process id. */
async function startThrough(command: string, args: string[], name: string, env: Environment = {}) {
  const DATA_DIR = join(folder.path, name)
  const ownPort = await freePorts()
  const settings = { ...NO_PLATFORM, ...ownPort, DATA_DIR, DEMO: '0', CONSOLE: '0', LOG_LEVEL: 'warn' }
  const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  const starter = spawn(command, args, {
    cwd: ROOT,
    env: { ...inherited, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { url } = await whenReady(starter)
  const file = join(DATA_DIR, 'service.json')
  const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
  return { starter, url, pid, isOrderly: () => !existsSync(file) }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a service that npm started', () => {
  it.each([
    ['npx', ['shopbell', 'serve']],
    ['npm', ['start']],
  ])(
    'stops in an orderly way after SIGTERM to %s, which passes the signal to its shell only',
    async (command, args) => {
      const { starter, url, pid, isOrderly } = await startThrough(command, args, command)
      try {
        expect((await http(url, 'GET', '/health/live')).status).toBe(200)
        starter.kill('SIGTERM')
        await eventually(async () => !isRunning(pid), 20_000)
        expect(isOrderly()).toBe(true)
      } finally {
        if (isRunning(pid)) process.kill(pid, 'SIGKILL')
      }
    },
    90_000,
  )

  it.runIf(process.platform === 'linux')(
    'has more room for new objects, and a glibc that gives memory back',
    async () => {
      const { pid } = await startThrough('npx', ['shopbell', 'serve'], 'settings')
      try {
        const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0')
        expect(read('cmdline')).toContain('--max-semi-space-size=8')
        expect(read('environ')).toEqual(expect.arrayContaining(['MALLOC_MMAP_THRESHOLD_=32768']))
      } finally {
        process.kill(pid, 'SIGKILL')
      }
    },
    90_000,
  )

  it('goes on when the shell ends that put it in the background', async () => {
    const script = `"${process.execPath}" "${program()}" serve & wait`
    const env = { npm_lifecycle_event: 'daemon', npm_lifecycle_script: 'nohup shopbell serve & wait' }
    const { starter, url, pid } = await startThrough('sh', ['-c', script], 'background', env)
    try {
      expect(starter.pid).not.toBe(pid)
      const ended = once(starter, 'exit')
      starter.kill('SIGKILL')
      await ended
      await pause(3_000)
      expect((await http(url, 'GET', '/health/live')).status).toBe(200)
    } finally {
      process.kill(pid, 'SIGKILL')
    }
  }, 90_000)
})
