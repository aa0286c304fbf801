import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { NotFound, Unauthorized } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { setErrorMap } from '../../http/error-map.ts'
import { sha256 } from '../../lib/secrets/sha256.ts'
import { ConfigError } from '../config/env-values.ts'

export class MetricsPortTaken extends ConfigError {
  constructor(port: number | undefined) {
    super(`METRICS_PORT=${port} is in use: stop what uses the port, or set METRICS_PORT to another one`)
  }
}

const OWN = /^(::1|127\.\d+\.\d+\.\d+|::ffff:127\.\d+\.\d+\.\d+)$/

/**
 * Decides who may read `/metrics`: holders of METRICS_TOKEN; without a token only this machine, unless a proxy on it
 * forwards the request. With METRICS_PORT nobody may read them at the service's own port.
 * @throws NotFound, Unauthorized
 */
export function assertMayReadMetrics(
  request: FastifyRequest,
  { metrics }: Pick<Config, 'metrics'>,
  isOwnPort: boolean,
): void {
  if (metrics.port !== undefined && !isOwnPort) throw new NotFound('route')
  if (metrics.token !== undefined) {
    if (isSame(request.headers.authorization ?? '', `Bearer ${metrics.token}`)) return
    throw new Unauthorized('metricsToken')
  }
  if (metrics.port !== undefined) return
  const isPassedOn = ['x-forwarded-for', 'forwarded', 'via'].some(
    (name) => request.headers[name] !== undefined,
  )
  if (isPassedOn || !OWN.test(request.socket.remoteAddress ?? '')) throw new Unauthorized('metricsToken')
}

/**
 * Serves `/metrics` at METRICS_PORT too. Several processes share that port as they share the service's own.
 * The start fails with MetricsPortTaken if the port is taken.
 */
export function serveMetrics(app: App, config: Config, read: () => Promise<string>, type: string): void {
  const { port } = config.metrics
  if (port === undefined) return
  const own = Fastify({ logger: false })
  setErrorMap(own)
  own.get('/metrics', async (request, reply) => {
    assertMayReadMetrics(request, config, true)
    return reply.header('content-type', type).send(await read())
  })
  app.addHook('onReady', async () => {
    await own.listen({ port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw new MetricsPortTaken(port)
    })
  })
  app.addHook('onClose', () => own.close())
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected))
}
