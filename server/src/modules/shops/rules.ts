/** The bank account that receives a shop's transfers. */
export type Bank = { bin: string; number: string; holder: string }

/** The fields without undefined ones, so that spreading them keeps existing values. */
export function given<Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
}
