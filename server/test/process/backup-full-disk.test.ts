import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import {
  freePorts,
  http,
  manageOver,
  OPERATOR_TOKEN,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

/** Writes files until the disk has no byte left. */
function fill(disk: string): void {
  for (let size = 16 * 1024 ** 2; size >= 4096; size /= 2) {
    for (let n = 0; ; n++) {
      try {
        writeFileSync(join(disk, `ballast-${size}-${n}`), Buffer.alloc(size))
      } catch {
        break
      }
    }
  }
}

describe.runIf(!onPostgres)('a backup of the running embedded database', () => {
  // A separate file system can be filled without harm; only root can mount one.
  it.runIf(process.getuid?.() === 0)(
    'is refused on a full disk, with the folder and the room it needs, and the service goes on',
    async () => {
      const disk = join(folder.path, 'disk')
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk])
      try {
        const env = { DATA_DIR: join(disk, 'data'), ...(await freePorts()) }
        const service = await startService(env)
        await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Vải' })
        fill(disk)

        const backup = join(folder.path, 'full.shopbell')
        const { code, out, err } = await run(['backup', backup], { ...env, OPERATOR_TOKEN })
        expect([code, out]).toEqual([1, ''])
        expect(err).toMatch(
          /^shopbell: \S+\/disk\/data has 0 MB free, but a copy of the database needs 1\d\d MB: free some space there; nothing was changed\n$/,
        )
        expect(readdirSync(folder.path)).toEqual(['disk'])
        expect((await manageOver(service.url, 'POST', '/snapshots')).status).toBe(503)
        expect((await http(service.url, 'GET', '/health/live')).status).toBe(200)
        expect((await manageOver(service.url, 'GET', '/shops')).body.data).toHaveLength(1)

        execFileSync('sh', ['-c', `rm -f ${disk}/ballast-*`])
        rmSync(backup, { force: true })
        expect((await service.end('SIGTERM')).code).toBe(0)
      } finally {
        execFileSync('umount', ['-l', disk])
        rmSync(disk, { recursive: true })
      }
    },
    90_000,
  )

  it('ends the process with 1 and a fatal line if its checkpoint fails, because the instance is lost', async () => {
    const data = join(folder.path, 'data')
    const service = await startService({ DATA_DIR: data, ...(await freePorts()) })
    // The checkpoint cannot write a file where a folder is.
    mkdirSync(join(data, 'pg', 'pg_logical', 'replorigin_checkpoint.tmp'))
    const ended = once(service.child, 'exit')
    await manageOver(service.url, 'POST', '/snapshots').catch(() => {})
    expect(await ended).toEqual([1, null])
    expect(service.output()).toMatch(/"level":60.*replorigin_checkpoint/)
    expect(readdirSync(data).filter((name) => name.startsWith('snapshot-'))).toEqual([])
    expect(existsSync(join(data, 'pg', 'PG_VERSION'))).toBe(true)
  }, 60_000)
})
