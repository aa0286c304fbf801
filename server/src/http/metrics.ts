import client from 'prom-client'
import type { App } from '../app.ts'
import type { Deps } from '../deps.ts'

/** Counts and times requests by route, and serves `GET /metrics` for Prometheus. */
export function measureRequests(app: App, deps: Pick<Deps, 'database' | 'breaker'>): void {
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

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    duration.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
  })

  app.get(
    '/metrics',
    { schema: { tags: ['Service'], summary: 'Metrics in the Prometheus text format' } },
    async (_request, reply) => {
      reply.header('content-type', registry.contentType)
      return reply.send(await registry.metrics())
    },
  )
}
