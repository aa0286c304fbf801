import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { buildDeps } from '../../src/process/build-deps.ts'
import { onPostgres } from '../support/database.ts'
import { makePhoneSender, rowsOf } from '../support/senders.ts'
import { type Service, separateService } from '../support/service.ts'
import { control, messagesOnPlatform, VALUES } from '../support/templates.ts'

/** Long enough for two rounds of each of the loops that look for expired work. */
const ROUNDS_MS = 11_000

/** A second process on the service's database, on a machine whose clock is wrong by `shiftMs`. */
async function processOffBy(running: Service, shiftMs: number) {
  const { config, log } = running.deps
  const database = openPostgres(config.databaseUrl!, { max: 6 })
  const url = running.simulatorUrl
  const deps = await buildDeps(config, {
    database,
    log,
    clock: { now: () => new Date(Date.now() + shiftMs) },
    platformUrls: { businessUrl: url, openapiUrl: url, oauthUrl: url },
  })
  onTestFinished(async () => {
    await deps.stop()
    await database.close()
  })
}

describe.runIf(onPostgres)('a process whose clock is an hour ahead (only on PostgreSQL)', () => {
  let running: Service
  beforeAll(async () => {
    running = await separateService()
  })

  it('G-27 sends no batch before its time, and takes no live send of another process for unknown', async () => {
    const sender = await makePhoneSender(running)
    await control(running, '/faults', [
      { kind: 'latency', endpoint: '/message/template', share: 1, latencyMs: ROUNDS_MS - 3_000 },
    ])
    await processOffBy(running, 3_600_000)
    const batch = await sender.shop.post('/api/external/notify-message/batches', {
      templateId: sender.template.id,
      scheduledAt: new Date(Date.now() + 40 * 60_000).toISOString(),
      messages: [{ receiverPhone: '0901234500', params: VALUES }],
    })
    expect(batch.status).toBe(202)
    const sends = Array.from({ length: 10 }, (_, n) => sender.send({ receiverPhone: `090123451${n}` }))
    await pause(ROUNDS_MS)
    await Promise.all(sends)
    const { rows } = await sql<{ kind: string }>`
      select distinct kind from message_events where shop_id = ${sender.shop.shopId}`.execute(running.deps.db)
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['accepted', 'receipt', 'sent'])
    const states = (await rowsOf(running, sender.shop)).map(({ state }) => state).sort()
    expect(states).toEqual(['QUEUED', ...Array(10).fill('RECEIVED')])
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(10)
  }, 60_000)
})
