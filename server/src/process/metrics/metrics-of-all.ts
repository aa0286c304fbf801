import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import client, { type Registry } from 'prom-client'

/** The longest wait for another process's metrics. */
const WITHIN_MS = 6_000

/** Runs in the process that started the others: gathers the metrics of all processes when one of them asks. */
export function answerMetrics(): void {
  const all = new client.AggregatorRegistry()
  cluster.on('message', async (worker, message) => {
    if (message.metricsAsked === undefined) return
    const text = await all.clusterMetrics().catch(() => undefined)
    if (worker.isConnected()) worker.send({ metricsAsked: message.metricsAsked, text })
  })
}

/** Runs in each of several processes: lets the first process gather its metrics together with the others'. */
export function shareMetrics(registry: Registry): void {
  new client.AggregatorRegistry()
  client.AggregatorRegistry.setRegistries([registry])
}

/**
 * The metrics of all processes behind this port as one text: counters are added up, gauges combined as their
 * `aggregator` says.
 * @throws when they do not arrive in time.
 */
export async function metricsOfAll(): Promise<string> {
  const id = randomUUID()
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => done(undefined), WITHIN_MS)
    const listen = (message: { metricsAsked?: string; text?: string }) => {
      if (message.metricsAsked === id) done(message.text)
    }
    function done(text: string | undefined) {
      clearTimeout(late)
      process.off('message', listen)
      if (text === undefined) reject(new Error('the metrics of the other processes did not arrive'))
      else resolve(text)
    }
    process.on('message', listen)
    process.send!({ metricsAsked: id })
  })
}
