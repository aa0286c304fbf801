import { randomBytes } from 'node:crypto'
import { context, propagation, trace } from '@opentelemetry/api'
import { requestIdNow } from '../lib/request-id.ts'
import { VERSION } from './cli/version.ts'

const EXPORT_TIMEOUT_MS = 5_000
/** As many spans wait at most; those beyond are lost, never the request. */
const MOST_WAITING = 4_096

/**
 * Sends spans by OTLP over HTTP to the collector at `endpoint` from now on, loaded only then. The trace of work without a
 * caller's own has the id of its request, in whichever process it is done: its jobs and webhooks are found by one id.
 * `OTEL_SERVICE_NAME`, `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_RESOURCE_ATTRIBUTES` mean what they mean everywhere.
 * @returns what sends the rest and ends it.
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
    // A collector that is away holds no stop up.
    await provider.shutdown().catch(() => {})
    trace.disable()
    context.disable()
    propagation.disable()
  }
}
