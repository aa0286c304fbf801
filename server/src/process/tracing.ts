import { randomBytes } from 'node:crypto'
import { context, propagation, trace } from '@opentelemetry/api'
import { requestIdNow } from '../lib/request-id.ts'
import { VERSION } from './cli/version.ts'

const EXPORT_TIMEOUT_MS = 5_000
/** At most this many spans are queued; further spans are dropped, never requests. */
const MOST_WAITING = 4_096

/**
 * From now on, sends spans by OTLP over HTTP to the collector at `endpoint`. The libraries are loaded only then. If the
 * caller sends no trace id, the trace has the id of the request, in whichever process the work is done, so its jobs and
 * webhooks are found by one id. `OTEL_SERVICE_NAME`, `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_RESOURCE_ATTRIBUTES` have
 * their usual meaning.
 * @returns a function that sends the remaining spans and stops tracing.
 */
export async function startTracing(endpoint: string): Promise<() => Promise<void>> {
  const [sdk, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, core, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const detected = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'shopbell', 'service.version': VERSION })
      .merge(detected),
    idGenerator: {
      generateTraceId: () => requestIdNow()?.padStart(32, '0') ?? randomBytes(16).toString('hex'),
      generateSpanId: () => randomBytes(8).toString('hex'),
    },
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter, maxQueueSize: MOST_WAITING, scheduledDelayMillis: 1_000 }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return async () => {
    // An unreachable collector must not delay a stop.
    await provider.shutdown().catch(() => {})
    trace.disable()
    context.disable()
    propagation.disable()
  }
}
