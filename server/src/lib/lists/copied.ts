import type { ObjectId } from '../object-id.ts'

/** The records to copy: those with certain ids, or the next `limit` after an id, in the order of ids. */
export type Copied = { ids: ObjectId[] } | { after: ObjectId | undefined; limit: number }
