import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** Longest text of a statement in a span. */
const STATEMENT_CHARACTERS = 2_000

/**
 * A span of the work under way, of nothing unless traces are sent somewhere (process/tracing.ts). Its attributes hold ids,
 * names and numbers: no secret, phone or value.
 */
export function openSpan(name: string, kind: SpanKind, attributes: Attributes = {}): Span {
  return trace.getTracer('shopbell').startSpan(name, { kind, attributes })
}

/** Does the work in a span of its own, which ends with it; what the work does lies below it. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return trace.getTracer('shopbell').startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      failSpan(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** A statement that has ended, below the span of its work; the rounds of the background, which have none, leave none. */
export function noteStatement({ text, ms, error }: { text: string; ms: number; error?: unknown }): void {
  const parent = trace.getActiveSpan()
  if (parent === undefined || !parent.isRecording()) return
  const endTime = Date.now()
  // The values are parameters, which are no part of the text.
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, STATEMENT_CHARACTERS) }
  const name = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const span = trace
    .getTracer('shopbell')
    .startSpan(`sql ${name}`, { kind: SpanKind.CLIENT, attributes, startTime: endTime - ms })
  if (error !== undefined) failSpan(span, error)
  span.end(endTime)
}

/** By the error's name only: a message may hold values of rows. */
function failSpan(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
}
