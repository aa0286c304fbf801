import client, { type Registry } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { findOldestJobWait, findOldestWaits } from '../../modules/operations/checks-sql.ts'
import { findMessageWork, findMoneyHeld } from '../../modules/operations/metrics-sql.ts'

/** The most messages or batches that are counted: no query here grows with a shop. */
const COUNTED = 10_000

type Watched = Pick<Deps, 'db' | 'callWatch' | 'limiters'>

/** Metrics of messages, of calls to the platform, and of limits. */
export function measureWork(registry: Registry, deps: Watched): void {
  ofMessages(registry, deps)
  ofCalls(registry, deps)
  ofLimits(registry, deps)
}

function ofMessages(registry: Registry, { db }: Watched): void {
  // All processes see the same database: one of them is enough.
  const common = { registers: [registry], aggregator: 'first' as const }
  // Both gauges are collected at once, and show what one query read.
  let reading: ReturnType<typeof readWork> | undefined
  const readWork = () => findMessageWork(db, COUNTED).catch(() => undefined)
  const workNow = () => {
    reading ??= readWork().finally(() => {
      reading = undefined
    })
    return reading
  }
  new client.Gauge({
    ...common,
    name: 'shopbell_message_unknown_oldest_seconds',
    help: 'Age of the message with an unknown outcome that times out first',
    async collect() {
      this.set((await workNow())?.oldestUnknownSeconds ?? Number.NaN)
    },
  })
  new client.Gauge({
    ...common,
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
  new client.Gauge({
    ...common,
    name: 'shopbell_queue_oldest_seconds',
    help: 'For how long the first entry of a queue has been due',
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
  new client.Gauge({
    ...common,
    name: 'shopbell_wallet_held_vnd',
    help: 'What the wallets of all shops hold for messages without an outcome, in đồng',
    async collect() {
      this.set(await findMoneyHeld(db).catch(() => Number.NaN))
    },
  })
}

function ofCalls(registry: Registry, { callWatch }: Watched): void {
  const calls = new client.Histogram({
    name: 'shopbell_platform_call_duration_seconds',
    help: 'Time of a call of the platform, by endpoint and outcome: ok, rejected (a definite no), unknown (no clear answer)',
    labelNames: ['endpoint', 'outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  callWatch.listen(({ endpoint, outcome, seconds }) => calls.labels(endpoint, outcome).observe(seconds))
}

function ofLimits(registry: Registry, { limiters }: Watched): void {
  new client.Counter({
    name: 'shopbell_limit_refused_total',
    help: 'Requests that this process refused with 429, by the limit',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [limit, n] of limiters.state().refused) this.labels(limit).inc(n)
    },
  })
  new client.Gauge({
    name: 'shopbell_redis_away',
    help: '1 while Redis is away, so that each process counts its share of the limits',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(limiters.state().isRedisAway ? 1 : 0)
    },
  })
}
