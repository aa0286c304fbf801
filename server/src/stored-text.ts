import { invalidField } from './errors.ts'
import { isBlank, toNfc } from './lib/text/text.ts'

/** A line of text as it is stored: in NFC and trimmed; undefined stays undefined. */
export function storedLine(text: string): string
export function storedLine(text: string | undefined): string | undefined
export function storedLine(text: string | undefined): string | undefined {
  return text === undefined ? undefined : toNfc(text).trim()
}

/** The name of a record as it is stored. @throws ValidationError naming `field` if nothing of it can be seen. */
export function storedName(text: string, field = 'name'): string {
  const name = storedLine(text)
  if (isBlank(name)) throw invalidField([field], 'string.empty')
  return name
}
