import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { modernDocument } from './legacy.ts'
import { findTemplate, insertTemplate, listNames, type TemplateRow } from './sql.ts'

const LONGEST_NAME = 500

/**
 * Creates a DRAFT with the content of a template in any status, under its name with the next number: `Tết`, `Tết (2)`,
 * `Tết (3)` (G-18). A template in the older format is converted to blocks. Nothing of its review is copied.
 * @throws NotFound.
 */
export async function duplicateTemplate(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  templateId: ObjectId,
  { id, by }: { id: ObjectId; by: ObjectId | null },
): Promise<TemplateRow> {
  const row = await findTemplate(db, shopId, templateId)
  if (row === undefined) throw new NotFound('template')
  const base = row.name.replace(/ \(\d{1,9}\)$/, '')
  const name = nextName(base, await listNames(db, shopId, `${base} (`))
  return insertTemplate(db, shopId, {
    id,
    eventId: ids.next(),
    document: { ...modernDocument(row), name },
    by,
    now: clock.now(),
  })
}

function nextName(base: string, taken: string[]): string {
  const numbers = taken.map((name) => Number(/^ \((\d{1,9})\)$/.exec(name.slice(base.length))?.[1] ?? 1))
  const suffix = ` (${Math.max(1, ...numbers) + 1})`
  return `${base.slice(0, LONGEST_NAME - suffix.length).toWellFormed()}${suffix}`
}
