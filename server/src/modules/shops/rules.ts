import { invalidField } from '../../errors.ts'
import { isBlank, toNfc } from '../../lib/text/text.ts'

/**
 * The name of a shop or an official account as it is stored: in NFC and trimmed.
 * @throws ValidationError for a blank one.
 */
export function storedName(name: string): string {
  const stored = toNfc(name).trim()
  if (isBlank(stored)) throw invalidField(['name'], 'string.empty')
  return stored
}

/** The bank account that receives a shop's transfers. */
export type Bank = { bin: string; number: string; holder: string }

/** A text as it is stored: in NFC and trimmed; undefined stays undefined. */
export function storedLine(text: string | undefined): string | undefined {
  return text === undefined ? undefined : toNfc(text).trim()
}

/** The fields without undefined ones, so that spreading them keeps existing values. */
export function given<Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
}
