import type { ObjectId } from './object-id.ts'

/** Who changes a record, and which of its versions they know (G-71). */
export type Edit = {
  /** A key or a member; null: the operator's token, or the service itself. */
  by: ObjectId | null
  /** Undefined: any version may be changed. */
  known: readonly number[] | undefined
}

/** A change that the service makes by itself. */
export const OWN_EDIT: Edit = { by: null, known: undefined }

/** Whether the record is still as the caller knows it, or the caller does not ask for that. */
export function isKnown({ known }: Pick<Edit, 'known'>, version: number): boolean {
  return known === undefined || known.includes(version)
}
