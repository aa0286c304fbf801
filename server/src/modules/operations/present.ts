import type { QueueSize } from '../../jobs/queue.ts'
import type { Circuit, Endpoint } from '../../platform/breaker.ts'
import type { AccountOfShop } from '../official-accounts/state-sql.ts'
import type { DeliveryCounts } from '../webhooks/delivery/sql.ts'
import type { Check } from './checks.ts'
import type { FailedJob } from './jobs-sql.ts'
import { shortError } from './rules.ts'

export function presentQueue(queue: QueueSize) {
  return {
    name: queue.name,
    waiting: queue.waiting,
    active: queue.active,
    failed: queue.failed,
    countedAt: queue.countedAt.toISOString(),
  }
}

export function presentFailedJob(job: FailedJob) {
  return {
    id: job.id,
    queue: job.queue,
    shopId: job.shop_id,
    shopName: job.shop_name,
    attempts: job.attempts,
    failedAt: job.failed_at.toISOString(),
    error: shortError(job.error),
    isNeeded: job.is_needed,
  }
}

/** Webhook deliveries as two more queues: those to endpoints that work, and those to endpoints that fail. */
export function presentDeliveries(counts: DeliveryCounts[], countedAt: Date) {
  return (['deliver-webhook', 'retry-webhook'] as const).map((name) => {
    const count = counts.find(({ is_failing }) => is_failing === (name === 'retry-webhook'))
    return {
      name,
      waiting: count?.waiting ?? 0,
      active: count?.active ?? 0,
      failed: count?.failed ?? 0,
      countedAt: countedAt.toISOString(),
    }
  })
}

export function presentCircuit(account: AccountOfShop, endpoint: Endpoint, circuit: Circuit) {
  return {
    shopId: account.shop_id,
    shopName: account.shop_name,
    accountId: account.id,
    oaId: account.oa_id,
    accountName: account.name,
    endpoint,
    state: circuit.state,
    retryAt: circuit.state === 'open' ? circuit.retryAt.toISOString() : null,
  }
}

export function presentCheck({ name, isOk, says, advice }: Check) {
  return { name, isOk, says, advice }
}
