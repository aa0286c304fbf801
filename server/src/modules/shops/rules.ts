import { invalidField } from '../../errors.ts'
import { isBlank, toNfc } from '../../lib/text.ts'

/**
 * The name of a shop or an official account as it is stored: in NFC and trimmed.
 * @throws ValidationError for a blank one.
 */
export function storedName(name: string): string {
  const stored = toNfc(name).trim()
  if (isBlank(stored)) throw invalidField(['name'], 'string.empty')
  return stored
}

/** The fields without those that are undefined, so that a spread of them leaves what is there. */
export function given<Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
}
