import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { findFacts } from '../../src/db/facts.ts'
import { makeShop, service } from '../support/service.ts'

const running = await service()

it('what a database holds has the same checksums under its own settings for times, bytes and numbers', async () => {
  await makeShop(running)
  const transaction = running.database.db.transaction().setIsolationLevel('repeatable read')
  await transaction.execute(async (trx) => {
    const facts = await findFacts(trx)
    expect(facts.tables['public.api_keys']!.rows).toBeGreaterThan(0)
    await sql`set bytea_output to escape`.execute(trx)
    await sql`set intervalstyle to iso_8601`.execute(trx)
    await sql`set extra_float_digits to 0`.execute(trx)
    expect(await findFacts(trx)).toEqual(facts)
  })
})
