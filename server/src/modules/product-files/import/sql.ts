import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/fragments/keyset-sql.ts'
import type { FieldRule, RuleValues } from '../../../field-rules.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { lockShop } from '../../shops/sql.ts'
import type { LineError } from '../format/line-errors.ts'
import type { Format, Mode } from './rules.ts'

export type ImportStatus = 'pending' | 'checking' | 'writing' | 'done' | 'failed' | 'cancelled'

export type ImportRow = {
  shop_id: ObjectId
  id: ObjectId
  upload_id: ObjectId
  format: Format
  mode: Mode
  is_dry_run: boolean
  language: 'vi' | 'en'
  created_by: ObjectId | null
  warehouse_id: ObjectId | null
  status: ImportStatus
  total: number | null
  done: number
  created: number
  updated: number
  unchanged: number
  failed: number
  stocked: number
  stock_kept: number
  errors: number
  reason: string | null
  created_at: Date
  updated_at: Date
  finished_at: Date | null
}

export type ErrorRow = {
  n: number
  line: number
  column: string
  message: string
  rule: FieldRule | null
  values: RuleValues | null
}

/** The numbers of products by result, and of SKUs by what became of their opening stock. */
export type Counts = {
  created: number
  updated: number
  unchanged: number
  failed: number
  stocked: number
  stockKept: number
}

const COLUMNS =
  sql.raw(`i.shop_id, i.id, i.upload_id, i.format, i.mode, i.is_dry_run, i.language, i.created_by,
      i.warehouse_id, i.status, i.total, i.done, i.created, i.updated, i.unchanged, i.failed, i.stocked, i.stock_kept, i.errors,
      i.reason, i.created_at, i.updated_at, i.finished_at`)

/**
 * Deletes up to `limit` errors of imports that ended before `before`, for all shops. Index product_imports_finished.
 * @returns how many.
 */
export async function deleteOldErrors(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select e.shop_id, e.import_id, e.n
      from product_imports i
      join product_import_errors e on e.shop_id = i.shop_id and e.import_id = i.id
      where i.finished_at < ${before}
      limit ${limit}
      for update of e skip locked
    )
    delete from product_import_errors
    where (shop_id, import_id, n) in (select shop_id, import_id, n from due)
    returning n`.execute(db)
  return rows.length
}

/**
 * Deletes up to `limit` imports that ended before `before` and have no errors left, for all shops. Index
 * product_imports_finished.
 * @returns how many.
 */
export async function deleteOldImports(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select i.shop_id, i.id
      from product_imports i
      where i.finished_at < ${before} and not exists (
        select
        from product_import_errors e
        where e.shop_id = i.shop_id and e.import_id = i.id
      )
      order by i.finished_at
      limit ${limit}
      for update of i skip locked
    )
    delete from product_imports
    where (shop_id, id) in (select shop_id, id from due)
    returning id`.execute(db)
  return rows.length
}

/**
 * How many imports of the shop have not ended. The shop stays locked until the transaction ends, so that two concurrent
 * imports cannot exceed the limit together. Index `product_imports_open`.
 */
export async function lockOpenImports(trx: Db, shopId: ObjectId): Promise<number> {
  await lockShop(trx, shopId)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n
    from product_imports
    where shop_id = ${shopId} and finished_at is null`.execute(trx)
  return rows[0]!.n
}

export type NewImport = {
  id: ObjectId
  uploadId: ObjectId
  format: Format
  mode: Mode
  isDryRun: boolean
  language: 'vi' | 'en'
  createdBy: ObjectId | null
  /** Where opening stock is booked; null: in the default warehouse. */
  warehouseId: ObjectId | null
  now: Date
}

export async function insertImport(trx: Db, shopId: ObjectId, made: NewImport): Promise<void> {
  await sql`
    insert into product_imports (shop_id, id, upload_id, format, mode, is_dry_run, language, created_by, warehouse_id,
      created_at, updated_at)
    values (${shopId}, ${made.id}, ${made.uploadId}, ${made.format}, ${made.mode}, ${made.isDryRun},
      ${made.language}, ${made.createdBy}, ${made.warehouseId}, ${made.now}, ${made.now})`.execute(trx)
}

export async function findImport(db: Db, shopId: ObjectId, id: ObjectId): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    select ${COLUMNS}
    from product_imports i
    where i.shop_id = ${shopId} and i.id = ${id}`.execute(db)
  return rows[0]
}

/** A page of the shop's imports, newest first: an id begins with its time of creation, in seconds. */
export async function listImports(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ imports: ImportRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and i.id = any(${ids}::text[])`
  const { rows } = await sql<ImportRow & { cursor_key: number }>`
    select ${COLUMNS}, 0 as cursor_key
    from product_imports i
    where i.shop_id = ${shopId}${among}${after === undefined ? sql`` : sql` and i.id < ${after.id}`}
    order by i.id desc
    limit ${limit + 1} offset ${offset}`.execute(db)
  const { page: imports, hasMore, last } = pageOf(rows, limit)
  return { imports, hasMore, last }
}

/** The next errors of an import after a position, in the order of the file. */
export async function listErrorsAfter(
  db: Db,
  shopId: ObjectId,
  importId: ObjectId,
  after: number,
  limit: number,
): Promise<ErrorRow[]> {
  const { rows } = await sql<ErrorRow>`
    select e.n, e.line, e.column_name as column, e.message, e.rule, e.rule_values as values
    from product_import_errors e
    where e.shop_id = ${shopId} and e.import_id = ${importId} and e.n > ${after}
    order by e.n
    limit ${limit}`.execute(db)
  return rows
}

/** The lines of an import that have errors: one of each product that was not written. */
export async function listErrorLines(db: Db, { shopId, id }: Pick<Run, 'shopId' | 'id'>): Promise<number[]> {
  const { rows } = await sql<{ line: number }>`
    select e.line
    from product_import_errors e
    where e.shop_id = ${shopId} and e.import_id = ${id}`.execute(db)
  return rows.map(({ line }) => line)
}

/** Makes `runId` the only attempt that may run an import; undefined if the import has ended. */
export async function claimImport(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  runId: ObjectId,
  now: Date,
): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    update product_imports i
    set run_id = ${runId}, updated_at = ${now}
    where i.shop_id = ${shopId} and i.id = ${id} and i.finished_at is null
    returning ${COLUMNS}`.execute(db)
  return rows[0]
}

export type Run = { shopId: ObjectId; id: ObjectId; runId: ObjectId }

/** Whether an attempt should continue: the import was not cancelled and no other attempt has taken it over. */
export async function isGoingOn(db: Db, { shopId, id, runId }: Run): Promise<boolean> {
  const { rows } = await sql`
    select
    from product_imports
    where shop_id = ${shopId} and id = ${id} and run_id = ${runId} and finished_at is null`.execute(db)
  return rows.length > 0
}

/**
 * Begins a pass over the file, and resets the counts unless it continues an earlier pass. @returns as {@link isGoingOn}
 */
export async function beginPass(
  db: Db,
  { shopId, id, runId }: Run,
  pass: { status: 'checking' | 'writing'; total: number; goesOn: boolean; now: Date },
): Promise<boolean> {
  const { goesOn } = pass
  const { rows } = await sql`
    with i as (
      update product_imports
      set status = ${pass.status}, total = ${pass.total}, updated_at = ${pass.now},
        done = case when ${goesOn} then done else 0 end, created = case when ${goesOn} then created else 0 end,
        updated = case when ${goesOn} then updated else 0 end,
        unchanged = case when ${goesOn} then unchanged else 0 end,
        failed = case when ${goesOn} then failed else 0 end, stocked = case when ${goesOn} then stocked else 0 end,
        stock_kept = case when ${goesOn} then stock_kept else 0 end, errors = case when ${goesOn} then errors else 0 end
      where shop_id = ${shopId} and id = ${id} and run_id = ${runId} and finished_at is null
      returning shop_id, id
    ), forgotten as (
      delete from product_import_errors e
      using i
      where e.shop_id = i.shop_id and e.import_id = i.id and not ${goesOn}
    )
    select from i`.execute(db)
  return rows.length > 0
}

/** Adds the results of some products. @returns as {@link isGoingOn}; if false, nothing was added. */
export async function addProgress(
  db: Db,
  { shopId, id, runId }: Run,
  counts: Counts,
  errors: LineError[],
  now: Date,
): Promise<boolean> {
  const { created, updated, unchanged, failed, stocked, stockKept } = counts
  const numbered = errors.map((error, at) => ({ ...error, at: at + 1 }))
  const { rows } = await sql`
    with i as (
      update product_imports
      set done = done + ${created + updated + unchanged + failed}::integer, created = created + ${created}::integer,
        updated = updated + ${updated}::integer, unchanged = unchanged + ${unchanged}::integer,
        failed = failed + ${failed}::integer, stocked = stocked + ${stocked}::integer,
        stock_kept = stock_kept + ${stockKept}::integer, errors = errors + ${errors.length}::integer, updated_at = ${now}
      where shop_id = ${shopId} and id = ${id} and run_id = ${runId} and finished_at is null
      returning shop_id, id, errors - ${errors.length}::integer as before
    ), recorded as (
      insert into product_import_errors (shop_id, import_id, n, line, column_name, message, rule, rule_values)
      select i.shop_id, i.id, i.before + e.at, e.line, e."column", e.message, e.rule, e."values"
      from i, jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
        as e (at integer, line integer, "column" text, message text, rule text, "values" jsonb)
    )
    select from i`.execute(db)
  return rows.length > 0
}

/**
 * Ends an import and deletes its file. `isUndone` means that the products counted as written were rolled back.
 * @returns as {@link isGoingOn}; if false, nothing was done.
 */
export async function finishImport(
  db: Db,
  { shopId, id, runId }: Run,
  end: { status: 'done' | 'failed'; reason: string | null; isUndone: boolean; now: Date },
): Promise<boolean> {
  const { isUndone } = end
  const { rows } = await sql`
    with i as (
      update product_imports
      set status = ${end.status}, reason = ${end.reason}, finished_at = ${end.now}, updated_at = ${end.now},
        created = case when ${isUndone} then 0 else created end,
        updated = case when ${isUndone} then 0 else updated end,
        unchanged = case when ${isUndone} then 0 else unchanged end,
        stocked = case when ${isUndone} then 0 else stocked end,
        stock_kept = case when ${isUndone} then 0 else stock_kept end,
        done = case when ${isUndone} then failed else done end
      where shop_id = ${shopId} and id = ${id} and run_id = ${runId} and finished_at is null
      returning shop_id, upload_id
    ), forgotten as (
      delete from product_import_chunks c
      using i
      where c.shop_id = i.shop_id and c.upload_id = i.upload_id
    )
    select from i`.execute(db)
  return rows.length > 0
}

/**
 * Cancels an import that has not ended. An all-or-nothing import has written nothing at that point, so its counts of
 * written products are set to 0.
 */
export async function cancelImport(db: Db, shopId: ObjectId, id: ObjectId, now: Date): Promise<void> {
  await sql`
    with i as (
      update product_imports
      set status = 'cancelled', cancelled_at = ${now}, finished_at = ${now}, updated_at = ${now},
        created = case when mode = 'each-row' then created else 0 end,
        updated = case when mode = 'each-row' then updated else 0 end,
        unchanged = case when mode = 'each-row' then unchanged else 0 end,
        stocked = case when mode = 'each-row' then stocked else 0 end,
        stock_kept = case when mode = 'each-row' then stock_kept else 0 end,
        done = case when mode = 'each-row' then done else failed end
      where shop_id = ${shopId} and id = ${id} and finished_at is null
      returning shop_id, upload_id
    )
    delete from product_import_chunks c
    using i
    where c.shop_id = i.shop_id and c.upload_id = i.upload_id`.execute(db)
}
