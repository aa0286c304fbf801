import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { freePorts, manageOver, NO_PLATFORM, run, startService, temporaryFolder } from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

describe('SECRETS_KEY', () => {
  it('another key than the database’s stops the start with one line, also where its fingerprint was not kept yet; the first key starts', async () => {
    const made = onPostgres ? await makeDatabase() : undefined
    const [first, other] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    const env = {
      ...NO_PLATFORM,
      DATA_DIR: join(folder.path, 'data'),
      ...(made?.url === undefined ? {} : { DATABASE_URL: made.url }),
      ...(await freePorts()),
    }
    const expectRefused = async () => {
      const { code, out, err } = await run(['serve'], { ...env, SECRETS_KEY: other, CONSOLE: '0', DEMO: '0' })
      expect({ code, out, lines: err.trim().split('\n').length }, err).toEqual({ code: 1, out: '', lines: 1 })
      expect(err).toContain('SECRETS_KEY')
      expect(err).not.toContain(other)
    }
    /** Reads one column of the database while no service runs. */
    const ask = async (statement: string) => {
      const database =
        made?.url === undefined
          ? await openEmbedded(join(env.DATA_DIR, 'pg'))
          : openPostgres(made.url, { max: 1 })
      const { rows } = await sql<Record<string, string>>`${sql.raw(statement)}`.execute(database.db)
      await database.close()
      return rows.map((row) => Object.values(row)[0])
    }

    const service = await startService({ ...env, SECRETS_KEY: first })
    const shop = await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Mây' })
    await manageOver(service.url, 'POST', `/shops/${shop.body.data.shop._id}/official-accounts`, {
      oaId: 'oa-of-the-sealing-key',
      name: 'Mây',
      appId: 'app',
      secretKey: 'a secret of the platform',
      accessToken: 'token',
    })
    await service.end('SIGTERM')
    await expectRefused()

    const [fingerprint] = await ask('delete from sealing_key returning fingerprint')
    expect(fingerprint).toMatch(/^[0-9a-f]{32}$/)
    expect(first).not.toContain(fingerprint!)
    await expectRefused()
    expect(await ask('select fingerprint from sealing_key')).toEqual([])

    const again = await startService({ ...env, SECRETS_KEY: first })
    await again.end('SIGTERM')
    expect(await ask('select fingerprint from sealing_key')).toEqual([fingerprint])
    await made?.remove()
  }, 150_000)
})
