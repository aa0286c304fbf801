import { invalidField } from '../../errors.ts'
import { isObjectId, type ObjectId } from '../../lib/object-id.ts'

/**
 * The ids of a product's records when all of them are replaced: a known id that is sent stays, once; the others are
 * new.
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
