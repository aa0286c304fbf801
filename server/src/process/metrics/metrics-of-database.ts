import client, { type Registry } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { findDatabaseProblem } from '../../http/health.ts'
import { findHeldBackSeconds } from '../../modules/copies/changes/sql.ts'
import { countDisconnected } from '../../modules/official-accounts/tokens/renewal-sql.ts'
import { findOldestJobWait, findOldestWaits } from '../../modules/operations/checks-sql.ts'
import { findMessageWork, findMoneyHeld } from '../../modules/operations/metrics-sql.ts'
import { countWaiting } from '../../modules/webhooks/delivery/sql.ts'
import { countOutbox } from '../../modules/webhooks/outbox/hand-out-sql.ts'

/** Counting stops at this many messages or batches, so that no query here grows with a shop. */
const COUNTED = 10_000
/** Counting of queued webhook deliveries stops here. */
const COUNTED_DELIVERIES = 100_000

type Watched = Pick<Deps, 'db' | 'healthDb' | 'database'>

/**
 * Metrics that are read from the database. Every process would read the same values, so only the process that is asked
 * does.
 */
export function measureDatabase(registry: Registry, deps: Watched): void {
  ofMessages(registry, deps)
  ofQueues(registry, deps)
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new client.Gauge({
      registers: [registry],
      name,
      help,
      async collect() {
        this.set(await read().catch(() => Number.NaN))
      },
    })
  gauge(
    'shopbell_database_ready',
    '1 while the database responds and accepts changes, otherwise 0',
    async () => ((await findDatabaseProblem(deps)) === undefined ? 1 : 0),
  )
  gauge(
    'shopbell_wallet_held_vnd',
    'What the wallets of all shops hold for messages without an outcome, in đồng',
    () => findMoneyHeld(deps.db),
  )
  gauge(
    'shopbell_webhook_deliveries_waiting',
    `Webhook deliveries of all shops that wait for their first or next attempt, at most ${COUNTED_DELIVERIES}`,
    () => countWaiting(deps.db, COUNTED_DELIVERIES),
  )
  gauge(
    'shopbell_webhook_events_waiting',
    `Events of all shops that are still to be handed out to their endpoints, at most ${COUNTED_DELIVERIES}`,
    () => countOutbox(deps.db, COUNTED_DELIVERIES),
  )
  gauge(
    'shopbell_changes_held_back_seconds',
    'Age of the oldest open transaction that may write: the feed of changes is that far behind',
    () => findHeldBackSeconds(deps.db),
  )
  gauge(
    'shopbell_official_accounts_disconnected',
    'Official accounts of all shops whose tokens are no longer renewed: they stop sending within days',
    () => countDisconnected(deps.db),
  )
}

function ofMessages(registry: Registry, { db }: Watched): void {
  // Both gauges are collected at the same time and share one query.
  let reading: ReturnType<typeof readWork> | undefined
  const readWork = () => findMessageWork(db, COUNTED).catch(() => undefined)
  const workNow = () => {
    reading ??= readWork().finally(() => {
      reading = undefined
    })
    return reading
  }
  new client.Gauge({
    registers: [registry],
    name: 'shopbell_message_unknown_oldest_seconds',
    help: 'Age of the message with an unknown outcome that times out first',
    async collect() {
      this.set((await workNow())?.oldestUnknownSeconds ?? Number.NaN)
    },
  })
  new client.Gauge({
    registers: [registry],
    name: 'shopbell_messages_open',
    help: `Messages of all shops without an outcome, at most ${COUNTED} of each: sending, unknown, sms; queued counts batches`,
    labelNames: ['state'],
    async collect() {
      const work = await workNow()
      for (const state of ['queued', 'sending', 'unknown', 'sms'] as const) {
        this.labels(state).set(work?.[state] ?? Number.NaN)
      }
    },
  })
}

function ofQueues(registry: Registry, { db }: Watched): void {
  new client.Gauge({
    registers: [registry],
    name: 'shopbell_queue_oldest_seconds',
    help: 'How long the first entry of a queue has been due',
    labelNames: ['queue'],
    async collect() {
      const [waits, jobs] = await Promise.all([findOldestWaits(db), findOldestJobWait(db)]).catch(() => [])
      const unread = waits === undefined ? Number.NaN : 0
      this.labels('batches').set(waits?.batches ?? unread)
      this.labels('unknown').set(waits?.unknown ?? unread)
      this.labels('sms').set(waits?.sms ?? unread)
      this.labels('platform_events').set(waits?.platformEvents ?? unread)
      this.labels('jobs').set(jobs ?? unread)
    },
  })
}
