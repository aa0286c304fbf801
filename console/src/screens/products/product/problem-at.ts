/** The problem of a field or, if that has none, of the first part of it. */
export function problemAt(problems: Record<string, unknown>, path: string): string | undefined {
  const key = path in problems ? path : Object.keys(problems).find((one) => one.startsWith(`${path}.`))
  return key === undefined ? undefined : (problems[key] as string)
}
