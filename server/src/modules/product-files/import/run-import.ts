import type { Db } from '../../../db/client.ts'
import { isUniqueViolation, sqlProblem } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { refusalMessage } from '../../../http/error-map.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { fillText, textsIn } from '../../../texts/catalogue.ts'
import type { ImportFailure } from '../../../texts/keys.ts'
import { isCodeTaken } from '../../products/write-product.ts'
import { categoryPaths } from '../format/category-paths.ts'
import { chunksOf, linesByProduct } from '../format/group-lines.ts'
import type { LineError } from '../format/line-errors.ts'
import type { Line } from '../format/lines.ts'
import { readLines } from '../format/read-lines.ts'
import { findStockedWarehouse, listCategoryNames, lockProducts, lockTotals, planAtEachUse } from '../sql.ts'
import { codeKey, type ImportContext, ProductsChanged, type TakenInFile } from './import-context.ts'
import { importProducts, noCounts } from './import-products.ts'
import { UnusableFile } from './rules.ts'
import {
  addProgress,
  beginPass,
  type Counts,
  claimImport,
  finishImport,
  type ImportRow,
  isGoingOn,
  listErrorLines,
  type Run,
} from './sql.ts'
import { findChunk } from './upload-sql.ts'

/**
 * Other requests may write products at the same moment; each failed attempt means that one of their writes succeeded.
 */
const CHUNK_TRIES = 50
const WHOLE_TRIES = 5

/** `stopping` is aborted when the process must end. */
type Needs = Pick<Deps, 'db' | 'clock' | 'ids'> & { stopping?: AbortSignal }

/** The process must end. Another one continues after what has been written. */
export class ImportInterrupted extends Error {}

/** The import was cancelled, or another attempt has taken it over: this attempt ends without effect. */
class Stopped extends Error {}

/** A product of an all-or-nothing import has an error that the check did not find: nothing is written. */
class NotWhole extends Error {
  readonly counts: Counts
  readonly errors: LineError[]

  constructor(counts: Counts, errors: LineError[]) {
    super('a product cannot be written')
    this.counts = counts
    this.errors = errors
  }
}

/**
 * Runs an import from its beginning, or from where an earlier attempt ended (G-37). In all-or-nothing mode the whole
 * file is checked first, then written in one transaction. In each-row mode products are written some hundred at a time,
 * together with their counts, so that the next process repeats nothing if this one dies. A dry run ends after the
 * check.
 * @throws ImportInterrupted between two products when `stopping` is aborted; any other error that another attempt may
 *   avoid. On the last attempt the import ends as failed instead.
 */
export async function runImport(
  deps: Needs,
  { shopId, importId }: { shopId: ObjectId; importId: ObjectId },
  attempt: { isLast: boolean },
): Promise<void> {
  const { db, clock, ids } = deps
  const runId = ids.next()
  const job = await claimImport(db, shopId, importId, runId, clock.now())
  if (job === undefined) return
  const run = { shopId, id: importId, runId }
  const done = () =>
    finishImport(db, run, { status: 'done', reason: null, isUndone: false, now: clock.now() })
  const fail = (reason: string, isUndone = false) =>
    finishImport(db, run, { status: 'failed', reason, isUndone, now: clock.now() })
  try {
    const total = await countProducts(deps, job)
    if (job.mode === 'each-row' && !job.is_dry_run) {
      await writeEach(deps, job, run, total)
      await done()
      return
    }
    const { failed, changing } = await check(deps, job, run, total)
    if (job.is_dry_run) await done()
    else if (failed > 0) await fail(why(job, 'productsWithErrors', { failed, total }), true)
    else await writeWhole(deps, job, run, total, changing)
  } catch (error) {
    if (error instanceof Stopped) return
    if (error instanceof ImportInterrupted) throw error
    const isUndone = job.mode !== 'each-row'
    if (error instanceof UnusableFile) await fail(why(job, error.failure, error.values), isUndone)
    else if (error instanceof NotWhole) await endNotWhole(deps, run, error, job)
    else if (attempt.isLast) await fail(why(job, 'unfinished'), isUndone)
    if (!(error instanceof UnusableFile) && !(error instanceof NotWhole)) throw error
  }
}

function why(
  { language }: ImportRow,
  failure: ImportFailure,
  values: Record<string, string | number> = {},
): string {
  return fillText(textsIn(language).importFailed[failure], values)
}

async function endNotWhole({ db, clock }: Needs, run: Run, error: NotWhole, job: ImportRow): Promise<void> {
  const now = clock.now()
  const { failed } = error.counts
  await beginPass(db, run, { status: 'checking', total: job.total ?? failed, goesOn: false, now })
  await addProgress(db, run, { ...noCounts(), failed }, error.errors, now)
  await finishImport(db, run, { status: 'failed', reason: why(job, 'shopChanged'), isUndone: true, now })
}

async function* productsOf(
  db: Db,
  stopping: AbortSignal | undefined,
  { shop_id: shopId, upload_id: uploadId, format }: ImportRow,
): AsyncGenerator<Line[], void> {
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for (let n = 0; ; n++) {
      const bytes = await findChunk(db, shopId, uploadId, n)
      if (bytes === undefined) return
      yield bytes
    }
  }
  for await (const lines of linesByProduct(readLines(chunks(), format))) {
    if (stopping?.aborted) throw new ImportInterrupted('the process is shutting down')
    yield lines
  }
}

/** Counts the file's products. @throws UnusableFile, before anything is written. */
async function countProducts({ db, stopping }: Needs, job: ImportRow): Promise<number> {
  let total = 0
  for await (const _ of productsOf(db, stopping, job)) total += 1
  return total
}

/** How many products cannot be written, and which existing ones would change. */
async function check(
  deps: Needs,
  job: ImportRow,
  run: Run,
  total: number,
): Promise<{ failed: number; changing: Set<ObjectId> }> {
  const { db, clock } = deps
  going(await beginPass(db, run, { status: 'checking', total, goesOn: false, now: clock.now() }))
  const taken = nothingTaken()
  const changing = new Set<ObjectId>()
  let failed = 0
  for await (const products of chunksOf(productsOf(db, deps.stopping, job), 0, () => {})) {
    const { counts, errors, took, ...checked } = await retried(CHUNK_TRIES, () =>
      db.transaction().execute(async (trx) => {
        await planAtEachUse(trx)
        const context = await contextOf(deps, trx, job, { taken, isCheck: true, held: undefined })
        return importProducts(trx, job.shop_id, products, context)
      }),
    )
    take(taken, took)
    for (const id of checked.changing) changing.add(id)
    failed += counts.failed
    going(await addProgress(db, run, counts, errors, clock.now()))
  }
  return { failed, changing }
}

async function writeEach(deps: Needs, job: ImportRow, run: Run, total: number): Promise<void> {
  const { db, clock } = deps
  going(await beginPass(db, run, { status: 'writing', total, goesOn: true, now: clock.now() }))
  const taken = nothingTaken()
  const failed = new Set(job.done === 0 ? [] : await listErrorLines(db, run))
  const remember = (lines: Line[]) => {
    if (!lines.some(({ line }) => failed.has(line))) take(taken, codesOfLines(lines))
  }
  for await (const products of chunksOf(productsOf(db, deps.stopping, job), job.done, remember)) {
    const took = await retried(CHUNK_TRIES, () =>
      db.transaction().execute(async (trx) => {
        await planAtEachUse(trx)
        const context = await contextOf(deps, trx, job, { taken, isCheck: false, held: undefined })
        const written = await importProducts(trx, job.shop_id, products, context)
        going(await addProgress(trx, run, written.counts, written.errors, clock.now()))
        return written.took
      }),
    )
    take(taken, took)
  }
}

/**
 * Writes the whole file in one transaction, which also ends the import: of two attempts only one can write. All totals
 * of the products in `changing` are locked at its start, in the order in which sales lock them, so sales of these
 * products wait until it ends.
 */
async function writeWhole(
  deps: Needs,
  job: ImportRow,
  run: Run,
  total: number,
  changing: Set<ObjectId>,
): Promise<void> {
  const { db, clock } = deps
  await retried(WHOLE_TRIES, async () => {
    going(await beginPass(db, run, { status: 'writing', total, goesOn: true, now: clock.now() }))
    await db.transaction().execute(async (trx) => {
      await planAtEachUse(trx)
      await lockProducts(trx, job.shop_id, [...changing])
      await lockTotals(trx, job.shop_id, [...changing], { waits: true })
      const taken = nothingTaken()
      const sum = noCounts()
      for await (const products of chunksOf(productsOf(trx, deps.stopping, job), 0, () => {})) {
        going(await isGoingOn(trx, run))
        const context = await contextOf(deps, trx, job, { taken, isCheck: false, held: changing })
        const { counts, errors, took } = await importProducts(trx, job.shop_id, products, context)
        if (counts.failed > 0) throw new NotWhole(counts, errors)
        take(taken, took)
        for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name]
      }
      const now = clock.now()
      going(await beginPass(trx, run, { status: 'writing', total, goesOn: false, now }))
      going(await addProgress(trx, run, sum, [], now))
      going(await finishImport(trx, run, { status: 'done', reason: null, isUndone: false, now }))
    })
  })
}

async function contextOf(
  { ids, clock }: Needs,
  db: Db,
  job: ImportRow,
  given: Pick<ImportContext, 'taken' | 'isCheck' | 'held'>,
): Promise<ImportContext> {
  const categories = categoryPaths(await listCategoryNames(db, job.shop_id))
  const warehouseId = await findStockedWarehouse(db, job.shop_id, job.warehouse_id)
  if (warehouseId === undefined) throw new UnusableFile('warehouseGone')
  return {
    ids,
    clock,
    now: clock.now(),
    by: job.created_by,
    categories,
    warehouseId,
    says: (refused) => refusalMessage(refused, job.language),
    openingNote: textsIn(job.language).openingStock,
    ...given,
  }
}

function nothingTaken(): TakenInFile {
  return { codes: new Map(), productIds: new Set() }
}

function take(taken: TakenInFile, took: TakenInFile): void {
  for (const [code, line] of took.codes) taken.codes.set(code, line)
  for (const id of took.productIds) taken.productIds.add(id)
}

/** The codes that the lines of a product, which an earlier attempt has written, have taken, as far as the lines contain them. */
function codesOfLines(lines: Line[]): TakenInFile {
  const codes = new Map<string, number>()
  for (const { line, cells } of lines) {
    const { itemSku, skuCode, barcode, skuBarcode } = cells
    for (const code of [itemSku, skuCode]) if (code) codes.set(codeKey({ kind: 'sku', code }), line)
    for (const code of [barcode, skuBarcode]) if (code) codes.set(codeKey({ kind: 'barcode', code }), line)
  }
  return { codes, productIds: new Set() }
}

function going(isGoing: boolean): void {
  if (!isGoing) throw new Stopped()
}

async function retried<T>(tries: number, attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n === tries || !isLost(error)) throw error
    }
  }
}

/** Whether the write failed because others wrote the same products, slugs, codes or categories at the same moment. */
function isLost(error: unknown): boolean {
  const problem = sqlProblem(error)
  return (
    error instanceof ProductsChanged ||
    isUniqueViolation(error, 'products_shop_id_slug_key') ||
    isCodeTaken(error) ||
    problem?.constraint === 'products_shop_id_category_id_fkey' ||
    problem?.state === '40P01' ||
    problem?.state === '55P03'
  )
}
