import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { errorLine } from '../../src/process/cli/error-line.ts'
import { onPostgres } from '../support/database.ts'
import { freePorts, NO_PLATFORM, run, startService, temporaryFolder } from '../support/process.ts'
import { SOURCES } from '../support/start-program.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
const isRoot = process.getuid?.() === 0

/** Runs a command as a user without rights of its own, because root may write everywhere. */
async function runAsNobody(
  command: string | string[],
  DATA_DIR: string,
  stream: 'stdout' | 'stderr' = 'stderr',
): Promise<string> {
  const env = { ...NO_PLATFORM, ...(await freePorts()), PATH: process.env.PATH, CONSOLE: '0', DATA_DIR }
  const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}
  const ended = promisify(execFile)(process.execPath, [SOURCES, ...[command].flat()], { env, ...nobody })
  return ended.then(
    (said) => said[stream],
    (said) => said[stream],
  )
}

describe('a data folder that this user cannot write', () => {
  it('stops the start with one line that names it and says what to do', async () => {
    chmodSync(folder.path, 0o755)
    const dataDir = join(folder.path, 'read-only')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o555)
    expect(await runAsNobody('serve', dataDir)).toBe(
      `shopbell: ${dataDir} cannot be written by this user: run as the user of the service, or chown it\n`,
    )
    expect(await runAsNobody('serve', join(dataDir, 'new'))).toMatch(
      /^shopbell: EACCES: permission denied, mkdir '\S+\/read-only\/new': run as the user of the service.*\n$/,
    )
  }, 60_000)

  it('is named with the file of the lock if only that one cannot be written', async () => {
    const dataDir = join(folder.path, 'half')
    mkdirSync(join(dataDir, 'shopbell.lock'), { recursive: true })
    chmodSync(dataDir, 0o777)
    expect(await runAsNobody('serve', dataDir)).toBe(
      `shopbell: ${dataDir}/shopbell.lock cannot be written by this user: run as the user of the service, or chown it\n`,
    )
  }, 60_000)
})

describe.runIf(isRoot)('a data folder that only another user may read', () => {
  it('is named, with who may read it, instead of being called empty', async () => {
    chmodSync(folder.path, 0o755)
    const dataDir = join(folder.path, 'closed')
    mkdirSync(join(dataDir, 'pg'), { recursive: true })
    writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '18\n')
    chmodSync(dataDir, 0o700)
    const says = `${dataDir} cannot be read by this user: run the command as root, who owns it`
    const mine = join(folder.path, 'of-nobody')
    mkdirSync(mine)
    chmodSync(mine, 0o777)
    expect(await runAsNobody(['shop', 'list'], dataDir)).toBe(`shopbell: ${says}\n`)
    expect(await runAsNobody(['backup', join(mine, 'b.shopbell')], dataDir)).toBe(`shopbell: ${says}\n`)
    const lines = (await runAsNobody('doctor', dataDir, 'stdout')).split('\n')
    for (const name of ['operator token', 'secrets key', 'database'])
      expect(lines).toContain(`WRONG  ${name.padEnd(16)}  ${says}`)
  }, 90_000)
})

/** A small file system of its own, which can be filled without harm; only root can mount one. */
async function onSmallDisk(size: string, use: (disk: string) => Promise<void>): Promise<void> {
  const disk = join(folder.path, `disk-${size}`)
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
  try {
    await use(disk)
  } finally {
    execFileSync('umount', ['-l', disk])
  }
}

describe('errorLine', () => {
  it('names the full disk where PostgreSQL found no space', () => {
    const message = 'could not extend file "base/5/1249": No space left on device'
    const error = Object.assign(new Error(message), { code: '53100', severity: 'ERROR' })
    expect(errorLine(error)).toBe(
      `The disk of the database is full (${message}): free some space there, and run the command again`,
    )
  })
})

describe.runIf(isRoot && !onPostgres)('a data folder on a full disk', () => {
  it(
    'stops the first start with one line that says so, and leaves no half database',
    () =>
      onSmallDisk('3m', async (disk) => {
        const dataDir = join(disk, 'data')
        const env = { ...NO_PLATFORM, ...(await freePorts()), CONSOLE: '0', DATA_DIR: dataDir }
        const { code, err } = await run(['serve'], env)
        expect([code, err]).toEqual([
          1,
          `shopbell: The embedded database in ${dataDir}/pg could not be created, because the disk is full: free some space there, and start again\n`,
        ])
        expect(readdirSync(dataDir).filter((name) => name.startsWith('pg'))).toEqual([])
      }),
    60_000,
  )

  it(
    'is named where its database cannot be opened, and no restore is advised',
    () =>
      onSmallDisk('8m', async (disk) => {
        mkdirSync(join(disk, 'pg', 'global'), { recursive: true })
        writeFileSync(join(disk, 'pg', 'PG_VERSION'), '18\n')
        writeFileSync(join(disk, 'pg', 'global', 'pg_control'), Buffer.alloc(8192))
        await expect(openEmbedded(join(disk, 'pg'))).rejects.toThrow(
          /^The disk of \S+\/pg is full \(\d MB free\): free some space there, and run the command again; no data was changed$/,
        )
      }),
    60_000,
  )

  it('stops a restore, which leaves nothing behind that was not there', async () => {
    const service = await startService({ DATA_DIR: join(folder.path, 'source'), ...(await freePorts()) })
    await service.end('SIGTERM')
    const backup = join(folder.path, 'small.shopbell')
    const made = await run(['backup', backup], { DATA_DIR: join(folder.path, 'source') })
    expect(made.code, made.err).toBe(0)
    await onSmallDisk('4m', async (disk) => {
      const { code, err } = await run(['restore', backup], { DATA_DIR: join(disk, 'shops', 'data') })
      expect([code, err]).toEqual([
        1,
        'shopbell: The disk is full: free some space, or use another folder; nothing was changed\n',
      ])
      expect(readdirSync(disk)).toEqual([])

      execFileSync('sh', ['-c', `cat /dev/zero > ${disk}/ballast || true`], { stdio: 'ignore' })
      const dataDir = join(disk, 'shops', 'data')
      const full = await run(['restore', backup], { DATA_DIR: dataDir })
      expect([full.code, full.err]).toEqual([
        1,
        `shopbell: The disk of ${dataDir} is full (0 MB free): free some space there, and run the command again; no data was changed\n`,
      ])
      expect(readdirSync(disk)).toEqual(['ballast'])
    })
  }, 90_000)
})
