import { invalidField } from '../../errors.ts'
import { isObjectId, type ObjectId } from '../../lib/object-id.ts'

/**
 * Assigns the ids when all of a product's records of one kind are replaced: a known id that is sent is kept, and a
 * record without an id gets a new one.
 * @throws ValidationError for an id that is unknown or sent twice.
 */
export function keptIds(known: ObjectId[], nextId: () => ObjectId) {
  const left = new Set(known)
  return (sent: string | undefined, path: (string | number)[], kind: string): ObjectId => {
    if (sent === undefined) return nextId()
    const id = isObjectId(sent) ? sent.toLowerCase() : ''
    if (left.delete(id)) return id
    throw known.includes(id)
      ? invalidField(path, 'id.twice')
      : invalidField(path, 'product.unknown', { kind })
  }
}
