import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPostgres, type OwnPostgres, startOwnPostgres } from '../../../tools/shared/postgres.ts'
import { makeEmptyPostgres, onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import {
  freePorts,
  http,
  manageOver,
  type Running,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { newProduct, PRODUCTS } from '../support/products.ts'
import { type Call, raceReads } from '../support/read-race.ts'
import { unusedId } from '../support/service.ts'

const bin = findPostgres()

describe.skipIf(!onPostgres || bin === undefined)('DATABASE_READ_URL', () => {
  const folder = temporaryFolder()
  let primary: OwnPostgres
  let standby: OwnPostgres
  let service: Running
  let shopId: string
  let call: Call

  beforeAll(async () => {
    primary = await startOwnPostgres(bin!)
    standby = await primary.startStandby()
    service = await startService({
      DATA_DIR: folder.path,
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: standby.url,
      READ_CACHE_MB: '0',
      ...(await freePorts()),
    })
    const { data } = (await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Hoa' })).body
    shopId = data.shop._id
    const key = { 'x-api-key': `service-partner ${data.apiKey}` }
    call = (method, path, body) => http(service.url, method, path, body, key)
  }, 60_000)
  afterAll(async () => {
    await service?.end('SIGTERM')
    await standby?.remove()
    await primary?.remove()
    folder.remove()
  })

  const names = async () => {
    const { status, body } = await call('GET', `${PRODUCTS}?limit=50`)
    return [status, body.data?.products.map(({ name }: { name: string }) => name).toSorted()]
  }

  it('lists come from the standby while it has what the database has, else from the database; none is ever old', async () => {
    await call('POST', PRODUCTS, newProduct({ name: 'A' }))
    const at = await clients(primary.url, standby.url)
    await eventually(async () => (await counted(at.standby)) === 1)
    await at.standby.query('select pg_wal_replay_pause()')
    await at.primary.query('begin; lock table products in access exclusive mode')
    expect(await names()).toEqual([200, ['A']])
    await at.primary.query('rollback')

    await call('POST', PRODUCTS, newProduct({ name: 'B' }))
    expect(await counted(at.standby)).toBe(1)
    expect(await names()).toEqual([200, ['A', 'B']])
    await at.standby.query('select pg_wal_replay_resume()')
    await at.end()
  })

  it('shopbell doctor says whether it has the database, or another one', async () => {
    const standbyLine = async (url: string) => {
      const { out } = await run(['doctor'], {
        DATA_DIR: folder.path,
        DATABASE_URL: primary.url,
        DATABASE_READ_URL: url,
      })
      return out.split('\n').find((line) => line.includes(' standby '))
    }
    expect(await standbyLine(standby.url)).toMatch(/^ok .* has the database$/)
    const other = await makeEmptyPostgres()
    expect(await standbyLine(other.url)).toMatch(
      /^WRONG .* has another database than DATABASE_URL: .*: correct DATABASE_READ_URL, or remove it$/,
    )
    await other.remove()
    expect(await standbyLine('postgres://user:geheim@127.0.0.1:9/none')).toMatch(
      /^WRONG .* postgres:\/\/127\.0\.0\.1:9 cannot be compared with the database \(ECONNREFUSED\): /,
    )
  })

  it('a read of an order that does not exist is 404, and the standby stays in use', async () => {
    const at = await clients(primary.url, standby.url)
    await eventually(async () => (await counted(at.standby)) === 2)
    expect((await call('GET', `/api/external/v1/orders/${unusedId()}`)).status).toBe(404)
    await at.primary.query('begin; lock table products in access exclusive mode')
    expect(await names()).toEqual([200, ['A', 'B']])
    await at.primary.query('rollback')
    await at.end()
  })

  it('no read is older than what was committed before it began, while the standby stops and goes on', async () => {
    const ids: string[] = []
    for (let n = 0; n < 4; n++)
      ids.push((await call('POST', PRODUCTS, newProduct({ price: 0 }))).body.data.id)
    const at = await clients(primary.url, standby.url)
    let isOver = false
    const stopping = (async () => {
      for (let n = 0; !isOver; n++) {
        await at.standby.query(`select pg_wal_replay_${n % 2 === 0 ? 'pause' : 'resume'}()`)
        await pause(30)
      }
      await at.standby.query('select pg_wal_replay_resume()')
    })()
    const { stale, reads } = await raceReads([call, call], shopId, ids, 25)
    isOver = true
    await stopping
    await at.end()
    expect(stale).toEqual([])
    expect(reads).toBeGreaterThan(100)
  }, 60_000)

  it('a standby that restarts, or is away, fails no request', async () => {
    const answers: unknown[] = []
    let isOver = false
    const reading = (async () => {
      while (!isOver) answers.push((await names())[0])
    })()
    await standby.restart('immediate')
    await standby.remove()
    const before = answers.length
    await eventually(async () => answers.length > before + 20)
    isOver = true
    await reading
    expect(new Set(answers)).toEqual(new Set([200]))
  }, 60_000)
})

async function clients(primaryUrl: string, standbyUrl: string) {
  const [primary, standby] = [primaryUrl, standbyUrl].map((connectionString) =>
    new pg.Client({ connectionString }).on('error', () => {}),
  ) as [pg.Client, pg.Client]
  await Promise.all([primary.connect(), standby.connect()])
  return { primary, standby, end: () => Promise.all([primary.end(), standby.end()]) }
}

async function counted(client: pg.Client): Promise<number> {
  return (await client.query('select count(*)::integer as n from products')).rows[0].n
}
