import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import client, { type Registry } from 'prom-client'

/** Another process's metrics are not waited for longer. */
const WITHIN_MS = 6_000

/** In the process that made the others: gathers the metrics of all of them when one asks. */
export function answerMetrics(): void {
  const all = new client.AggregatorRegistry()
  cluster.on('message', async (worker, message) => {
    if (message.metricsAsked === undefined) return
    const text = await all.clusterMetrics().catch(() => undefined)
    if (worker.isConnected()) worker.send({ metricsAsked: message.metricsAsked, text })
  })
}

/** In one of several processes: its metrics are gathered with those of the others. */
export function shareMetrics(registry: Registry): void {
  new client.AggregatorRegistry()
  client.AggregatorRegistry.setRegistries([registry])
}

/**
 * The metrics of all processes behind this port as one text: counts added up, of each gauge what its `aggregator` says.
 * @throws when they did not come in time.
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
