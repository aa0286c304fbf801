import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { INSTALLED } from '../installed-files.ts'
import { ConfigError } from './config/env-values.ts'
import { simulatorSecretOf } from './config/own-secrets.ts'

export type SimulatorProcess = {
  url: string
  /** Sets the address to which the simulator sends its events. */
  sendEventsTo(serviceUrl: string): void
  stop(): Promise<void>
}

/**
 * Starts the simulator beside the service, in a child process that ends with this one, however this one ends. Its
 * templates survive a restart in `DATA_DIR/simulator.json`, as the shop's own templates do.
 * @throws ConfigError when its port is taken.
 */
export async function startSimulator(config: Config): Promise<SimulatorProcess> {
  const child = fork(INSTALLED.simulator, [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...process.env,
      SIMULATOR_HOST: config.simulator.host,
      SIMULATOR_SECRET: simulatorSecretOf(config),
      SIMULATOR_PORT: String(config.simulator.port),
      SIMULATOR_REVIEW_MS: String(config.simulator.reviewMs),
      SIMULATOR_STATE: join(config.dataDir, 'simulator.json'),
    },
  })
  let trouble = ''
  child.stderr?.on('data', (text) => {
    trouble += text
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { url: string }).url))
    child.once('exit', () => reject(new ConfigError(reasonOf(trouble.trim(), config))))
  })
  return {
    url,
    sendEventsTo: (serviceUrl) => child.send({ webhookUrl: serviceUrl }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Why the simulator did not start, as one line. */
function reasonOf(trouble: string, { simulator, port }: Config): string {
  const isUsual = simulator.port === port + 1
  const taken = isUsual
    ? `Port ${simulator.port}, PORT + 1, which the simulator uses,`
    : `SIMULATOR_PORT=${simulator.port}`
  if (trouble.includes('EADDRINUSE'))
    return `${taken} is in use; another Shopbell may be running: stop it, or set ${isUsual ? 'PORT' : 'SIMULATOR_PORT'} to another one`
  return trouble || 'the simulator stopped during its start'
}
