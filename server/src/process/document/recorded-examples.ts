import recorded from './examples.json' with { type: 'json' }

type Example = { value?: unknown; example?: unknown }
type Recorded = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  responses: Record<string, unknown>
}
type Content = Record<string, Example>
export type Shown = {
  operationId?: string
  parameters?: (Example & { in: string; name: string })[]
  requestBody?: { content?: Content }
  responses?: Record<string, { content?: Content }>
}

/** Adds the recorded request and responses of an operation to it (`npm run examples`). */
export function showRecorded(operation: Shown): void {
  const example = (recorded as Record<string, Recorded>)[operation.operationId ?? '']
  if (example === undefined) return
  for (const parameter of operation.parameters ?? []) {
    const value = { path: example.params, query: example.query }[parameter.in]?.[parameter.name]
    if (value !== undefined) parameter.example = value
  }
  show(operation.requestBody?.content, example.body)
  for (const [status, body] of Object.entries(example.responses)) {
    show(operation.responses?.[status]?.content, body)
  }
}

/** Adds the example to the first media type, which is the one that was recorded. */
function show(content: Content | undefined, value: unknown): void {
  const [first] = Object.values(content ?? {})
  if (first !== undefined && value !== undefined) first.example = value
}
