import client, { type Registry } from 'prom-client'
import type { Deps } from '../../deps.ts'

type Watched = Pick<Deps, 'breaker' | 'callWatch' | 'limiters' | 'mailCounts' | 'webhookCounts'>

/** Metrics of this process's own work: calls to the platform, limits, emails, webhook deliveries. */
export function measureProcess(registry: Registry, deps: Watched): void {
  ofCalls(registry, deps)
  ofLimits(registry, deps)
  ofMails(registry, deps)
  ofWebhooks(registry, deps)
}

function ofCalls(registry: Registry, { callWatch, breaker }: Watched): void {
  const calls = new client.Histogram({
    name: 'shopbell_platform_call_duration_seconds',
    help: 'Duration of a call to the platform, by endpoint and outcome: ok, rejected (a definite no), unknown (no clear answer)',
    labelNames: ['endpoint', 'outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  callWatch.listen(({ endpoint, outcome, seconds }) => calls.labels(endpoint, outcome).observe(seconds))
  new client.Gauge({
    name: 'shopbell_platform_circuit_open',
    help: '1 while calls of an official account to an endpoint of the platform are refused immediately',
    labelNames: ['oa', 'endpoint'],
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.reset()
      for (const { oaId, endpoint, isOpen } of breaker.list()) {
        this.labels(oaId, endpoint).set(isOpen ? 1 : 0)
      }
    },
  })
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
    help: '1 while Redis cannot be reached, so that each process counts its share of the limits',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(limiters.state().isRedisAway ? 1 : 0)
    },
  })
}

function ofMails(registry: Registry, { mailCounts }: Watched): void {
  new client.Counter({
    name: 'shopbell_mails_total',
    help: 'Emails of this process that the mail server accepted, and those that could not be sent',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const outcome of ['sent', 'failed'] as const) this.labels(outcome).inc(mailCounts[outcome])
    },
  })
}

function ofWebhooks(registry: Registry, { webhookCounts }: Watched): void {
  new client.Counter({
    name: 'shopbell_webhook_attempts_total',
    help: 'Attempts of this process at webhook deliveries: delivered, to be retried, or given up',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const outcome of ['delivered', 'retried', 'failed'] as const) {
        this.labels(outcome).inc(webhookCounts[outcome])
      }
    },
  })
  new client.Counter({
    name: 'shopbell_webhook_endpoints_disabled_total',
    help: 'Webhook endpoints that this process disabled',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(webhookCounts.disabled)
    },
  })
}
