import type { Db } from '../../db/client.ts'
import { type LastChange, NotFound, RecordChanged, type Resource } from '../../errors.ts'
import { type Edit, isKnown } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { type EditedTable, findLastEdit, type LastEditRow } from './sql.ts'

/**
 * Refuses to change a record of which the caller does not know the current version (G-71). The record must be locked by `trx`, or
 * the change itself must name the version that it starts from, so that nobody changes the record in between.
 * @throws RecordChanged
 */
export async function assertVersion(
  trx: Db,
  shopId: ObjectId,
  table: EditedTable,
  record: { id: ObjectId; version: number },
  edit: Edit,
): Promise<void> {
  if (isKnown(edit, record.version)) return
  throw recordChanged((await findLastEdit(trx, shopId, table, record.id))!)
}

/** The reason why a change that names its known versions found no record: the record was changed, or does not exist. */
export async function changedOrGone(
  db: Db,
  shopId: ObjectId,
  table: EditedTable,
  id: ObjectId,
  resource: Resource,
): Promise<RecordChanged | NotFound> {
  const last = await findLastEdit(db, shopId, table, id)
  return last === undefined ? new NotFound(resource) : recordChanged(last)
}

/** The refusal, naming the last change of the record. */
export function recordChanged(last: LastEditRow): RecordChanged {
  return new RecordChanged({ version: last.version, at: last.updated_at, by: byOf(last) })
}

function byOf(last: LastEditRow): LastChange['by'] {
  const { updated_by: id, person_name: person, key_name: key } = last
  if (id === null) return null
  if (person !== null) return { type: 'member', id, name: person }
  return key === null ? null : { type: 'key', id, name: key }
}
