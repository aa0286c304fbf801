/** A part of an API document with each reference replaced by its target. */
export function withoutReferences<Part>(part: Part, document: object): Part {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: unknown }
    if (typeof $ref === 'string') return resolve(at(document, $ref))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)]))
  }
  return resolve(part) as Part
}

function at(document: object, reference: string): unknown {
  const steps = reference.slice('#/'.length).split('/')
  return steps.reduce<unknown>((within, step) => (within as Record<string, unknown>)[step], document)
}
