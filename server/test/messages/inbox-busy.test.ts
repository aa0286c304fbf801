import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createInbox } from '../../src/modules/platform-inbox/inbox.ts'
import { insertPlatformEvents } from '../../src/modules/platform-inbox/sql.ts'
import { createInboxWorker } from '../../src/modules/platform-inbox/work-inbox.ts'
import { failingTransactions } from '../support/failing-transactions.ts'
import { eventually, makeShop, separateService } from '../support/service.ts'
import { insertEnabledTemplate } from '../support/templates.ts'

const running = await separateService()
const { deps } = running

/** The service's own worker does not see for a day what is stored now. */
const tomorrow = new Date(Date.now() + 86_400_000)
const clock = { now: () => tomorrow }

/** PostgreSQL's error after a wait for a row that took too long. */
const lockTimeout = () =>
  Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })

/** Wraps the database so that its first transaction fails after its work is done. */
const failingOnce = (error: Error) =>
  failingTransactions(deps.db, (n) => (n === 0 ? { within: error } : undefined))

async function store(oaId: string, body: Record<string, unknown>): Promise<void> {
  const name = String(body.event_name)
  const event = { id: deps.ids.next(), oaId, name, body: JSON.stringify(body), now: tomorrow }
  await insertPlatformEvents(deps.db, [event])
}

async function eventsOf(oaId: string) {
  const { rows } = await sql<{ tries: number; is_due: boolean; outcome: string | null }>`
    select tries, due_at = received_at as is_due, outcome from platform_events where oa_id = ${oaId}`.execute(
    deps.db,
  )
  return rows
}

it('G-16 a round whose rows others hold leaves its events due: nothing is worked on one by one', async () => {
  const oaId = `oa-${deps.ids.next()}`
  for (let n = 0; n < 3; n++)
    await store(oaId, { event_name: 'user_received_message', message: { msg_id: `${n}` } })
  const worker = createInboxWorker({ ...deps, clock, db: failingOnce(lockTimeout()) })
  await expect(worker.round()).rejects.toThrow('lock timeout')
  expect(await eventsOf(oaId)).toEqual(Array(3).fill({ tries: 0, is_due: true, outcome: null }))
  await worker.round()
  expect(await eventsOf(oaId)).toEqual(Array(3).fill({ tries: 1, is_due: false, outcome: 'parked' }))
})

it('G-16 where a group is worked on one by one, a template’s event that the platform is slow to explain holds no receipt up', async () => {
  const shop = await makeShop(running)
  const { oaId, platformTemplateId } = await insertEnabledTemplate(running, shop.shopId)
  const called = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const platform: typeof deps.platform = {
    ...deps.platform,
    async templateInfo(...given) {
      called.resolve()
      await answered.promise
      return deps.platform.templateInfo(...given)
    },
  }
  await store(oaId, {
    event_name: 'change_template_status',
    template_id: platformTemplateId,
    status: { new_status: 'DISABLE' },
  })
  await store(oaId, { event_name: 'user_received_message', message: { msg_id: 'x' } })
  const worker = createInboxWorker({ ...deps, clock, platform, db: failingOnce(new Error('refused')) })
  const round = worker.round().then(() => 'ended')
  await called.promise
  expect(await Promise.race([round, eventually(async () => false, 5_000).catch(() => 'waiting')])).toBe(
    'ended',
  )
  expect(await eventsOf(oaId)).toContainEqual({ tries: 1, is_due: false, outcome: 'parked' })
  answered.resolve()
  await worker.ended()
})

it('G-16 events that come in while the database is busy are refused together, not one after the other', async () => {
  let statements = 0
  const db = deps.db.withPlugin({
    transformQuery() {
      statements += 1
      throw lockTimeout()
    },
    transformResult: async ({ result }) => result,
  })
  const inbox = createInbox({ ...deps, db })
  const event = { oaId: 'oa', name: 'x', body: '{}', now: deps.clock.now() }
  const put = Array.from({ length: 20 }, () => inbox.put({ id: deps.ids.next(), ...event }))
  const results = await Promise.allSettled(put)
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(statements).toBe(1)
})
