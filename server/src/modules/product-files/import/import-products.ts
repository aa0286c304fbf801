import type { Db } from '../../../db/client.ts'
import { invalidField, type Refused } from '../../../errors.ts'
import { fold, foldCode } from '../../../lib/fold.ts'
import type { Ids, ObjectId } from '../../../lib/object-id.ts'
import { toBasisPoints } from '../../../lib/vat.ts'
import { codesOf, type ProductCode, planSkus, slugBase, unknownCategory } from '../../products/rules.ts'
import { planVariants, type VariantPlan } from '../../products/variants/rules.ts'
import { findVariants, lockIdleSkus, writeVariantRows } from '../../products/variants/sql.ts'
import type { CategoryPaths } from '../format/category-paths.ts'
import { hasNewVariants, isSkuUnchanged, isUnchanged, sentVariants, slugBaseOf } from '../format/changes.ts'
import { checkFields } from '../format/check-fields.ts'
import {
  type LineError,
  lineError,
  placeOfCode,
  problemOf,
  TakenCode,
  UnreadableLine,
} from '../format/line-errors.ts'
import { keysOf, type Line } from '../format/lines.ts'
import { type KnownProduct, type WantedProduct, wantedProduct } from '../format/wanted-product.ts'
import { findKeys, type KeyRow, listKnown, listTakenCodes, lockProducts } from '../sql.ts'
import { assignSlugs } from './assign-slugs.ts'
import {
  type BulkProduct,
  type ChangedProduct,
  insertProducts,
  type NewBulkProduct,
  updateProducts,
} from './write-sql.ts'

export type ImportCounts = { created: number; updated: number; unchanged: number; failed: number }

/** What the products of a file before these have taken: codes by `kind code`, with the line, and products by id. */
export type TakenInFile = { codes: Map<string, number>; productIds: Set<ObjectId> }

export type ImportContext = {
  ids: Ids
  now: Date
  /** Who imports: the key or the member. */
  by: ObjectId | null
  categories: CategoryPaths
  taken: TakenInFile
  /** Whether the products are only looked at: nothing is locked or written. */
  isCheck: boolean
  /** A refusal as a sentence in the importer's language. */
  says(refused: Refused): string
}

type Planned = {
  lines: Line[]
  wanted: WantedProduct
  categoryId: ObjectId | null
  id: ObjectId
  slug: string
  slugBase: string | undefined
  codes: ProductCode[]
} & (
  | { known: undefined; made: Omit<NewBulkProduct, keyof BulkProduct> }
  | { known: KnownProduct; plan: VariantPlan | undefined }
)

/** A product was made or retired between being looked for and being written: to be tried again. */
export class ProductsChanged extends Error {}

/**
 * Imports some hundred products, each with its lines, in a handful of statements (G-37): each is made, changed or left
 * as it is by the rules of `bulk-rules.ts` and those of E10 and E11. One with an error fails whole and leaves the others be.
 * Run in a transaction unless it only checks. `took` is what they have taken, for `taken` once that has ended.
 * @throws ProductsChanged, and the violations of `insertProducts`, when others changed the same at the same moment; the
 *   transaction is lost then.
 */
export async function importProducts(
  db: Db,
  shopId: ObjectId,
  products: Line[][],
  context: ImportContext,
): Promise<{ counts: ImportCounts; errors: LineError[]; took: TakenInFile }> {
  const errors: LineError[] = []
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const fail = (lines: Line[], error: unknown, wanted?: WantedProduct) => {
    errors.push(lineError(error, lines, wanted, context.says))
    counts.failed += 1
  }

  const knownOf = await findKnown(db, shopId, products, context, fail)
  const planned: Planned[] = []
  for (const lines of products) {
    const found = knownOf.get(lines)
    if (found === undefined) continue
    let wanted: WantedProduct | undefined
    try {
      wanted = wantedProduct(lines, found.known)
      const categoryId = categoryOf(wanted, found.known, context.categories)
      if (found.known !== undefined && isUnchanged(wanted, found.known, categoryId)) counts.unchanged += 1
      else planned.push(await plan(db, shopId, lines, wanted, categoryId, found.known, context))
    } catch (error) {
      fail(lines, error, wanted)
    }
  }
  const kept = await withFreeCodes(db, shopId, planned, context, fail)
  counts.created = kept.filter(({ known }) => known === undefined).length
  counts.updated = kept.length - counts.created
  if (!context.isCheck) await write(db, shopId, kept, context)
  const took: TakenInFile = { codes: new Map(), productIds: new Set() }
  for (const { id, lines, codes } of kept) {
    took.productIds.add(id)
    for (const { kind, code } of codes) took.codes.set(codeKey({ kind, code }), lines[0]!.line)
  }
  for (const { known } of knownOf.values()) if (known !== undefined) took.productIds.add(known.id)
  return { counts, errors: errors.sort((one, other) => one.line - other.line), took }
}

/** A code as it is compared (G-33). */
function codeKey({ kind, code }: ProductCode): string {
  return `${kind} ${foldCode(code)}`
}

type Fail = (lines: Line[], error: unknown, wanted?: WantedProduct) => void

/** The product that each group of lines means, locked unless it is only looked at; a group that fails is not in it. */
async function findKnown(
  db: Db,
  shopId: ObjectId,
  products: Line[][],
  context: ImportContext,
  fail: Fail,
): Promise<Map<Line[], { known: KnownProduct | undefined }>> {
  const storable = products.filter((lines) => {
    const unreadable = lines.find((line) => problemOf(line) !== undefined)
    if (unreadable !== undefined) fail([unreadable], new UnreadableLine(problemOf(unreadable)!))
    return unreadable === undefined
  })
  const keys = storable.map(keysOf)
  const rows = await findKeys(db, shopId, {
    ids: keys.flatMap(({ id }) => id ?? []),
    codes: keys.flatMap(({ codes }) => codes),
    slugs: keys.flatMap(({ slug }) => slug ?? []),
  })
  const byKey = new Map(rows.map((row) => [`${row.kind} ${row.key}`, row.product_id]))
  const idOf = new Map<Line[], ObjectId | undefined>()
  const first = new Map<ObjectId, Line[]>()
  for (const [at, lines] of storable.entries()) {
    try {
      const id = productIdOf(keys[at]!, byKey)
      if (id !== undefined && (first.has(id) || context.taken.productIds.has(id))) {
        throw invalidField([lines[0]!.cells.productId ? 'productId' : 'itemSku'], 'import.earlierLines')
      }
      if (id !== undefined) first.set(id, lines)
      idOf.set(lines, id)
    } catch (error) {
      fail(lines, error)
    }
  }
  const ids = [...first.keys()]
  if (!context.isCheck) await lockProducts(db, shopId, ids)
  const known = new Map((await listKnown(db, shopId, ids)).map((product) => [product.id, product]))
  if (known.size < ids.length) throw new ProductsChanged('a product was retired during the import')
  return new Map(
    [...idOf].map(([lines, id]) => [lines, { known: id === undefined ? undefined : known.get(id) }]),
  )
}

/** @throws ValidationError when the codes are of several products. */
function productIdOf(
  { id, codes, slug }: ReturnType<typeof keysOf>,
  byKey: Map<`${KeyRow['kind']} ${string}` | string, ObjectId>,
): ObjectId | undefined {
  const own = id === undefined ? undefined : byKey.get(`id ${id}`)
  if (own !== undefined) return own
  const byCode = new Set(codes.flatMap((code) => byKey.get(`code ${code}`) ?? []))
  if (byCode.size > 1) throw invalidField(['itemSku'], 'import.codesOfTwoProducts')
  return [...byCode][0] ?? (slug === undefined ? undefined : byKey.get(`slug ${slug}`))
}

/** @throws ValidationError as E10 for a category that the shop does not have. */
function categoryOf(
  { category }: WantedProduct,
  known: KnownProduct | undefined,
  categories: CategoryPaths,
): ObjectId | null {
  if (category === undefined) return known?.category_id ?? null
  if (category.trim() === '') return null
  const id = categories.find(category)
  if (id === undefined) throw unknownCategory()
  return id
}

async function plan(
  db: Db,
  shopId: ObjectId,
  lines: Line[],
  wanted: WantedProduct,
  categoryId: ObjectId | null,
  known: KnownProduct | undefined,
  context: ImportContext,
): Promise<Planned> {
  const { ids } = context
  const sent = sentVariants(wanted, known)
  checkFields(wanted, sent)
  const common = { lines, wanted, categoryId }
  const takeover = {
    name: wanted.name,
    price: wanted.price,
    itemSku: wanted.itemSku,
    barcode: wanted.barcode,
    ...(wanted.originPrice === null ? {} : { originPrice: wanted.originPrice }),
  }
  if (known === undefined) {
    const id = ids.next()
    const { groups, skus, skuDrafts, codes } = planSkus({ ...takeover, ...sent }, ids.next)
    const made = { sku_drafts: skuDrafts, groups, skus, codes }
    return { ...common, id, known, made, codes, slug: '', slugBase: slugBase(wanted.slug ?? wanted.name) }
  }
  const at = { ...common, id: known.id, known, slug: known.slug, slugBase: slugBaseOf(wanted, known) }
  if (!hasNewVariants(wanted)) return { ...at, plan: undefined, codes: codesOf(wanted, skusOf(wanted)) }
  const idle = context.isCheck ? [] : await lockIdleSkus(db, shopId, known.id)
  const variants = await findVariants(db, shopId, known.id, idle)
  const variantPlan = planVariants(takeover, sent, variants, ids.next)
  return { ...at, plan: variantPlan, codes: variantPlan.codes }
}

function skusOf(wanted: WantedProduct): { code: string; barcode: string }[] {
  return wanted.skus.map(({ code, barcode }) => ({ code, barcode }))
}

/** Those whose codes are their own (G-39), in the shop and in the file; the others fail. @throws ProductsChanged */
async function withFreeCodes(
  db: Db,
  shopId: ObjectId,
  planned: Planned[],
  { taken }: ImportContext,
  fail: Fail,
): Promise<Planned[]> {
  const all = planned.flatMap(({ codes }) => codes)
  const inShop = new Map<string, ObjectId[]>()
  for (const row of await listTakenCodes(db, shopId, all)) {
    inShop.set(codeKey(row), [...(inShop.get(codeKey(row)) ?? []), row.product_id])
  }
  const inFile = new Map<string, number>()
  return planned.filter(({ id, lines, codes, wanted, known }) => {
    for (const code of codes) {
      const key = codeKey(code)
      const owners = inShop.get(key) ?? []
      const line = taken.codes.get(key) ?? inFile.get(key)
      if ((owners.length === 0 || owners.includes(id)) && line === undefined) continue
      // It was looked for by this code: the one who has it was made since.
      if (line === undefined && known === undefined && code.kind === 'sku') {
        throw new ProductsChanged('a code was taken during the import')
      }
      const error =
        line === undefined
          ? new TakenCode(code, wanted)
          : invalidField(
              placeOfCode(code, wanted),
              code.kind === 'sku' ? 'import.codeOfLine' : 'import.barcodeOfLine',
              { line },
            )
      fail(lines, error, wanted)
      return false
    }
    for (const code of codes) inFile.set(codeKey(code), lines[0]!.line)
    return true
  })
}

async function write(db: Db, shopId: ObjectId, planned: Planned[], context: ImportContext): Promise<void> {
  const { now, by } = context
  await assignSlugs(db, shopId, planned)
  const created: NewBulkProduct[] = []
  const changed: ChangedProduct[] = []
  for (const product of planned) {
    const row = rowOf(product)
    if (product.known === undefined) {
      created.push({ ...row, ...product.made })
    } else if (product.plan !== undefined) {
      changed.push({ ...row, skus: [], codes: undefined })
    } else {
      changed.push({ ...row, skus: changedSkus(product.wanted, product.known), codes: product.codes })
    }
  }
  await insertProducts(db, shopId, created, now)
  await updateProducts(db, shopId, changed, { by, now })
  for (const product of planned) {
    if (product.known !== undefined && product.plan !== undefined)
      await writeVariantRows(db, shopId, product.id, product.plan, now)
  }
}

function changedSkus(wanted: WantedProduct, known: KnownProduct): ChangedProduct['skus'] {
  return wanted.skus
    .filter((sku) => !isSkuUnchanged(sku, known))
    .map(({ id, name, price, originPrice, code, barcode }) => ({
      id: id!,
      name,
      price,
      origin_price: originPrice,
      code,
      barcode,
    }))
}

function rowOf({ id, wanted, categoryId, slug, slugBase: base, known }: Planned): BulkProduct {
  return {
    id,
    name: wanted.name,
    alias_name: wanted.aliasName,
    description: wanted.description,
    images: wanted.images,
    price: wanted.price,
    origin_price: wanted.originPrice,
    item_sku: wanted.itemSku,
    barcode: wanted.barcode,
    vat_basis_points: toBasisPoints(wanted.vat),
    status: wanted.status,
    category_id: categoryId,
    slug,
    slug_base: base ?? known!.slug_base,
    search: fold(wanted.name),
  }
}
