import client from 'prom-client'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { watchEventLoop } from '../http/event-loop.ts'
import { countWaiting } from '../modules/webhooks/delivery/sql.ts'

/** A longer queue of webhook deliveries is not counted to its end. */
const COUNTED_DELIVERIES = 100_000

/** Counts and times requests by route, and serves `GET /metrics` for Prometheus. */
export function measureRequests(
  app: App,
  deps: Pick<Deps, 'db' | 'database' | 'breaker' | 'webhookCounts'>,
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
    async collect() {
      this.set(await countWaiting(deps.db, COUNTED_DELIVERIES).catch(() => Number.NaN))
    },
  })

  const eventLoop = watchEventLoop()
  app.addHook('onClose', async () => eventLoop.stop())
  new client.Gauge({
    name: 'shopbell_event_loop_busy_max_seconds',
    help: 'The most processor time since the last scrape that the event loop’s thread used before it turned again: where nodejs_eventloop_lag_max_seconds is long and this is not, the machine kept the process waiting',
    registers: [registry],
    collect() {
      this.set(eventLoop.takeBusyMs() / 1_000)
    },
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    duration.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
  })

  app.get(
    '/metrics',
    {
      schema: {
        tags: ['Service'],
        operationId: 'readMetrics',
        summary: 'Metrics in the Prometheus text format',
      },
    },
    async (_request, reply) => {
      reply.header('content-type', registry.contentType)
      return reply.send(await registry.metrics())
    },
  )
}
