import type { ObjectId } from '../object-id.ts'

/** Which records a copy is made of: those of some ids, or the next `limit` after an id, in the order of ids. */
export type Copied = { ids: ObjectId[] } | { after: ObjectId | undefined; limit: number }
