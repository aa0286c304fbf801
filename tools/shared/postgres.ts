import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './child-process.ts'

const BINARIES = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql*/bin']

export type RestartMode = 'fast' | 'immediate'

/** A PostgreSQL server only for this run, in a temporary folder; it may be restarted. */
export type OwnPostgres = {
  url: string
  version: string
  restart(mode: RestartMode): Promise<void>
  /** Starts a standby of this server on the same machine. */
  startStandby(): Promise<OwnPostgres>
  remove(): Promise<void>
}

/** The newest server binaries of this machine, or undefined. */
export function findPostgres(): string | undefined {
  const found = BINARIES.flatMap((pattern) => globSync(pattern)).filter((bin) =>
    existsSync(join(bin, 'initdb')),
  )
  return found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
}

/**
 * Creates a cluster and starts its server on a free port of the loopback interface, with fsync on, the default.
 * @throws if it does not start, or another server responds there.
 */
export async function startOwnPostgres(bin: string): Promise<OwnPostgres> {
  return startServer(bin, (data, asOwner) =>
    asOwner(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-locale']),
  )
}

type AsOwner = (command: string, args: string[]) => Promise<void>

async function startServer(
  bin: string,
  makeData: (data: string, asOwner: AsOwner) => Promise<void>,
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-own-pg-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  // initdb and postgres refuse to run as root.
  const asOwner: AsOwner = (command, args) =>
    isRoot ? run('runuser', ['-u', 'postgres', '--', command, ...args], folder) : run(command, args, folder)
  const control = (...args: string[]) => asOwner(join(bin, 'pg_ctl'), ['-D', data, '-w', ...args])

  async function remove(): Promise<void> {
    if (existsSync(join(data, 'postmaster.pid'))) await control('-m', 'immediate', 'stop').catch(() => {})
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    if (isRoot) await run('chown', ['postgres', folder], folder)
    await makeData(data, asOwner)
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200`
    await control('-l', join(folder, 'log'), '-o', options, 'start')
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const shown = await show(url, ['data_directory', 'fsync', 'server_version'])
    if (shown.data_directory !== data) throw new Error(`not the server just started: ${shown.data_directory}`)
    if (shown.fsync !== 'on') throw new Error('fsync is off: a restart would prove nothing')
    return {
      url,
      version: shown.server_version!,
      async restart(mode) {
        // pg_ctl keeps the options of the last start.
        await control('-l', join(folder, 'log'), '-m', mode, 'restart')
      },
      // -R makes the copy follow its original server.
      startStandby: () =>
        startServer(bin, (copy, asOwnerOfCopy) =>
          asOwnerOfCopy(join(bin, 'pg_basebackup'), ['-d', url, '-D', copy, '-R', '-c', 'fast']),
        ),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function show(url: string, names: string[]): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const shown: Record<string, string> = {}
  for (const name of names) shown[name] = (await client.query(`show ${name}`)).rows[0][name]
  await client.end()
  return shown
}

/** Runs a command to its end. Its output is not read: the server that pg_ctl starts keeps the pipe open. */
async function run(command: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}
