import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import {
  type Environment,
  freePorts,
  manageOver,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

/** Starts the service on a system whose umask gives everybody access to new files. */
async function startUnderUmaskZero(...given: Parameters<typeof startService>) {
  const before = process.umask(0)
  try {
    return await startService(...given)
  } finally {
    process.umask(before)
  }
}

/** Every folder and file below `path`, including itself, with its mode. */
function modes(path: string): Map<string, number> {
  const found = new Map([['', lstatSync(path).mode & 0o777]])
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    // SQLite and PostgreSQL remove their own files meanwhile.
    const at = lstatSync(join(path, name), { throwIfNoEntry: false })
    if (at !== undefined) found.set(name, at.mode & 0o777)
  }
  return found
}

function openToOthers(path: string): string[] {
  return [...modes(path)]
    .filter(([name, mode]) => mode !== (lstatSync(join(path, name)).isDirectory() ? 0o700 : 0o600))
    .map(([name, mode]) => `${name} ${mode.toString(8)}`)
}

async function environment(name: string): Promise<Environment & { DATA_DIR: string }> {
  return { DATA_DIR: join(folder.path, name), PLATFORM: 'simulator', ...(await freePorts()) }
}

/** What a start leaves behind that was killed while it created its database, beside a folder that is not its own. */
async function killedFirstStart() {
  for (let attempt = 0; ; attempt++) {
    const env = await environment(`new${attempt}-${Date.now()}`)
    const foreign = join(env.DATA_DIR, 'pg.unfinished-copy')
    mkdirSync(foreign, { recursive: true })
    writeFileSync(join(foreign, 'PG_VERSION'), '18')
    const killed = startService(env, { isFirst: true }).catch(() => 'killed')
    const made = join(env.DATA_DIR, 'pg')
    const unfinished = () =>
      readdirSync(env.DATA_DIR).filter((name) => /^pg.unfinished/.test(name) && name !== 'pg.unfinished-copy')
    const isMaking = () => unfinished().some((name) => existsSync(join(env.DATA_DIR, name, 'pg', 'base')))
    await eventually(async () => isMaking() || existsSync(made), 30_000)
    process.kill(Number(readFileSync(join(env.DATA_DIR, 'shopbell.pid'), 'utf8')), 'SIGKILL')
    await killed
    // On a busy machine, the database may be complete by the time that this process checks.
    if (!existsSync(made)) return { env, foreign, unfinished }
    if (attempt === 4) throw new Error('each of five starts made its database before it was killed')
  }
}

describe.runIf(!onPostgres)('the data folder of the embedded database', () => {
  it('ready at the next start after kill -9 in the first one, which removes what that left and nothing else; all its files are 0600 in folders 0700 under umask 0, at once, later, and at the next start those of an open folder', async () => {
    const { env, foreign, unfinished } = await killedFirstStart()
    const first = await startUnderUmaskZero(env, { isFirst: true })
    expect(readFileSync(join(foreign, 'PG_VERSION'), 'utf8')).toBe('18')
    rmSync(foreign, { recursive: true })
    expect(openToOthers(env.DATA_DIR)).toEqual([])
    await manageOver(first.url, 'POST', '/shops', { name: 'Tiệm Trà' })
    await first.end('SIGTERM')
    // Removed by the next start, or at its end by the process that the killed start left behind.
    await eventually(async () => unfinished().length === 0, 30_000)
    expect(openToOthers(env.DATA_DIR)).toEqual([])

    // As earlier versions and careless copies leave it.
    for (const name of modes(env.DATA_DIR).keys()) {
      chmodSync(join(env.DATA_DIR, name), 0o777)
    }
    const again = await startUnderUmaskZero(env)
    expect(openToOthers(env.DATA_DIR)).toEqual([])
    expect((await manageOver(again.url, 'GET', '/shops')).body.data).toHaveLength(1)
    await again.end('SIGTERM')
  }, 120_000)

  it('one line and nothing touched where a file is missing, empty, or of another PostgreSQL; with the file back it starts with its shops', async () => {
    const env = await environment('broken')
    const service = await startService(env)
    await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Gốm' })
    await service.end('SIGTERM')
    const pg = join(env.DATA_DIR, 'pg')
    const snapshot = () =>
      [...modes(pg).keys()].map((name) => {
        const { mtimeMs, size, mode } = lstatSync(join(pg, name))
        return `${name} ${mtimeMs} ${size} ${mode}`
      })

    for (const [name, content, commands] of [
      ['PG_VERSION', undefined, ['serve', 'migrate']],
      ['PG_VERSION', '15\n', ['serve']],
      ['PG_VERSION', '', []],
      ['global/pg_control', undefined, ['serve']],
      ['global/pg_control', '', []],
    ] as const) {
      const path = join(pg, name)
      const whole = readFileSync(path)
      if (content === undefined) rmSync(path)
      else writeFileSync(path, content)
      const before = snapshot()
      for (const command of commands) {
        const { code, out, err } = await run([command], { ...env, CONSOLE: '0' })
        expect({ code, out, lines: err.trim().split('\n').length }, err).toEqual({
          code: 1,
          out: '',
          lines: 1,
        })
        expect(err).toContain(path)
      }
      await expect(openEmbedded(pg)).rejects.toThrow(path)
      expect(snapshot()).toEqual(before)
      writeFileSync(path, whole)
    }

    const again = await startService(env)
    expect((await manageOver(again.url, 'GET', '/shops')).body.data).toHaveLength(1)
    await again.end('SIGTERM')
  }, 120_000)
})
