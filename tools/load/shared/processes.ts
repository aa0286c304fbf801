import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { GIVE_BACK_MEMORY, NEW_SPACE } from '../../../server/bin/start-again.js'
import { startNode, stopChild } from '../../shared/child-process.ts'

export type Child = { process: ChildProcess; url: string }

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** As `npm start` and the package's `shopbell` set them. */
const AS_DEPLOYED = { NODE_OPTIONS: NEW_SPACE, ...GIVE_BACK_MEMORY }

/** Starts a script, named from the root of the repository, and waits for the line with its address. `BENCH_PROFILE`: a folder for its CPU profile. */
export async function start(script: string, args: string[], env: Record<string, string>): Promise<Child> {
  const path = resolve(ROOT, script)
  const profile = process.env.BENCH_PROFILE
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const ready = /(?:ready at|platform:) (http\S+)/
  const { child, output } = await startNode({
    args: [...flags, path, ...args],
    env: { PATH: process.env.PATH, DRAIN_SECONDS: '0', ...AS_DEPLOYED, ...env },
    ready,
  })
  return { process: child, url: ready.exec(output)![1]! }
}

export async function stop(child: Child): Promise<void> {
  await stopChild(child.process)
}

/** Runs one statement on a server, to create or drop a database. */
export async function onServer(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}
