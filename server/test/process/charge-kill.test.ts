import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import { freePorts, manageOver, startService, temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { makeSendingShop, type SendingShop } from '../support/sending.ts'
import { eventually } from '../support/service.ts'

const ROUNDS = 3
const MESSAGES = 40
const MONEY = 10_000_000

describe('G-26 SIGKILL while undelivered messages are refunded', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('the next start goes on: each fee is given back once, and the ledger adds up', async () => {
    const onServer = onPostgres ? await makeDatabase() : undefined
    const env = {
      DATA_DIR: join(folder.path, 'data'),
      SIMULATOR_REVIEW_MS: '0',
      // What a killed process has claimed comes up again soon.
      TIMINGS: JSON.stringify({ ...QUICK_TIMINGS, unknownClaimMs: 2_000, recoveryEveryMs: 500 }),
      ...(onServer?.url === undefined ? {} : { DATABASE_URL: onServer.url }),
      ...(await freePorts()),
    }
    let service = await startService(env)
    const settings = await fetch(`http://127.0.0.1:${env.SIMULATOR_PORT}/control/settings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ templateTimeoutMs: 2_000 }),
    })
    expect(settings.status).toBe(200)
    const shop = await makeSendingShop(service.url, MONEY)
    const accounts = `/shops/${shop.shopId}/official-accounts`
    const [account] = (await manageOver(service.url, 'GET', accounts)).body.data
    await manageOver(service.url, 'PATCH', `${accounts}/${account._id}`, { chargeOn: 'delivered' })

    let killedBetween = 0
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: MESSAGES }, (_, n) => sendUndelivered(shop, round, n)))
      const { held } = await walletOf(shop)
      expect(held).toBeGreaterThan(0)
      await eventually(async () => (await walletOf(shop)).held < held, 20_000)
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      service = await startService(env)
      if ((await walletOf(shop)).held > 0) killedBetween += 1
    }
    expect(killedBetween).toBeGreaterThan(0)
    await eventually(async () => (await walletOf(shop)).held === 0, 60_000)
    expect(await walletOf(shop)).toEqual({ balance: MONEY, held: 0 })
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })

    const database =
      onServer?.url === undefined ? await openEmbedded(join(env.DATA_DIR, 'pg')) : openPostgres(onServer.url)
    const { rows } = await sql<{ state: string; error_code: string; releases: number; n: number }>`
      select state, error_code, releases, count(*)::integer as n
      from (
        select m.state, m.error_code, count(e.id)::integer as releases
        from messages m
        left join wallet_entries e on e.shop_id = m.shop_id and e.message_id = m.id and e.type = 'release'
        where m.shop_id = ${shop.shopId}
        group by m.shop_id, m.id
      ) as each_message
      group by state, error_code, releases`.execute(database.db)
    expect(rows).toEqual([{ state: 'ERROR', error_code: 'NOT_DELIVERED', releases: 1, n: ROUNDS * MESSAGES }])
    await checkInvariants(database.db)
    await database.close()
    await onServer?.remove()
  }, 150_000)
})

async function sendUndelivered(shop: SendingShop, round: number, n: number): Promise<void> {
  const answer = await shop.call('POST', '/api/external/notify-message/send', {
    templateId: shop.templateId,
    // The platform takes what ends in 0003, and never delivers it.
    receiverPhone: `09${round + 1}${String(100 + n)}0003`,
    params: { customer_name: 'An', order_code: `DH${n}` },
  })
  expect([answer.status, answer.body.data?.status]).toEqual([200, 'RECEIVED'])
}

async function walletOf(shop: SendingShop): Promise<{ balance: number; held: number }> {
  return (await shop.call('GET', '/api/external/wallet')).body
}
