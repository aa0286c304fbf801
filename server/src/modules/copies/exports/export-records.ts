import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type CopiedRecord, RECORD_TYPES, type RecordType } from '../record-types.ts'

/**
 * All records of a type as lines of JSON, in the order of their ids, some at a time (G-67). The last line is
 * `{"end":true,"count":n}`: a file without it is incomplete. Between two chunks nothing is locked or open in the database.
 */
export async function* exportRecords(
  db: Db,
  shopId: ObjectId,
  type: RecordType,
): AsyncGenerator<string, void> {
  const { read, atOnce } = RECORD_TYPES[type]
  let [after, count]: [ObjectId | undefined, number] = [undefined, 0]
  for (;;) {
    const records: CopiedRecord[] = await read(db, shopId, { after, limit: atOnce })
    if (records.length === 0) break
    count += records.length
    yield records.map((record) => `${JSON.stringify(record)}\n`).join('')
    after = records.at(-1)!._id
  }
  yield `${JSON.stringify({ end: true, count })}\n`
}
