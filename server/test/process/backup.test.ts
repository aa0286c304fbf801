import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { makeDatabase, makeEmptyPostgres, onPostgres } from '../support/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import {
  type Environment,
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
const at = (name: string) => join(folder.path, name)

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** A database to restore into: an empty PostgreSQL database if the run uses PostgreSQL. */
async function emptyTarget(): Promise<{ env: Environment; remove(): Promise<void> }> {
  if (!onPostgres) return { env: {}, remove: async () => {} }
  const { url, remove } = await makeEmptyPostgres()
  return { env: { DATABASE_URL: url }, remove }
}

/** Fails unless the command ends with code 1 and one line that contains `says`. */
async function expectRefused(args: string[], env: Environment, says: string): Promise<void> {
  const { code, out, err } = await run(args, env)
  expect({ code, out, lines: err.trim().split('\n').length }, err).toEqual({ code: 1, out: '', lines: 1 })
  expect(err).toContain(says)
}

/** A running service with a shop that has money, a secret, an image and 30 products, with line separators that end no line of a dump. */
async function filledService(env: Environment) {
  const service = await startService(env)
  const made = (await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Hoa' })).body.data
  const path = `/shops/${made.shop._id}`
  await manageOver(service.url, 'POST', `${path}/wallet/entries`, { amount: 250_000, note: 'Nạp' })
  const account = {
    oaId: 'oa-backup',
    name: 'Hoa',
    appId: 'app',
    secretKey: 'a secret',
    accessToken: 'token',
  }
  expect((await manageOver(service.url, 'POST', `${path}/official-accounts`, account)).status).toBe(201)
  const key = { 'x-api-key': `service-partner ${made.apiKey}` }
  const image = await fetch(`${service.url}/api/external/v1/images`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'image/png' },
    body: PNG,
  })
  expect(image.status).toBe(201)
  const addProduct = (n: number) =>
    http(
      service.url,
      'POST',
      '/api/external/v1/products',
      { name: `Hoa ${n}`, description: 'một\u2028hai\u2029ba', price: 1000 + n },
      key,
    )
  for (let n = 0; n < 30; n++) await addProduct(n)
  const imageUrl: string = ((await image.json()) as { data: { url: string } }).data.url
  return { service, shopPath: path, key, addProduct, imagePath: new URL(imageUrl).pathname }
}

describe('shopbell backup and restore', () => {
  it('back up while requests write, and restored elsewhere hold all that was there before, with its secrets and images, for their owner only; each fault is one line and changes nothing', async () => {
    const made = onPostgres ? await makeDatabase() : undefined
    const env: Environment & { DATA_DIR: string } = {
      DATA_DIR: at('data'),
      ...(made?.url === undefined ? {} : { DATABASE_URL: made.url }),
      ...(await freePorts()),
    }
    const { service, shopPath, key, addProduct, imagePath } = await filledService(env)
    const cli = { ...env, PLATFORM: 'simulator', OPERATOR_TOKEN }
    const backup = at('first.shopbell')
    let isDone = false
    let written = 30
    const writing = (async () => {
      while (!isDone) {
        expect((await addProduct(written)).status).toBe(200)
        written += 1
      }
    })()
    const { code, out, err } = await run(['--json', 'backup', backup], cli)
    isDone = true
    await writing
    expect([code, err]).toEqual([0, ''])
    const { data } = JSON.parse(out)
    expect(data).toMatchObject({ images: 1, hasSealingKey: true, facts: { ledgerDifferences: 0 } })
    const products: number = data.facts.tables['public.products'].rows
    expect(products).toBeGreaterThanOrEqual(30)
    expect(products).toBeLessThanOrEqual(written)
    expect(written).toBeGreaterThan(30)
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder.path).sort()).toEqual(['data', 'first.shopbell'])
    expect(readdirSync(env.DATA_DIR).filter((name) => name.startsWith('snapshot-'))).toEqual([])

    await expectRefused(['backup', backup], cli, 'already exists')
    await expectRefused(['backup', at('none/x')], cli, 'does not exist: create it')
    if (!onPostgres) {
      const elsewhere = await startService({ DATA_DIR: at('other'), ...(await freePorts()) })
      await expectRefused(['--url', elsewhere.url, 'backup', at('x')], cli, 'another data folder')
      await elsewhere.end('SIGTERM')
      rmSync(at('other'), { recursive: true })
      await expectRefused(
        ['move', '--to', 'postgres://postgres@127.0.0.1:9/none'],
        cli,
        'is in use by process',
      )
      await expectRefused(['restore', backup], cli, 'is in use by process')
    }
    await service.end('SIGTERM')
    const away = await run(['backup', '--without-key', at('second.shopbell')], cli)
    expect([away.code, away.err]).toEqual([0, ''])
    expect(away.out).toContain('does not contain the sealing key')
    expect(execFileSync('tar', ['-tzf', at('second.shopbell')]).toString()).not.toContain('secrets-key')
    await expectRefused(['backup', at('x')], { ...cli, SECRETS_KEY: 'b'.repeat(64) }, 'SECRETS_KEY')

    // Unusable files and wrong targets.
    const target = await emptyTarget()
    const fresh = { ...target.env, DATA_DIR: at('restored'), ...(await freePorts()) }
    writeFileSync(at('half'), readFileSync(backup))
    truncateSync(at('half'), Math.floor(statSync(backup).size / 2))
    await expectRefused(['restore', at('half')], fresh, 'not a complete Shopbell backup')
    writeFileSync(at('text'), 'hello')
    await expectRefused(['restore', at('text')], fresh, 'not a complete Shopbell backup')
    await expectRefused(['restore', at('none')], fresh, 'does not exist')
    const changed = (change: (manifest: typeof data) => void, name: string) => {
      const work = at('work')
      mkdirSync(work)
      execFileSync('tar', ['-xzf', backup, '-C', work])
      const manifest = JSON.parse(readFileSync(join(work, 'manifest.json'), 'utf8'))
      change(manifest)
      writeFileSync(join(work, 'manifest.json'), JSON.stringify(manifest))
      execFileSync('tar', ['-czf', at(name), '-C', work, ...readdirSync(work)])
      rmSync(work, { recursive: true })
      return at(name)
    }
    const later = changed(
      (manifest) => Object.assign(manifest, { schema: '9999', version: '9.0.0' }),
      'later',
    )
    await expectRefused(['restore', later], fresh, 'is of Shopbell 9.0.0, schema 9999')
    const wrong = changed((manifest) => {
      manifest.facts.tables['public.products'].rows += 1
    }, 'wrong')
    await expectRefused(['restore', wrong], fresh, 'public.products has')
    await expectRefused(['restore', backup], { ...fresh, ...cli }, 'is not empty')
    await expectRefused(['restore', at('second.shopbell')], fresh, 'without its sealing key')
    await expectRefused(
      ['restore', backup],
      { ...fresh, SECRETS_KEY: 'b'.repeat(64) },
      'SECRETS_KEY is not the key',
    )
    if (onPostgres) {
      await expectRefused(['restore', backup], { DATA_DIR: fresh.DATA_DIR }, 'set DATABASE_URL')
      await expectRefused(['restore', backup], { ...fresh, DATABASE_URL: made!.url! }, 'is not empty')
    } else {
      const url = 'postgres://postgres@127.0.0.1:9/none'
      await expectRefused(['restore', backup], { ...fresh, DATABASE_URL: url }, 'shopbell move --to')
    }
    expect(existsSync(fresh.DATA_DIR)).toBe(false)
    mkdirSync(fresh.DATA_DIR, { mode: 0o700 })
    for (const name of ['operator-token', 'simulator-secret', 'demo-api-key']) {
      writeFileSync(join(fresh.DATA_DIR, name), 'of another service')
      await expectRefused(['restore', backup], fresh, `is not empty (${name})`)
      expect(readFileSync(join(fresh.DATA_DIR, name), 'utf8')).toBe('of another service')
      rmSync(join(fresh.DATA_DIR, name))
    }
    expect(readdirSync(fresh.DATA_DIR)).toEqual([])

    const restored = await run(['restore', backup], fresh)
    expect([restored.code, restored.err]).toEqual([0, ''])
    const open = readdirSync(fresh.DATA_DIR).filter(
      (name) => statSync(join(fresh.DATA_DIR, name)).mode & 0o077,
    )
    expect(open).toEqual([])
    const again = await startService(fresh)
    const wallet = await manageOver(again.url, 'GET', `${shopPath}/wallet`)
    expect(wallet.body.data).toEqual({ balance: 250_000, held: 0 })
    const list = await http(again.url, 'GET', '/api/external/v1/products?limit=1', undefined, key)
    expect(list.body.data.meta.total).toBe(products)
    expect((await fetch(again.url + imagePath)).status).toBe(200)
    await again.end('SIGTERM')
    await target.remove()
    await made?.remove()
  }, 300_000)

  it.runIf(!onPostgres)('1 and one line where there is no database', async () => {
    await expectRefused(['backup', at('x')], { DATA_DIR: at('nothing') }, 'holds no database')
    await expectRefused(
      ['move', '--to', 'postgres://127.0.0.1:9/x'],
      { DATA_DIR: at('nothing') },
      'holds no database',
    )
    await expectRefused(['move', '--to', 'mysql://127.0.0.1/x'], { DATA_DIR: at('nothing') }, 'postgres://')
    expect(existsSync(at('nothing'))).toBe(false)
  })
})

describe.runIf(onPostgres)('shopbell move --to', () => {
  it('an empty database of PostgreSQL has every row of the demo afterwards, and the service goes on there; a target that is away or has rows is refused, and so is a copy that differs', async () => {
    const env = { DATA_DIR: at('moved'), ...(await freePorts()) }
    const service = await startService({ ...env, DEMO: '1', PLATFORM: 'simulator' })
    const shops = (await manageOver(service.url, 'GET', '/shops')).body.data
    const shopId = shops[0]._id
    const wallet = (await manageOver(service.url, 'GET', `/shops/${shopId}/wallet`)).body
    await service.end('SIGTERM')
    const away = 'postgres://postgres@127.0.0.1:9/none'
    await expectRefused(['move', '--to', away], env, 'PostgreSQL at 127.0.0.1')
    const used = await makeDatabase()
    await sql`insert into platform_apps (app_id, name, created_at, updated_at) values ('a', 'a', now(), now())`.execute(
      used.database.db,
    )
    await expectRefused(['move', '--to', used.url!], env, 'is not empty (public.platform_apps has rows)')
    await used.remove()

    const others = await makeEmptyPostgres()
    const connection = openPostgres(others.url, { max: 1 })
    await sql`create table notes (text text)`.execute(connection.db)
    await expectRefused(['move', '--to', others.url], env, 'another program')
    await expectRefused(['migrate'], { ...env, DATABASE_URL: others.url }, 'it has the table notes')
    const doctor = await run(['doctor'], { ...env, DATABASE_URL: others.url, PLATFORM: 'simulator' })
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining('it has the table notes')])
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(connection.db)
    expect(rows).toEqual([{ name: 'notes' }])
    await connection.close()
    await others.remove()

    const target = await makeEmptyPostgres()
    const { code, out, err } = await run(['--json', 'move', '--to', target.url], env)
    expect([code, err]).toEqual([0, ''])
    const { facts } = JSON.parse(out).data
    expect(facts.tables['public.orders'].rows).toBeGreaterThan(100)
    expect(facts.ledgerDifferences).toBe(0)
    await expectRefused(['move', '--to', target.url], env, 'is not empty')
    const database = openPostgres(target.url, { max: 2 })
    await checkInvariants(database.db)
    await database.close()

    const again = await startService({ ...env, DATABASE_URL: target.url })
    expect((await manageOver(again.url, 'GET', `/shops/${shopId}/wallet`)).body).toEqual(wallet)
    const entry = { amount: 1000, note: 'Sau khi chuyển' }
    expect((await manageOver(again.url, 'POST', `/shops/${shopId}/wallet/entries`, entry)).status).toBe(201)
    await again.end('SIGTERM')
    await target.remove()
  }, 300_000)
})
