import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { freePorts, NO_PLATFORM, run, startService, temporaryFolder } from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const [oldKey, newKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
const [oldToken, newToken] = ['the-token-of-last-year', 'the-token-of-this-year']

describe('changing SECRETS_KEY and OPERATOR_TOKEN', () => {
  it('with the new and the old one together all goes on; once resealed, the new ones alone open everything and the old ones nothing', async () => {
    const made = onPostgres ? await makeDatabase() : undefined
    const env = {
      ...NO_PLATFORM,
      DATA_DIR: join(folder.path, 'data'),
      ...(made?.url === undefined ? {} : { DATABASE_URL: made.url }),
      ...(await freePorts()),
      OUTBOUND_ALLOW_PRIVATE: '1',
    }
    const start = (key: string, token: string) =>
      startService({ ...env, SECRETS_KEY: key, OPERATOR_TOKEN: token })
    let service = await start(oldKey, oldToken)
    const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
      const answer = await fetch(`${service.url}${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      const read: any = await answer.json()
      return { status: answer.status, body: read }
    }
    const manageAs = (token: string) => ({ authorization: `Bearer ${token}` })
    const shopMade = await ask('POST', '/api/manage/v1/shops', manageAs(oldToken), { name: 'Tiệm Mây' })
    const { shop, apiKey } = shopMade.body.data
    const asShop = { 'x-api-key': `service-partner ${apiKey}` }
    await ask('POST', `/api/manage/v1/shops/${shop._id}/official-accounts`, manageAs(oldToken), {
      oaId: 'oa-of-the-change',
      name: 'Mây',
      secretKey: 'a secret of the platform',
      accessToken: 'token',
    })
    const hook = { url: 'http://127.0.0.1:9/', events: ['wallet.low'] }
    // A repeated request returns the stored response, which was sealed.
    const register = async () =>
      (await ask('POST', '/api/external/webhooks', { ...asShop, 'idempotency-key': 'one' }, hook)).body.data
    const { secret } = await register()
    expect(secret).toMatch(/^whsec_/)
    await service.end('SIGTERM')

    // The second service already knows the new key: on PostgreSQL both kinds of processes run side by side for a while.
    service = await start(`${newKey},${oldKey}`, `${newToken},${oldToken}`)
    expect((await register()).secret).toBe(secret)
    const statuses = async () => {
      const answers = [oldToken, newToken, 'another-token-of-nobody'].map((token) =>
        ask('GET', '/api/manage/v1/shops', manageAs(token)),
      )
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 200, 401])
    const resealed = await run(['secrets', 'reseal'], { ...env, SECRETS_KEY: `${newKey},${oldKey}` })
    expect(resealed.code, resealed.err).toBe(onPostgres ? 0 : 1)
    if (onPostgres) expect(resealed.out).toContain('resealed 3 records')
    expect((await register()).secret).toBe(secret)
    await service.end('SIGTERM')

    service = await start(newKey, newToken)
    expect(await statuses()).toEqual([401, 200, 401])
    expect((await register()).secret).toBe(secret)
    await service.end('SIGTERM')
    const { code, err } = await run(['serve'], { ...env, SECRETS_KEY: oldKey, CONSOLE: '0', DEMO: '0' })
    expect([code, err.includes('SECRETS_KEY')], err).toEqual([1, true])

    const database =
      made?.url === undefined
        ? await openEmbedded(join(env.DATA_DIR, 'pg'))
        : openPostgres(made.url, { max: 1 })
    const { rows } = await sql<{ sealed: Buffer }>`
      select secret as sealed from webhook_endpoints
      union all
      select secret_key from official_accounts
      union all
      select access_token from official_accounts`.execute(database.db)
    await database.close()
    const box = createSecretBox([Buffer.from(newKey, 'hex')])
    expect(rows.map(({ sealed }) => box.open(sealed))).toEqual([secret, 'a secret of the platform', 'token'])
    await made?.remove()
  }, 180_000)
})
