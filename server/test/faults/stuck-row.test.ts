import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { onPostgres } from '../support/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import { entryTypes, makePhoneSender, rowsOf, walletOf } from '../support/senders.ts'
import { type Answer, eventually, makeShop, type Service, send, separateService } from '../support/service.ts'
import { control, messagesOnPlatform } from '../support/templates.ts'

const SENDS = 24
/** Longer than any caller may wait. */
const STUCK_MS = 12_000

/** Runs `work` in a transaction of another session, which then stays idle until `end` is called. */
async function silentSession(running: Service, work: (trx: Transaction<unknown>) => Promise<unknown>) {
  const { promise: held, resolve: noteHeld } = Promise.withResolvers<void>()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const done = running.database.slow
    .transaction()
    .execute(async (trx) => {
      await work(trx)
      noteHeld()
      await over
    })
    .catch((error: unknown) => error)
  await held
  return { end, done }
}

const lockWallet = (shopId: string) => (trx: Transaction<unknown>) =>
  sql`select from wallets where shop_id = ${shopId} for update`.execute(trx)

describe.runIf(onPostgres)('a stuck row (only on PostgreSQL)', () => {
  let running: Service
  beforeAll(async () => {
    running = await separateService({}, { hasOwnPools: true })
  })

  it('of one shop does not slow the others or /health/ready; its callers get 503 with Retry-After in time', async () => {
    const stuck = await makePhoneSender(running)
    const other = await makeShop(running)
    await other.get('/api/external/v1/products')
    const session = await silentSession(running, lockWallet(stuck.shop.shopId))
    const startedAt = performance.now()
    const tookMs: number[] = []
    const sends = Array.from({ length: SENDS }, async (_, n): Promise<Answer> => {
      const answer = await stuck.send({ receiverPhone: `09012345${10 + n}` })
      tookMs.push(performance.now() - startedAt)
      return answer
    })
    const slowest = { list: 0, ready: 0 }
    const statuses = new Set<number>()
    while (performance.now() - startedAt < STUCK_MS) {
      const from = performance.now()
      statuses.add((await other.get('/api/external/v1/products')).status)
      slowest.list = Math.max(slowest.list, performance.now() - from)
      const readyFrom = performance.now()
      statuses.add((await send(running, 'GET', '/health/ready')).status)
      slowest.ready = Math.max(slowest.ready, performance.now() - readyFrom)
      await pause(100)
    }
    expect([...statuses]).toEqual([200])
    expect(slowest.list).toBeLessThan(1_000)
    expect(slowest.ready).toBeLessThan(1_000)
    const answers = await Promise.all(sends)
    expect(answers.map(({ status }) => status)).toEqual(Array(SENDS).fill(503))
    expect(answers[0]!.body).toMatchObject({ statusCode: 503, code: 'DATABASE_BUSY' })
    for (const { headers } of answers) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    // The claim is 5 s; the rest is for a busy machine.
    expect(Math.max(...tookMs)).toBeLessThan(7_000)

    session.end()
    await session.done
    const retried = await Promise.all(
      answers.map((_, n) => stuck.send({ receiverPhone: `09012345${10 + n}` })),
    )
    expect(retried.map(({ status }) => status)).toEqual(Array(SENDS).fill(200))
    expect(await messagesOnPlatform(running, stuck.template.oaId)).toHaveLength(SENDS)
    expect(await rowsOf(running, stuck.shop)).toHaveLength(SENDS)
    expect(await walletOf(stuck.shop)).toMatchObject({ held: 0, balance: 10_000 - SENDS * 200 })
    await checkInvariants(running.deps.db)
  }, 60_000)

  it('a message that the platform took while its wallet is stuck is charged once the wallet is free, once', async () => {
    const stuck = await makePhoneSender(running)
    await control(running, '/faults', [
      { kind: 'latency', endpoint: '/message/template', share: 1, latencyMs: 700 },
    ])
    const answer = stuck.send()
    await eventually(async () => (await rowsOf(running, stuck.shop))[0]?.state === 'SENDING')
    const session = await silentSession(running, lockWallet(stuck.shop.shopId))
    expect((await answer).status).toBe(202)
    await control(running, '/faults', [])
    await pause(STUCK_MS - 8_000)
    expect((await rowsOf(running, stuck.shop))[0]?.state).toBe('SENDING')
    session.end()
    await session.done
    await eventually(async () => (await rowsOf(running, stuck.shop))[0]?.state === 'RECEIVED', 30_000)
    expect(await messagesOnPlatform(running, stuck.template.oaId)).toHaveLength(1)
    expect(await entryTypes(stuck.shop)).toEqual(['top_up', 'hold', 'capture'])
    await checkInvariants(running.deps.db)
  }, 60_000)

  it('of a session that has gone silent in its transaction is free once the server ends it', async () => {
    const { shopId } = await makeShop(running)
    const limits = { lockMs: 4_000, statementMs: 15_000, idleInTransactionMs: 1_000 }
    const frozen = openPostgres(running.deps.config.databaseUrl!, { max: 1, limits })
    const { promise, resolve } = Promise.withResolvers<void>()
    const transaction = frozen.db
      .transaction()
      .execute(async (trx) => {
        await lockWallet(shopId)(trx)
        await promise
        await lockWallet(shopId)(trx)
      })
      .then(
        () => undefined,
        (error: Error) => error,
      )
    await pause(200)
    const startedAt = performance.now()
    await running.deps.db.transaction().execute(lockWallet(shopId))
    expect(performance.now() - startedAt).toBeLessThan(3_500)
    resolve()
    expect(await transaction).toBeInstanceOf(Error)
    await frozen.close()
  })

  it('a statement that takes too long is ended, an export or an import has longer', async () => {
    const { db, slow } = running.database
    const shown = async (name: string, from = db) =>
      (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(from)).rows[0]!.value
    expect([await shown('lock_timeout'), await shown('statement_timeout')]).toEqual(['2s', '15s'])
    expect(await shown('idle_in_transaction_session_timeout')).toBe('10s')
    expect(await shown('statement_timeout', slow)).toBe('5min')
  })
})
