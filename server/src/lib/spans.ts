import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** The most characters of a statement's text in a span. */
const STATEMENT_CHARACTERS = 2_000

/**
 * Opens a span for the current work. It has no effect unless traces are sent somewhere (process/tracing.ts). Attributes
 * may contain ids, names and numbers, but no secret, phone number or message value.
 */
export function openSpan(name: string, kind: SpanKind, attributes: Attributes = {}): Span {
  return trace.getTracer('shopbell').startSpan(name, { kind, attributes })
}

/** Runs the work in its own span, which ends with it. Spans of what the work starts are its children. */
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

/**
 * Adds a span for a finished statement as a child of the current span. Background rounds have no span, so their
 * statements get none.
 */
export function noteStatement({ text, ms, error }: { text: string; ms: number; error?: unknown }): void {
  const parent = trace.getActiveSpan()
  if (parent === undefined || !parent.isRecording()) return
  const endTime = Date.now()
  // Values are bound as parameters, so they are not part of the text.
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, STATEMENT_CHARACTERS) }
  const name = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const span = trace
    .getTracer('shopbell')
    .startSpan(`sql ${name}`, { kind: SpanKind.CLIENT, attributes, startTime: endTime - ms })
  if (error !== undefined) failSpan(span, error)
  span.end(endTime)
}

/** Only the error's name is recorded, because a message may contain values of rows. */
function failSpan(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
}
