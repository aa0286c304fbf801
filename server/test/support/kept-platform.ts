import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildSimulator } from '../../../simulator/src/app.ts'
import type { SimulatorOptions } from '../../../simulator/src/settings.ts'
import { type Database, openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { makeDatabase, onPostgres } from './database.ts'
import { type Environment, freePorts, http, type Running, startService } from './process.ts'
import { SIMULATOR_CREDENTIALS } from './sending.ts'

export type KeptPlatform = {
  /** The environment for starting its services. */
  env: Environment
  url: string
  /** The shared database; undefined if each service has an embedded one in its data folder. */
  database: Database | undefined
  /** Starts a service. From now on the simulator sends its events to it. */
  start(more?: Environment): Promise<Running>
  setFaults(faults: object[]): Promise<void>
  /** Opens the database after no service has it open any more. */
  open(): Promise<Database>
  remove(): Promise<void>
}

/**
 * A simulator in the test's own process and a database, for services that the test kills; both outlive the services.
 * Shops are made with {@link SIMULATOR_CREDENTIALS}. `prepare` may add hooks to the simulator.
 */
export async function keepPlatform(
  dataDir: string,
  options: SimulatorOptions = {},
  prepare: (simulator: FastifyInstance) => void = () => {},
): Promise<KeptPlatform> {
  let serviceUrl = ''
  const simulator = buildSimulator({
    webhookUrl: () => serviceUrl,
    reviewMs: 0,
    deliveryMs: 20,
    seed: 1,
    secret: SIMULATOR_CREDENTIALS.secretKey,
    ...options,
  })
  prepare(simulator)
  const url = await simulator.listen({ port: 0, host: '127.0.0.1' })
  const onServer = onPostgres ? await makeDatabase() : undefined
  const env: Environment = {
    DATA_DIR: dataDir,
    // The same port after a restart.
    PORT: (await freePorts()).PORT,
    PLATFORM_BUSINESS_URL: url,
    PLATFORM_OPENAPI_URL: url,
    PLATFORM_OAUTH_URL: url,
    PLATFORM_STRICT: '0',
    PLATFORM_IMAGES: 'link',
    // Shared by services with different data folders.
    SECRETS_KEY: 'a5'.repeat(32),
    ...(onServer?.url === undefined ? {} : { DATABASE_URL: onServer.url }),
  }
  return {
    env,
    url,
    database: onServer?.database,
    async start(more = {}) {
      const service = await startService({ ...env, ...more })
      serviceUrl = service.url
      return service
    },
    async setFaults(faults) {
      const { status, body } = await http(url, 'POST', '/control/faults', faults)
      if (status !== 200) throw new Error(JSON.stringify(body))
    },
    open: async () =>
      onServer?.url === undefined ? openEmbedded(join(dataDir, 'pg')) : openPostgres(onServer.url),
    async remove() {
      await simulator.close()
      await onServer?.remove()
    },
  }
}
