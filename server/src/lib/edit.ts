import type { ObjectId } from './object-id.ts'

/** Who changes a record, and which of its versions they know (G-71). */
export type Edit = {
  /** The key or member; null for the operator's token and for the service itself. */
  by: ObjectId | null
  /** Undefined: the change applies to any version. */
  known: readonly number[] | undefined
}

/** A change that the service makes by itself. */
export const OWN_EDIT: Edit = { by: null, known: undefined }

/** Whether the record still has a version that the caller knows, or the caller did not ask for this check. */
export function isKnown({ known }: Pick<Edit, 'known'>, version: number): boolean {
  return known === undefined || known.includes(version)
}
