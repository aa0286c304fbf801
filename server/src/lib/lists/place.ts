import type { ObjectId } from '../object-id.ts'

/** The record after which a page begins: its sort key (of a time the microseconds) and its id. */
export type Keyset = { key: string | number; id: ObjectId }

/** The place of a page in a list: after `offset` records, or after a certain record. */
export type Place = { limit: number; offset: number; after?: Keyset | undefined }
