import type { ObjectId } from '../object-id.ts'

/**
 * Writes a place in a list or feed as text. It is opaque to its holder and valid only for this shop and this `name`.
 * The name says what is read and how (`changes.1`), and changes when the meaning of the parts changes.
 */
export function cursorText(
  shopId: ObjectId,
  name: string,
  parts: readonly (string | number | null)[],
): string {
  return Buffer.from(JSON.stringify([name, shopId, ...parts])).toString('base64url')
}

/** The parts of a {@link cursorText}; undefined for other text, and for a cursor of another shop or name. */
export function cursorParts(text: string, shopId: ObjectId, name: string): unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) && parts[0] === name && parts[1] === shopId ? parts.slice(2) : undefined
  } catch {
    return undefined
  }
}
