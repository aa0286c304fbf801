import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { openSpan } from '../lib/spans.ts'
import type { App } from './app-type.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request. */
    spanContext?: Context
  }
}

/**
 * Records a span for each request, as a child of the caller's span if it sends `traceparent`. This takes two hooks,
 * because the first hook's async context is lost when the body is read.
 */
export function traceRequests(app: App): void {
  app.decorateRequest('spanContext')
  app.addHook('onRequest', (request: FastifyRequest, _reply, done: () => void) => {
    const parent = propagation.extract(ROOT_CONTEXT, request.headers)
    const span = context.with(parent, () =>
      openSpan(`${request.method} ${request.routeOptions.url ?? 'unknown'}`, SpanKind.SERVER, {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url ?? '',
        'shopbell.request_id': request.id,
      }),
    )
    request.spanContext = trace.setSpan(parent, span)
    context.with(request.spanContext, done)
  })
  app.addHook('preValidation', (request: FastifyRequest, _reply, done: () => void) => {
    context.with(request.spanContext ?? ROOT_CONTEXT, done)
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = request.spanContext && trace.getSpan(request.spanContext)
    span?.setAttribute('http.response.status_code', statusCode)
    if (request.shop !== undefined) span?.setAttribute('shopbell.shop_id', request.shop.id)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}
