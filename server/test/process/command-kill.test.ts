import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { updateFingerprint } from '../../src/db/sealing-key.ts'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import { makeDatabase, makeEmptyPostgres, onPostgres } from '../support/database.ts'
import {
  type Environment,
  freePorts,
  http,
  manageOver,
  OPERATOR_TOKEN,
  run,
  shopbell,
  startService,
  temporaryFolder,
} from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
const at = (name: string) => join(folder.path, name)

/**
 * Starts a command and kills it as soon as `isThere` returns true.
 * @returns whether it was killed before it ended.
 */
async function killWhen(isThere: () => boolean, args: string[], env: Environment): Promise<boolean> {
  const child = shopbell(args, env)
  const ended = once(child, 'close')
  child.stdout?.resume()
  child.stderr?.resume()
  while (!isThere() && child.exitCode === null) await nextTurn()
  child.kill('SIGKILL')
  await ended
  return child.signalCode === 'SIGKILL'
}

const unfinishedOf = (name: string) => readdirSync(folder.path).filter((one) => one.startsWith(`${name}.`))
const hasIn = (name: string, part: string) => () =>
  unfinishedOf(name).some((one) => existsSync(join(folder.path, one, part)))

/** A stopped service's folder and database, with a shop that has money and products. */
async function filled() {
  const made = onPostgres ? await makeDatabase() : undefined
  const env = {
    DATA_DIR: at('data'),
    ...(made?.url === undefined ? {} : { DATABASE_URL: made.url }),
    ...(await freePorts()),
  }
  const service = await startService(env)
  const { shop, apiKey } = (await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Hoa' })).body.data
  await manageOver(service.url, 'POST', `/shops/${shop._id}/wallet/entries`, { amount: 250_000, note: 'Nạp' })
  const key = { 'x-api-key': `service-partner ${apiKey}` }
  for (let n = 0; n < 5; n++)
    await http(service.url, 'POST', '/api/external/v1/products', { name: `Hoa ${n}`, price: 1000 }, key)
  await service.end('SIGTERM')
  return { env, cli: { ...env, OPERATOR_TOKEN }, shopId: shop._id as string, key, remove: made?.remove }
}

describe('a command that is killed', () => {
  it('backup and restore leave nothing under the name asked for, and run again as if they never had', async () => {
    const { env, cli, shopId, key, remove } = await filled()
    const backup = at('kept')
    for (const part of ['secrets', 'archive', 'check']) {
      expect(await killWhen(hasIn('kept', part), ['backup', backup], cli)).toBe(true)
      expect([existsSync(backup), unfinishedOf('kept').length]).toEqual([false, 1])
    }
    expect(await run(['backup', backup], cli)).toMatchObject({ code: 0, err: '' })
    expect(unfinishedOf('kept')).toEqual([])

    const target = onPostgres ? await makeEmptyPostgres() : undefined
    const restored = {
      DATA_DIR: at('restored'),
      ...(target === undefined ? {} : { DATABASE_URL: target.url }),
      ...(await freePorts()),
    }
    const refused = async () => {
      const settings = { ...restored, REDIS_URL: 'redis://127.0.0.1:9', CONSOLE: '0', PLATFORM: 'simulator' }
      for (const args of [[], ...(onPostgres ? [['--processes', '2']] : [])]) {
        const half = await run(['serve', ...args], settings)
        expect([half.code, half.err]).toEqual([1, expect.stringContaining('run "shopbell restore" again')])
      }
    }
    const begun = () => existsSync(join(restored.DATA_DIR, 'restore-unfinished/manifest.json'))
    expect(await killWhen(begun, ['restore', backup], restored)).toBe(true)
    await refused()
    expect(await run(['restore', backup], restored)).toMatchObject({ code: 0, err: '' })

    // Restores the state after a kill between the first and the last file that is moved to its place.
    const unfinished = join(restored.DATA_DIR, 'restore-unfinished')
    mkdirSync(join(unfinished, 'secrets'), { recursive: true })
    const placedLast = onPostgres ? 'images' : 'pg'
    if (existsSync(join(restored.DATA_DIR, placedLast)))
      renameSync(join(restored.DATA_DIR, placedLast), join(unfinished, placedLast))
    const manifest = execFileSync('tar', ['-xzOf', backup, 'manifest.json']).toString()
    writeFileSync(join(unfinished, 'unpacked'), JSON.stringify(JSON.parse(manifest)))
    await refused()
    const otherKey = await run(['restore', backup], { ...restored, SECRETS_KEY: 'ab'.repeat(32) })
    expect([otherKey.code, otherKey.err]).toEqual([
      1,
      expect.stringContaining('is not the key of this backup'),
    ])
    expect(await run(['restore', backup], restored)).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(restored.DATA_DIR)).not.toContain('restore-unfinished')
    const twice = await run(['restore', backup], restored)
    expect([twice.code, twice.err]).toEqual([1, expect.stringContaining('is not empty')])
    const service = await startService(restored)
    const wallet = await manageOver(service.url, 'GET', `/shops/${shopId}/wallet`)
    expect(wallet.body.data).toEqual({ balance: 250_000, held: 0 })
    const list = await http(service.url, 'GET', '/api/external/v1/products?limit=1', undefined, key)
    expect(list.body.data.meta.total).toBe(5)
    await service.end('SIGTERM')
    await target?.remove()
    expect(existsSync(env.DATA_DIR)).toBe(true)
    await remove?.()
  }, 240_000)

  it('the export of a shop leaves no file under the name asked for, and is written when it runs again', async () => {
    const data = at('exporting')
    const env = { DATA_DIR: data, ...(await freePorts()) }
    const service = await startService(env)
    const { shop } = (await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Hoa' })).body.data
    const file = at('shop.ndjson')
    const args = ['--url', service.url, 'shop', 'export', shop._id, file]
    const cli = { ...env, OPERATOR_TOKEN }
    await killWhen(() => existsSync(`${file}.unfinished`), args, cli)
    rmSync(file, { force: true })
    expect(await run(args, cli)).toMatchObject({ code: 0, err: '' })
    expect(existsSync(`${file}.unfinished`)).toBe(false)
    expect(readFileSync(file, 'utf8').trim().split('\n').at(-1)).toMatch(/^\{"type":"end"/)
    const twice = await run(args, cli)
    expect([twice.code, twice.err]).toEqual([1, expect.stringContaining('already exists')])
    await service.end('SIGTERM')
  }, 60_000)
})

describe.runIf(onPostgres)('migrate that is killed', () => {
  it('goes on to the newest migration when it runs again, wherever it was', async () => {
    const target = await makeEmptyPostgres()
    const whole = await makeEmptyPostgres()
    const envOf = (name: string, url: string) => ({ DATA_DIR: at(name), DATABASE_URL: url })
    const began = performance.now()
    const { code, out } = await run(['migrate'], envOf('migrated', whole.url))
    expect(code).toBe(0)
    const wholeMs = performance.now() - began
    for (const part of [0.4, 0.75]) {
      const killAt = performance.now() + wholeMs * part
      await killWhen(() => performance.now() > killAt, ['migrate'], envOf('migrating', target.url))
    }
    expect(await run(['migrate'], envOf('migrating', target.url))).toEqual({ code: 0, out, err: '' })
    await whole.remove()
    await target.remove()
  }, 120_000)
})

describe.runIf(onPostgres)('secrets reseal that is killed', () => {
  it('leaves each secret sealed by one of the two keys, and seals the rest when it runs again', async () => {
    const { database, url, remove } = await makeDatabase()
    const { db } = database
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
    const sealed = createSecretBox([oldKey])
    const apps = Array.from({ length: 2_000 }, (_, n) => ({
      id: `app-${n}`,
      secret: sealed.seal(`secret ${n}`),
    }))
    await updateFingerprint(db, oldKey)
    await sql`
      insert into platform_apps (app_id, name, app_secret, created_at, updated_at)
      select id, id, decode(secret, 'hex'), now(), now()
      from unnest(${apps.map(({ id }) => id)}::text[], ${apps.map(({ secret }) => secret.toString('hex'))}::text[]) as a (id, secret)`.execute(
      db,
    )
    const anew = createSecretBox([newKey])
    const secrets = async () => {
      const { rows } = await sql<{ app_secret: Buffer }>`
        select app_secret
        from platform_apps
        order by created_at, length(app_id), app_id`.execute(db)
      return rows.map((row) => row.app_secret)
    }
    const resealed = async () => (await secrets()).filter((one) => anew.isSealedAnew(one)).length
    const both = `${newKey.toString('hex')},${oldKey.toString('hex')}`
    const env = { DATABASE_URL: url!, SECRETS_KEY: both, DATA_DIR: at('resealing') }
    const child = shopbell(['secrets', 'reseal'], env)
    const ended = once(child, 'close')
    while ((await resealed()) === 0 && child.exitCode === null) await nextTurn()
    child.kill('SIGKILL')
    await ended
    const before = await resealed()
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(apps.length)
    const { code, out } = await run(['secrets', 'reseal'], env)
    expect([code, out]).toEqual([0, expect.stringContaining(`resealed ${apps.length - before} records`)])
    expect((await secrets()).map((one) => anew.open(one))).toEqual(apps.map((_, n) => `secret ${n}`))
    await remove()
  }, 60_000)
})

describe.runIf(onPostgres)('a move that is killed', () => {
  it('copies nothing, at whatever time, and runs again as if it never had', async () => {
    const env = { DATA_DIR: at('moving'), ...(await freePorts()) }
    const service = await startService(env)
    await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Hoa' })
    await service.end('SIGTERM')
    const target = await makeEmptyPostgres()
    const move = ['move', '--to', target.url]
    const began = performance.now()
    const whole = await makeEmptyPostgres()
    expect(await run(['move', '--to', whole.url], env)).toMatchObject({ code: 0 })
    const wholeMs = performance.now() - began
    for (const part of [0.5, 0.7, 0.85]) {
      const killAt = performance.now() + wholeMs * part
      await killWhen(() => performance.now() > killAt, move, env)
    }
    const again = await run(move, env)
    if (again.code !== 0) expect(again.err).toContain('is not empty')
    const moved = await startService({ ...env, DATABASE_URL: target.url })
    expect((await manageOver(moved.url, 'GET', '/shops')).body.data).toMatchObject([{ name: 'Tiệm Hoa' }])
    await moved.end('SIGTERM')
    await whole.remove()
    await target.remove()
  }, 120_000)
})

/** A small mounted disk, if this machine lets a test mount one. */
function smallDisk(): string | undefined {
  const path = at('disk')
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', path], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  afterAll(() => void execFileSync('umount', [path]))
  return path
}

const disk = smallDisk()
describe.runIf(disk !== undefined)('a full disk', () => {
  it('each command that writes a file is refused in one line and leaves nothing', async () => {
    const env = { DATA_DIR: at('full'), ...(await freePorts()) }
    const service = await startService(env)
    const { shop, apiKey } = (await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Hoa' })).body.data
    const key = { 'x-api-key': `service-partner ${apiKey}` }
    const description = 'x'.repeat(90_000)
    for (let n = 0; n < 12; n++)
      await http(
        service.url,
        'POST',
        '/api/external/v1/products',
        { name: `H ${n}`, price: 1, description },
        key,
      )
    const cli = { ...env, OPERATOR_TOKEN }
    const refused = async (args: string[], given: Environment) => {
      const { code, out, err } = await run(args, given)
      expect({ code, out, lines: err.trim().split('\n').length }, err).toEqual({ code: 1, out: '', lines: 1 })
      expect(err).toMatch(/No space left|ENOSPC|disk is full/)
    }
    await refused(['--url', service.url, 'shop', 'export', shop._id, join(disk!, 'shop')], cli)
    await refused(['--url', service.url, 'backup', join(disk!, 'backup')], cli)
    await refused(['openapi', '--out', join(disk!, 'api.json')], cli)
    const rest = join(disk!, 'rest')
    expect(() => writeFileSync(rest, Buffer.alloc(2_000_000))).toThrow('ENOSPC')
    const person = ['person', 'export', shop._id, '0912345678', '--out', join(disk!, 'person.json')]
    await refused(['--url', service.url, ...person], cli)
    rmSync(rest)
    expect(readdirSync(disk!)).toEqual([])
    const backup = at('on-another-disk')
    expect(await run(['--url', service.url, 'backup', backup], cli)).toMatchObject({ code: 0 })
    await service.end('SIGTERM')
    if (onPostgres) return
    await refused(['restore', backup], { DATA_DIR: join(disk!, 'data') })
    expect(readdirSync(disk!)).toEqual([])
  }, 120_000)
})
