import type { ObjectId } from '../object-id.ts'

/**
 * A place in a list or feed as text, opaque to its holder and good for this shop and this `name` alone. The name says what
 * is read and how (`changes.1`); it changes with the meaning of the parts.
 */
export function cursorText(
  shopId: ObjectId,
  name: string,
  parts: readonly (string | number | null)[],
): string {
  return Buffer.from(JSON.stringify([name, shopId, ...parts])).toString('base64url')
}

/** The parts of a {@link cursorText}; undefined for what is none, or one of another shop or name. */
export function cursorParts(text: string, shopId: ObjectId, name: string): unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) && parts[0] === name && parts[1] === shopId ? parts.slice(2) : undefined
  } catch {
    return undefined
  }
}
