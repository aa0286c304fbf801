import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const SOURCES = fileURLToPath(new URL('../../src/process/cli/main.ts', import.meta.url))

/**
 * Uses only V8's fast WebAssembly compiler: for the embedded database, the optimising one takes a third of a start,
 * which pays off only after thousands of statements.
 */
const QUICK_COMPILER = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

export type Environment = Record<string, string>

export type Running = {
  url: string
  child: ChildProcess
  /** Its output so far. */
  output(): string
  /** Sends a signal and waits for the process to end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Runs `shopbell <arguments>` from this file as a separate process. */
export function spawnProgram(file: string, args: string[], env: Environment): ChildProcess {
  const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  return spawn(process.execPath, [...QUICK_COMPILER, file, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Waits until a service reports that it is ready. */
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
