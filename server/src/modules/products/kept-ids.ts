import { invalidField } from '../../errors.ts'
import { isObjectId, type ObjectId } from '../../lib/object-id.ts'

/** The id that each record of a product gets, when all of them are replaced: a known one that is sent, once, or a new one. */
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
