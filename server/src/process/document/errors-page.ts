/**
 * If more operations than this return a code, they share its cause. The page then neither lists nor counts them,
 * because each new operation would change it.
 */
const LISTED = 5

type Json = Record<string, unknown>
type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Json> }>>
  components: {
    responses: Record<string, Json>
    examples: Record<string, { value: { statusCode?: number; message?: string; code?: string } }>
  }
}

/** Every error code of the API document as Markdown: its status, its English text and the operations that return it. */
export function errorsPage(given: object): string {
  const document = given as Document
  const answered = operationsByCode(document)
  const lines = Object.entries(document.components.examples)
    .filter(([, { value }]) => value.code !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([code, { value }]) =>
        `| \`${code}\` | ${value.statusCode} | ${value.message} | ${among(answered.get(code))} |`,
    )
  return `# Errors by code

Generated from the API document by \`npm run openapi\`. The body of each is \`{statusCode, error, message, code}\`; the message is in
the language that \`Accept-Language\` or the shop names, and its values depend on the call. What each rule requires is described in the
[reference](reference/requests.md#codes-of-refused-rules). Errors without a code: [when a call is refused](guide.md#7-when-a-call-is-refused).

| code | status | example message | returned by |
| --- | --- | --- | --- |
${lines.join('\n')}
`
}

function among(operations: string[] = []): string {
  if (operations.length > LISTED) return 'many operations'
  return operations.map((id) => `\`${id}\``).join(', ')
}

function operationsByCode({ paths, components }: Document): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const operation of Object.values(paths).flatMap((verbs) => Object.values(verbs))) {
    const refusals = Object.entries(operation.responses).filter(([status]) => !status.startsWith('2'))
    const codes = refusals.flatMap(([, response]) => {
      const name = typeof response.$ref === 'string' ? response.$ref.split('/').at(-1)! : undefined
      return codesIn(name === undefined ? response : components.responses[name])
    })
    for (const code of new Set(codes)) found.set(code, [...(found.get(code) ?? []), operation.operationId])
  }
  return found
}

/** The values of every field `code` in a schema. */
function codesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const code = (part as { properties?: { code?: { enum?: string[] } } }).properties?.code?.enum ?? []
  return [...code, ...Object.values(part).flatMap(codesIn)]
}
