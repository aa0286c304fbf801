import type { ObjectId } from '../object-id.ts'

/** The record that a page begins behind: its sort key (of a time its microseconds) and its id. */
export type Keyset = { key: string | number; id: ObjectId }

/** A page of a list: `offset` records in, or behind one. */
export type Place = { limit: number; offset: number; after?: Keyset | undefined }
