import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { checkInvariants } from '../support/invariants.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import { manageOver, temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { makeSendingShop, type SendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const ROUNDS = 2
const MESSAGES = 24
/** The platform reports the outcome of this many messages of a round before the kill. */
const ANSWERED = 5
const MONEY = 10_000_000

describe.runIf(onPostgres)('G-26 SIGKILL while undelivered messages are refunded', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('the next start goes on: each fee is given back once, and the ledger adds up', async () => {
    let answered = 0
    const platform = await keepPlatform(
      join(folder.path, 'data'),
      { templateTimeoutMs: 2_000 },
      (simulator) => {
        // The platform is asked about a message before its fee is released. Those after the first few get no response.
        simulator.addHook('onRequest', async (request) => {
          if (!request.url.startsWith('/message/status')) return
          answered += 1
          if (answered > ANSWERED) await new Promise((resolve) => request.raw.socket.once('close', resolve))
        })
      },
    )
    // The work that a killed process has claimed is due again soon.
    const quick = { ...QUICK_TIMINGS, unknownClaimMs: 2_000, recoveryEveryMs: 500, platformTimeoutMs: 60_000 }
    const start = () => platform.start({ TIMINGS: JSON.stringify(quick) })
    let service = await start()
    const shop = await makeSendingShop(service.url, MONEY, SIMULATOR_CREDENTIALS)
    const accounts = `/shops/${shop.shopId}/official-accounts`
    const [account] = (await manageOver(service.url, 'GET', accounts)).body.data
    await manageOver(service.url, 'PATCH', `${accounts}/${account._id}`, { chargeOn: 'delivered' })

    for (let round = 0; round < ROUNDS; round++) {
      answered = 0
      await Promise.all(Array.from({ length: MESSAGES }, (_, n) => sendUndelivered(shop, round, n)))
      await eventually(async () => (await countRefunds(shop)) > round * MESSAGES, 20_000)
      expect((await walletOf(shop)).held).toBeGreaterThan(0)
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      answered = Number.NEGATIVE_INFINITY
      service = await start()
      await eventually(async () => (await walletOf(shop)).held === 0, 60_000)
    }
    expect(await walletOf(shop)).toEqual({ balance: MONEY, held: 0 })
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })

    const database = await platform.open()
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
    await platform.remove()
  }, 150_000)
})

async function sendUndelivered(shop: SendingShop, round: number, n: number): Promise<void> {
  const answer = await shop.call('POST', '/api/external/notify-message/send', {
    templateId: shop.templateId,
    // The platform accepts messages to numbers ending in 0003, and never delivers them.
    receiverPhone: `09${round + 1}${String(100 + n)}0003`,
    params: { customer_name: 'An', order_code: `DH${n}` },
  })
  expect([answer.status, answer.body.data?.status]).toEqual([200, 'RECEIVED'])
}

async function walletOf(shop: SendingShop): Promise<{ balance: number; held: number }> {
  return (await shop.call('GET', '/api/external/wallet')).body
}

/** The number of the shop's messages whose fee was released. */
async function countRefunds(shop: SendingShop): Promise<number> {
  const { body } = await shop.call('GET', '/api/external/wallet/entries?limit=100')
  return body.entries.filter(({ type }: { type: string }) => type === 'release').length
}
