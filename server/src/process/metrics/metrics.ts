import cluster from 'node:cluster'
import client from 'prom-client'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { watchEventLoop } from '../../http/event-loop.ts'
import { findHeldBackSeconds } from '../../modules/copies/changes/sql.ts'
import { countDisconnected } from '../../modules/official-accounts/tokens/renewal-sql.ts'
import { countWaiting } from '../../modules/webhooks/delivery/sql.ts'
import { countOutbox } from '../../modules/webhooks/outbox/hand-out-sql.ts'
import { assertMayReadMetrics, serveMetrics } from './metrics-access.ts'
import { metricsOfAll, shareMetrics } from './metrics-of-all.ts'
import { measureWork } from './metrics-of-work.ts'

/** The most queued webhook deliveries that are counted. */
const COUNTED_DELIVERIES = 100_000

/** Counts and times requests by route, and serves `GET /metrics` for Prometheus. */
export function measureRequests(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'database' | 'breaker' | 'callWatch' | 'limiters' | 'webhookCounts'>,
): void {
  const registry = new client.Registry()
  client.collectDefaultMetrics({ register: registry })
  registry.setDefaultLabels({ database: deps.database.kind })
  const duration = new client.Histogram({
    name: 'shopbell_http_request_duration_seconds',
    help: 'Time to answer, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new client.Gauge({
    name: 'shopbell_platform_circuit_open',
    help: '1 while calls of an official account to an endpoint of the platform are refused at once',
    labelNames: ['oa', 'endpoint'],
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.reset()
      for (const { oaId, endpoint, isOpen } of deps.breaker.list()) {
        this.labels(oaId, endpoint).set(isOpen ? 1 : 0)
      }
    },
  })

  new client.Counter({
    name: 'shopbell_webhook_attempts_total',
    help: 'Attempts of this process at webhook deliveries: delivered, to be retried, or given up',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const outcome of ['delivered', 'retried', 'failed'] as const) {
        this.labels(outcome).inc(deps.webhookCounts[outcome])
      }
    },
  })
  new client.Counter({
    name: 'shopbell_webhook_endpoints_disabled_total',
    help: 'Webhook endpoints that this process switched off',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(deps.webhookCounts.disabled)
    },
  })
  new client.Gauge({
    name: 'shopbell_webhook_deliveries_waiting',
    help: `Webhook deliveries of all shops that wait for their first or next attempt, at most ${COUNTED_DELIVERIES}`,
    registers: [registry],
    aggregator: 'first',
    async collect() {
      this.set(await countWaiting(deps.db, COUNTED_DELIVERIES).catch(() => Number.NaN))
    },
  })
  new client.Gauge({
    name: 'shopbell_webhook_events_waiting',
    help: `Events of all shops that have still to be handed out to their endpoints, at most ${COUNTED_DELIVERIES}`,
    registers: [registry],
    aggregator: 'first',
    async collect() {
      this.set(await countOutbox(deps.db, COUNTED_DELIVERIES).catch(() => Number.NaN))
    },
  })

  new client.Gauge({
    name: 'shopbell_changes_held_back_seconds',
    help: 'Age of the oldest open transaction that may write: so far behind is the feed of changes',
    registers: [registry],
    aggregator: 'first',
    async collect() {
      this.set(await findHeldBackSeconds(deps.db).catch(() => Number.NaN))
    },
  })

  new client.Gauge({
    name: 'shopbell_official_accounts_disconnected',
    help: 'Official accounts of all shops whose tokens are no longer renewed: they stop sending within days',
    registers: [registry],
    aggregator: 'first',
    async collect() {
      this.set(await countDisconnected(deps.db).catch(() => Number.NaN))
    },
  })

  measureWork(registry, deps)
  if (cluster.isWorker) shareMetrics(registry)
  const eventLoop = watchEventLoop()
  app.addHook('onClose', async () => eventLoop.stop())
  new client.Gauge({
    name: 'shopbell_event_loop_busy_max_seconds',
    help: 'The most processor time since the last scrape that the event loop’s thread used before it turned again: where nodejs_eventloop_lag_max_seconds is long and this is not, the machine kept the process waiting',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(eventLoop.takeBusyMs() / 1_000)
    },
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    duration.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
  })

  const read = () => (cluster.isWorker ? metricsOfAll() : registry.metrics())
  app.get(
    '/metrics',
    {
      schema: {
        tags: ['Service'],
        operationId: 'readMetrics',
        summary: 'Metrics in the Prometheus text format',
        errors: [401],
        description:
          'With `METRICS_TOKEN` as the bearer; without that setting, from the service’s own machine only. At another port if `METRICS_PORT` names one.',
      },
    },
    async (request, reply) => {
      assertMayReadMetrics(request, deps.config, false)
      return reply.header('content-type', registry.contentType).send(await read())
    },
  )
  serveMetrics(app, deps.config, read, registry.contentType)
}
