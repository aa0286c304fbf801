import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { TemplateDocument } from '../../platform/types.ts'
import { recordChanged } from '../concurrent-edits/assert-version.ts'
import { findLastEdit } from '../concurrent-edits/sql.ts'
import { isEditable } from './rules.ts'
import { findTemplate, overwriteTemplate, type TemplateRow } from './sql.ts'

/**
 * Replaces a template's content (E2).
 * @throws NotFound; Refused TEMPLATE_NOT_EDITABLE because of its status; RecordChanged if it is editable but in a
 *   version that the caller does not know.
 */
export async function updateTemplate(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  shopId: ObjectId,
  id: ObjectId,
  document: TemplateDocument,
  edit: Edit,
): Promise<TemplateRow> {
  const row = await overwriteTemplate(db, shopId, id, document, clock.now(), edit)
  if (row !== undefined) return row
  const existing = await findTemplate(db, shopId, id)
  if (existing === undefined) throw new NotFound('template')
  const { status } = existing
  if (edit.known === undefined || !isEditable(status))
    throw new Refused('TEMPLATE_NOT_EDITABLE', { status: { templateStatus: status } })
  throw recordChanged((await findLastEdit(db, shopId, 'templates', id))!)
}
