import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { newestSchema } from '../../src/db/migrations/migration-files.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { makeBucket } from '../support/images.ts'
import {
  type Environment,
  freePorts,
  NO_PLATFORM,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { hasRedis, REDIS_URL } from '../support/redis.ts'
import { smtpServer } from '../support/smtp.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

type Check = { name: string; isOk: boolean; says: string; advice: string | null }

/** The result of `shopbell doctor`: its exit code, and the names of the failed checks. */
async function doctor(env: Environment): Promise<{ code: number | null; checks: Check[]; wrong: string[] }> {
  const { code, out, err } = await run(['--json', 'doctor'], env)
  if (err !== '') throw new Error(err)
  const checks: Check[] = JSON.parse(out).data
  return { code, checks, wrong: checks.filter(({ isOk }) => !isOk).map(({ name }) => name) }
}

/** A server that refuses every connection as PostgreSQL does, with an ErrorResponse. */
async function refusingPostgres(code: string, message: string): Promise<Server> {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([head, fields])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

describe('shopbell --version', () => {
  it('prints the version and the schema that it knows, without settings or database', async () => {
    const { code, out } = await run(['--version'], { PORT: 'none' })
    expect([code, out]).toEqual([0, `shopbell 0.1.0, schema ${newestSchema()}\n`])
  })
})

describe('shopbell doctor', () => {
  it('0 before the first start, and makes nothing', async () => {
    const env = { DATA_DIR: join(folder.path, 'none'), ...(await freePorts()) }
    expect(await doctor(env)).toMatchObject({ code: 0, wrong: [] })
    expect(existsSync(env.DATA_DIR)).toBe(false)
  })

  it('1 and a line with advice for each of: database away, platform away', async () => {
    const env = {
      ...NO_PLATFORM,
      DATA_DIR: join(folder.path, 'none'),
      DATABASE_URL: 'postgres://postgres@127.0.0.1:9/none',
      ...(await freePorts()),
    }
    const { code, out } = await run(['doctor'], env)
    expect(code).toBe(1)
    const wrong = out.split('\n').filter((line) => line.startsWith('WRONG'))
    expect(wrong).toEqual([
      expect.stringMatching(
        /^WRONG {2}database .*ECONNREFUSED.*: start PostgreSQL, or correct DATABASE_URL$/,
      ),
      expect.stringMatching(
        /^WRONG {2}platform .*http:\/\/127.0.0.1:9 does not respond \(.+\): check the address/,
      ),
    ])
  })

  it('1 naming a variable that is almost a setting', async () => {
    const env = { DATA_DIR: join(folder.path, 'none'), DATABSE_URL: 'postgres://x', ...(await freePorts()) }
    const { code, checks } = await doctor(env)
    expect(code).toBe(1)
    expect(checks.find(({ name }) => name === 'settings')).toMatchObject({
      says: 'DATABSE_URL is not a setting and changes nothing',
      advice: 'rename it to DATABASE_URL, or remove it',
    })
  })

  it('signs in to the mail server: 1 where it is away or refuses, with its address and without its password', async () => {
    const env = { DATA_DIR: join(folder.path, 'none'), ...(await freePorts()) }
    const ofMail = async (smtpUrl: string) => {
      const { code, checks } = await doctor({
        ...env,
        SMTP_URL: smtpUrl,
        MAIL_FROM: 'no-reply@shop.example',
        PUBLIC_URL: 'https://shop.example',
      })
      return { code, mail: checks.find(({ name }) => name === 'mail') }
    }
    const { url } = await smtpServer()
    expect(await ofMail(url)).toMatchObject({ code: 0, mail: { isOk: true } })
    const locked = await smtpServer({ locked: true })
    const refused = await ofMail(locked.url.replace('//', '//user:geheim@'))
    expect(refused).toMatchObject({
      code: 1,
      mail: { isOk: false, advice: 'correct the name and password in SMTP_URL' },
    })
    expect(JSON.stringify(refused)).not.toContain('geheim')
    expect(await ofMail('smtp://user:geheim@127.0.0.1:9')).toMatchObject({
      code: 1,
      mail: { says: 'smtp://127.0.0.1:9 cannot be used (ESOCKET): emails with links are not sent' },
    })
  })

  it('asks the other servers that are set: 1 where Redis is away or the bucket refuses, without their passwords', async () => {
    const env = { DATA_DIR: join(folder.path, 'none'), ...(await freePorts()) }
    const bucket = await makeBucket()
    const s3 = {
      S3_ENDPOINT: bucket.endpoint,
      S3_BUCKET: 'hinh',
      S3_ACCESS_KEY_ID: 'AKID',
      S3_SECRET_ACCESS_KEY: 'geheim',
    }
    const found = async (settings: Environment) => {
      const { code, checks } = await doctor({ ...env, ...settings })
      return {
        code,
        says: checks.filter(({ name }) => name === 'redis' || name === 'images').map(({ says }) => says),
      }
    }
    expect(await found({ ...s3, ...(hasRedis && { REDIS_URL }) })).toEqual({
      code: 0,
      says: [
        ...(hasRedis ? [expect.stringMatching(/^redis:.* responds$/)] : []),
        `hinh at ${bucket.endpoint} can be listed`,
      ],
    })
    bucket.state.failWith = 403
    const refused = await found({ ...s3, REDIS_URL: 'redis://user:geheim@127.0.0.1:9' })
    expect(refused).toEqual({
      code: 1,
      says: [
        'redis://127.0.0.1:9 cannot be used (ECONNREFUSED): each process counts its share of the rate limits',
        `hinh at ${bucket.endpoint} cannot be used (the bucket answers GET with HTTP 403): images cannot be uploaded or shown`,
      ],
    })
    expect([...bucket.objects.keys()]).toEqual([])
  })

  it.each([
    ['28000', 'no such role', 'correct the role in DATABASE_URL, or create it and let pg_hba.conf admit it'],
    ['28P01', 'wrong password', 'correct the role and the password in DATABASE_URL'],
    ['3D000', 'no such database', 'create the database, or correct its name in DATABASE_URL'],
    [
      '42501',
      'permission denied for schema public',
      'grant the role of DATABASE_URL this right, or make it the owner of the database',
    ],
  ])('1 where PostgreSQL refuses with %s (%s): advice that fits', async (code, says, advice) => {
    const server = await refusingPostgres(code, says)
    const { port } = server.address() as { port: number }
    const DATABASE_URL = `postgres://shop@127.0.0.1:${port}/shop`
    const env = { ...NO_PLATFORM, DATA_DIR: join(folder.path, 'none'), DATABASE_URL, ...(await freePorts()) }
    const { checks } = await doctor(env)
    server.close()
    expect(checks.find(({ name }) => name === 'database')).toMatchObject({ isOk: false, says, advice })
  })

  it('0 while the service runs and after its end; 1 naming an older schema, a newer one, another sealing key, no sealing key, and a secret that others may read', async () => {
    const made = onPostgres ? await makeDatabase() : undefined
    const env: Environment & { DATA_DIR: string } = {
      DATA_DIR: join(folder.path, 'data'),
      PLATFORM: 'simulator',
      ...(made?.url === undefined ? {} : { DATABASE_URL: made.url }),
      ...(await freePorts()),
    }
    const ask = async (statement: string) => {
      const database =
        made?.url === undefined
          ? await openEmbedded(join(env.DATA_DIR, 'pg'))
          : openPostgres(made.url, { max: 1 })
      await sql`${sql.raw(statement)}`.execute(database.db)
      await database.close()
    }
    const service = await startService(env)
    const running = await doctor({ ...env, OPERATOR_TOKEN: 'operator-token-of-the-tests' })
    expect(running).toMatchObject({ code: 0, wrong: [] })
    // The service's ports are those that it wrote into the data folder.
    const { PORT: _, SIMULATOR_PORT, ...withoutPorts } = env
    const unset = await doctor({ ...withoutPorts, OPERATOR_TOKEN: 'operator-token-of-the-tests' })
    expect(unset).toMatchObject({ code: 0, wrong: [] })
    expect(unset.checks.find(({ name }) => name === 'platform')?.says).toContain(
      `:${SIMULATOR_PORT} responds`,
    )
    const names = running.checks.map(({ name }) => name)
    const needed = [
      'service',
      'data folder',
      'disk',
      'database',
      'migrations',
      'time zone',
      'clock',
      'batches',
      'jobs',
      'platform',
    ]
    expect(needed.filter((name) => !names.includes(name))).toEqual([])
    await service.end('SIGTERM')
    const away = await doctor(env)
    expect(away).toMatchObject({ code: 0, wrong: [] })
    expect(away.checks.find(({ name }) => name === 'migrations')?.says).toBe(
      `at ${newestSchema()}, the newest`,
    )

    expect((await doctor({ ...env, SECRETS_KEY: 'a'.repeat(64) })).wrong).toEqual(['sealing key'])
    chmodSync(join(env.DATA_DIR, 'secrets-key'), 0o644)
    expect((await doctor(env)).wrong).toEqual(['data folder'])
    writeFileSync(join(env.DATA_DIR, 'secrets-key'), 'half')
    expect((await doctor(env)).wrong).toEqual(['data folder', 'secrets key', 'sealing key'])

    await ask("insert into schema_migrations (name) values ('9999_of_a_later_version.sql')")
    expect((await doctor(env)).wrong).toContain('migrations')
    await ask("delete from schema_migrations where name >= '0043'")
    const behind = await doctor(env)
    expect(behind.code).toBe(1)
    expect(behind.checks.find(({ name }) => name === 'migrations')?.advice).toContain('shopbell migrate')
    await made?.remove()
  }, 120_000)
})
