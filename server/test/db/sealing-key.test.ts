import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { assertSealingKey, fingerprintOf } from '../../src/db/sealing-key.ts'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import { makeDatabase } from '../support/database.ts'
import { unusedId } from '../support/service.ts'

const made = await makeDatabase()
const { db } = made.database
afterAll(() => made.remove())

describe('the sealing key of a database that knows no fingerprint', () => {
  it('is any key while the only endpoint is deleted: its secret is gone; a sealed one must open', async () => {
    const shopId = unusedId()
    await sql`insert into shops (id, name, created_at, updated_at) values (${shopId}, 'Tiệm', now(), now())`.execute(
      db,
    )
    const insertEndpoint = (secret: Buffer, deletedAt: Date | null) =>
      sql`
        insert into webhook_endpoints (shop_id, id, url, events, secret, deleted_at, created_at, updated_at)
        values (${shopId}, ${unusedId()}, 'https://erp.example/', '{*}', ${secret}, ${deletedAt}, now(), now())`.execute(
        db,
      )
    const [key, other] = [randomBytes(32), randomBytes(32)]

    await insertEndpoint(Buffer.alloc(0), new Date())
    await assertSealingKey(db, [key], createSecretBox([key]))
    const { rows } = await sql`delete from sealing_key returning fingerprint`.execute(db)
    expect(rows).toEqual([{ fingerprint: fingerprintOf(key) }])

    await insertEndpoint(createSecretBox([key]).seal('whsec_of_the_endpoint'), null)
    await expect(assertSealingKey(db, [other], createSecretBox([other]))).rejects.toThrow('SECRETS_KEY')
    await assertSealingKey(db, [key], createSecretBox([key]))
  })
})
