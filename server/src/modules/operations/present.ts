import type { QueueSize } from '../../jobs/queue.ts'
import type { Circuit, Endpoint } from '../../platform/breaker.ts'
import type { AccountOfShop } from './sql.ts'

export function presentQueue(queue: QueueSize) {
  return {
    name: queue.name,
    waiting: queue.waiting,
    active: queue.active,
    failed: queue.failed,
    countedAt: queue.countedAt.toISOString(),
  }
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
