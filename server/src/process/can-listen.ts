import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { ConfigError } from './config/env-values.ts'
import { MetricsPortTaken } from './metrics/metrics-access.ts'

/** The codes with which the system refuses an address, whatever the port. */
const WRONG_HOST = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

/**
 * Checks that this process can listen on HOST and that METRICS_PORT is free, before the database is opened and migrated. Of several processes
 * only the first one checks it.
 * @throws ConfigError
 */
export async function assertCanListen({ host, metrics }: Pick<Config, 'host' | 'metrics'>): Promise<void> {
  if (cluster.isWorker) return
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen({ host, port: metrics.port ?? 0 })
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (WRONG_HOST.includes(code ?? ''))
      throw new ConfigError(
        `HOST=${host} is not usable: use an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them`,
      )
    if (code === 'EADDRINUSE') throw new MetricsPortTaken(metrics.port)
    throw error
  }
  await new Promise((resolve) => server.close(resolve))
}
