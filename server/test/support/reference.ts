import type { RecordName, ShopRecords } from './shop-records.ts'

export type Body = Record<string, unknown>

export type Reference = {
  /** The kinds of records that the id may name. */
  records: RecordName[]
  /** The status of the response to an id of another shop's record. */
  status: number
  query?: (id: string) => string
  body?: (id: string, own: ShopRecords) => Body
  /** The CSV that is sent instead of a body of JSON. */
  csv?: string
  /** The response is the same for an own record. */
  isSilent?: true
}
