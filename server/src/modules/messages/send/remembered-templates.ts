import { LRUCache } from 'lru-cache'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { SendableTemplate } from '../rules.ts'

const remembered = new LRUCache<string, SendableTemplate>({ max: 5_000 })

/**
 * The template that was last sent under this name, which saves a send a read. It may be outdated: the statement that
 * accepts a message checks it against the database, and no refusal may be based on it.
 */
export function recallTemplate(shopId: ObjectId, name: string): SendableTemplate | undefined {
  return remembered.get(`${shopId}/${name}`)
}

/** Keeps a template under the name that a caller used for it: our id or the platform's number. */
export function rememberTemplate(shopId: ObjectId, name: string, template: SendableTemplate): void {
  remembered.set(`${shopId}/${name}`, template)
}
