import type { ObjectId } from './object-id.ts'

/** A member or key of a shop, with the name that the shop knows. For a member without a name, it is the email address. */
export type Who = { type: 'member' | 'key'; id: ObjectId; name: string }

/** A member or key as responses show it; null if there is none. */
export function presentWho(who: Who | null): Who | null {
  return who && { type: who.type, id: who.id, name: who.name }
}
