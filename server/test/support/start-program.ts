import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const SOURCES = fileURLToPath(new URL('../../src/process/cli/main.ts', import.meta.url))

/**
 * Only the quick compiler of WebAssembly: what the slow one does for the embedded database takes a third of a start, and
 * pays for itself after thousands of statements only.
 */
const QUICK_COMPILER = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

export type Environment = Record<string, string>

export type Running = {
  url: string
  child: ChildProcess
  /** What it printed so far. */
  output(): string
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** `shopbell <arguments>` as a process of its own, from this file of it. */
export function spawnProgram(file: string, args: string[], env: Environment): ChildProcess {
  const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  return spawn(process.execPath, [...QUICK_COMPILER, file, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Waits until a service says that it is ready. */
export async function whenReady(child: ChildProcess): Promise<Running> {
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk
      const match = /ready at (\S+)/.exec(text)
      if (match?.[1] !== undefined) resolve(match[1])
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} at its start:\n${text}`)))
  })
  return {
    url,
    child,
    output: () => text,
    async end(signal) {
      const ended = once(child, 'exit')
      child.kill(signal)
      const [code, by] = (await ended) as [number | null, NodeJS.Signals | null]
      return { code, signal: by }
    },
  }
}
