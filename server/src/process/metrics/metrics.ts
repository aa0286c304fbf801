import cluster from 'node:cluster'
import { statfs } from 'node:fs/promises'
import client from 'prom-client'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { watchEventLoop } from '../../http/event-loop.ts'
import { assertMayReadMetrics, serveMetrics } from './metrics-access.ts'
import { metricsOfAll, shareMetrics } from './metrics-of-all.ts'
import { measureDatabase } from './metrics-of-database.ts'
import { measureProcess } from './metrics-of-process.ts'

/** Counts and times requests by route, and serves `GET /metrics` for Prometheus. */
export function measureRequests(
  app: App,
  deps: Pick<
    Deps,
    | 'config'
    | 'db'
    | 'healthDb'
    | 'database'
    | 'breaker'
    | 'callWatch'
    | 'limiters'
    | 'mailCounts'
    | 'webhookCounts'
  >,
): void {
  const registry = new client.Registry()
  client.collectDefaultMetrics({ register: registry })
  registry.setDefaultLabels({ database: deps.database.kind })
  const duration = new client.Histogram({
    name: 'shopbell_http_request_duration_seconds',
    help: 'Response time by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  measureProcess(registry, deps)
  new client.Gauge({
    name: 'shopbell_data_free_bytes',
    help: 'Free space on the disk of DATA_DIR',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      const disk = await statfs(deps.config.dataDir).catch(() => undefined)
      this.set(disk === undefined ? Number.NaN : disk.bavail * disk.bsize)
    },
  })
  const ofDatabase = new client.Registry()
  ofDatabase.setDefaultLabels({ database: deps.database.kind })
  measureDatabase(ofDatabase, deps)
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

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    duration.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
    done()
  })

  const read = async () => {
    const parts = [cluster.isWorker ? metricsOfAll() : registry.metrics(), ofDatabase.metrics()]
    return (await Promise.all(parts)).join('\n')
  }
  app.get(
    '/metrics',
    {
      schema: {
        tags: ['Service'],
        operationId: 'readMetrics',
        summary: 'Metrics in the Prometheus text format',
        errors: [401],
        description:
          'Requires `METRICS_TOKEN` as the bearer token; without that setting, only the service’s own machine may read them. `METRICS_PORT` serves them on another port.',
      },
    },
    async (request, reply) => {
      assertMayReadMetrics(request, deps.config, false)
      return reply.header('content-type', registry.contentType).send(await read())
    },
  )
  serveMetrics(app, deps.config, read, registry.contentType)
}
