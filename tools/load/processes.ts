import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export type Child = { process: ChildProcess; url: string }

/** Starts a script and waits for its line that ends in its address. `BENCH_PROFILE`: a folder for its CPU profile. */
export async function start(script: string, args: string[], env: Record<string, string>): Promise<Child> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const profile = process.env.BENCH_PROFILE
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const child = spawn(process.execPath, [...flags, path, ...args], {
    env: { PATH: process.env.PATH ?? '', DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const match = /(?:ready at|platform:) (http\S+)/.exec(text)
      if (match?.[1] !== undefined) resolve(match[1])
    })
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}:\n${text}`)))
  })
  return { process: child, url }
}

export async function stop(child: Child): Promise<void> {
  const ended = once(child.process, 'exit')
  child.process.kill('SIGTERM')
  await ended
}

/** Runs one statement on a server, for making and dropping databases. */
export async function onServer(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}
