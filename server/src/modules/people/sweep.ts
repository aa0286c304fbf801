import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { ERASED } from '../../lib/text/erased.ts'
import {
  allowErasing,
  deleteEmptyCounts,
  type FoundRow,
  findRowsWith,
  listPlaces,
  lockRow,
  type Place,
  updateTexts,
} from './places-sql.ts'
import type { Spellings } from './rules.ts'

/** A text that contains a person's number: `place` such as `orders.note`, `key` the row's primary key. */
export type Mention = { place: string; key: string[]; text: string }

/** How many rows a statement reads: it takes some milliseconds and no lock. */
const LOOKED_AT = 1_000

/** Texts that are replaced as a whole, with their replacement: the rest of them is about the person too. */
const WHOLE: Record<string, string | null> = { 'orders.user_address': null, 'idempotency_keys.body': '{}' }

/** JSON of which only the fields `name` are erased: the rest of it are ids that a caller has chosen, in which digits are no number. */
const NAMES_ONLY = new Set(['products.sku_drafts'])

/** Every text of one shop, or, with undefined, of all shops, that contains the number. */
export async function* findMentions(
  db: Db,
  shopId: ObjectId | undefined,
  spellings: Spellings,
): AsyncGenerator<Mention> {
  for await (const { place, row } of rowsWith(db, shopId, spellings)) {
    const changed = erasedTexts(place, row.texts, spellings)
    for (const name of Object.keys(changed)) {
      yield { place: `${place.table}.${name}`, key: row.key, text: row.texts[name] ?? '' }
    }
  }
}

/**
 * Erases the number from every text of one shop, or, with undefined, of all shops. Each table is read in steps of a
 * thousand rows, and each row that changes gets its own transaction. If it is interrupted, it can be run again.
 * @returns how many texts changed, by place.
 */
export async function eraseMentions(
  db: Db,
  shopId: ObjectId | undefined,
  spellings: Spellings,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for await (const { place, row } of rowsWith(db, shopId, spellings)) {
    const names = await db.transaction().execute(async (trx) => {
      await allowErasing(trx)
      const texts = await lockRow(trx, shopId, place, row.key)
      const changed = texts === undefined ? {} : erasedTexts(place, texts, spellings)
      if (Object.keys(changed).length > 0) await updateTexts(trx, shopId, place, row.key, changed)
      return Object.keys(changed)
    })
    for (const name of names) counts[`${place.table}.${name}`] = (counts[`${place.table}.${name}`] ?? 0) + 1
  }
  await deleteEmptyCounts(db, shopId, spellings.pattern)
  return counts
}

async function* rowsWith(
  db: Db,
  shopId: ObjectId | undefined,
  { pattern }: Spellings,
): AsyncGenerator<{ place: Place; row: FoundRow }> {
  for (const place of await listPlaces(db)) {
    let after: string[] | undefined
    for (;;) {
      const { last, found } = await findRowsWith(db, shopId, place, { pattern, after, limit: LOOKED_AT })
      for (const row of found) yield { place, row }
      if (last === null) break
      after = last
    }
  }
}

/** The changed texts of a row, with their new values. */
function erasedTexts(
  { table, columns }: Place,
  texts: FoundRow['texts'],
  { eraseInJson, eraseInText }: Spellings,
): Record<string, string | null> {
  const changed: Record<string, string | null> = {}
  for (const { name, isJson, isUnique } of columns) {
    const text = texts[name]
    if (text === null || text === undefined) continue
    const isOfNames = NAMES_ONLY.has(`${table}.${name}`)
    const erased = isOfNames
      ? text.replace(/"name": "(?:[^"\\]|\\.)*"/g, eraseInJson)
      : isJson
        ? eraseInJson(text)
        : eraseInText(text)
    if (erased === text) continue
    const whole = WHOLE[`${table}.${name}`]
    if (whole !== undefined) changed[name] = whole
    // In a unique column, two erased texts must not be equal.
    else
      changed[name] = isUnique
        ? erased.replaceAll(ERASED, `erased-${randomBytes(6).toString('hex')}`)
        : erased
  }
  return changed
}
