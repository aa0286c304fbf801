import type { Db } from '../../../db/client.ts'
import { invalidField } from '../../../errors.ts'
import { toBasisPoints } from '../../../lib/amounts/vat.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { fold } from '../../../lib/text/fold.ts'
import { codesOf, type ProductCode, planSkus, slugBase, unknownCategory } from '../../products/rules.ts'
import { planVariants, type VariantPlan } from '../../products/variants/rules.ts'
import { findVariants, lockIdleSkus, writeVariantRows } from '../../products/variants/sql.ts'
import type { CategoryPaths } from '../format/category-paths.ts'
import { hasNewVariants, isSkuUnchanged, isUnchanged, sentVariants, slugBaseOf } from '../format/changes.ts'
import { checkFields } from '../format/check-fields.ts'
import { type LineError, lineError, placeOfCode, TakenCode } from '../format/line-errors.ts'
import type { Line } from '../format/lines.ts'
import { type OpeningStock, openingStocks } from '../format/opening-stock.ts'
import { type KnownProduct, type WantedProduct, wantedProduct } from '../format/wanted-product.ts'
import { listTakenCodes, lockTotals } from '../sql.ts'
import { assignSlugs } from './assign-slugs.ts'
import { bookOpenings, openingsOf, type WantedOpening, withoutStock } from './book-openings.ts'
import { findKnown } from './find-known.ts'
import {
  codeKey,
  type Fail,
  type ImportContext,
  ProductsChanged,
  type TakenInFile,
} from './import-context.ts'
import type { Counts } from './sql.ts'
import {
  type BulkProduct,
  type ChangedProduct,
  insertProducts,
  type NewBulkProduct,
  updateProducts,
} from './write-sql.ts'

export function noCounts(): Counts {
  return { created: 0, updated: 0, unchanged: 0, failed: 0, stocked: 0, stockKept: 0 }
}

/** A product that is new or differs from its lines. */
type Differing = {
  lines: Line[]
  wanted: WantedProduct
  categoryId: ObjectId | null
  known: KnownProduct | undefined
  openings: Map<number, OpeningStock>
}

type Planned = Omit<Differing, 'known'> & {
  id: ObjectId
  slug: string
  slugBase: string | undefined
  codes: ProductCode[]
} & (
    | { known: undefined; made: Omit<NewBulkProduct, keyof BulkProduct> }
    | { known: KnownProduct; plan: VariantPlan | undefined }
  )

/**
 * Imports some hundred products, each with its lines, in a handful of statements (G-37). Each product is created,
 * changed or left unchanged by the rules of `changes.ts` and those of E10 and E11. A product with an error fails as a
 * whole; the others are not affected. Run it in a transaction, unless it only checks.
 * @returns `took`: the codes and products that these have taken; add it to `taken` once the transaction has committed.
 *   `changing`: the ids of the existing products that change, or get their opening stock.
 * @throws ProductsChanged, and the violations of `insertProducts`, when others changed the same products at the same
 *   moment; the transaction can then only be rolled back.
 */
export async function importProducts(
  db: Db,
  shopId: ObjectId,
  products: Line[][],
  context: ImportContext,
): Promise<{ counts: Counts; errors: LineError[]; took: TakenInFile; changing: ObjectId[] }> {
  const errors: LineError[] = []
  const counts = noCounts()
  const fail = (lines: Line[], error: unknown, wanted?: WantedProduct) => {
    errors.push(lineError(error, lines, wanted, context.says))
    counts.failed += 1
  }

  const knownOf = await findKnown(db, shopId, products, context, fail)
  const differing: Differing[] = []
  const ofUnchanged: WantedOpening[] = []
  for (const lines of products) {
    const found = knownOf.get(lines)
    if (found === undefined) continue
    let wanted: WantedProduct | undefined
    try {
      wanted = wantedProduct(lines, found.known)
      const ofSkus = openingStocks(lines, wanted.skus)
      const categoryId = categoryOf(wanted, found.known, context.categories)
      if (found.known !== undefined && isUnchanged(wanted, found.known, categoryId)) {
        counts.unchanged += 1
        ofUnchanged.push(...openingsOf(ofSkus, found.known.id, skuIdsNow(wanted, found.known)))
      } else {
        differing.push({ lines, wanted, categoryId, known: found.known, openings: ofSkus })
      }
    } catch (error) {
      fail(lines, error, wanted)
    }
  }
  const ofKnown = differing.flatMap(({ wanted, known, openings }) =>
    known === undefined ? [] : openingsOf(openings, known.id, skuIdsNow(wanted, known)),
  )
  const opened = await withoutStock(db, shopId, [...ofUnchanged, ...ofKnown], context.warehouseId)
  const changing = [
    ...new Set([
      ...differing.flatMap(({ known }) => known?.id ?? []),
      ...opened.map(({ productId }) => productId),
    ]),
  ]
  if (!context.isCheck) await holdTotals(db, shopId, changing, context)
  const planned: Planned[] = []
  for (const one of differing) {
    try {
      planned.push(await plan(db, shopId, one, context))
    } catch (error) {
      fail(one.lines, error, one.wanted)
    }
  }
  const kept = await withFreeCodes(db, shopId, planned, context, fail)
  counts.created = kept.filter(({ known }) => known === undefined).length
  counts.updated = kept.length - counts.created
  const openings = [...ofUnchanged, ...kept.flatMap(openingsAfter)]
  const openedIds = new Set(opened.map(({ skuId }) => skuId))
  const booked = openings.filter(({ isNew, skuId }) => isNew || openedIds.has(skuId))
  counts.stocked = booked.length
  counts.stockKept = openings.length - booked.length
  if (!context.isCheck) {
    await write(db, shopId, kept, context)
    await bookOpenings(db, shopId, booked, context)
  }
  const took: TakenInFile = { codes: new Map(), productIds: new Set() }
  for (const { id, lines, codes } of kept) {
    took.productIds.add(id)
    for (const { kind, code } of codes) took.codes.set(codeKey({ kind, code }), lines[0]!.line)
  }
  for (const { known } of knownOf.values()) if (known !== undefined) took.productIds.add(known.id)
  return { counts, errors: errors.sort((one, other) => one.line - other.line), took, changing }
}

/**
 * Locks the totals of the products that change, before their SKUs are read, so that no order uses them. If the
 * transaction locked totals at its start, a product that came to differ since then is not waited for: the transaction
 * that holds it may be waiting for one of ours.
 */
async function holdTotals(db: Db, shopId: ObjectId, ids: ObjectId[], { held }: ImportContext): Promise<void> {
  const others = ids.filter((id) => !held?.has(id))
  // The next attempt locks them at its start.
  for (const id of others) held?.add(id)
  if (others.length > 0) await lockTotals(db, shopId, others, { waits: held === undefined })
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
  if (id === undefined) throw unknownCategory(category)
  return id
}

async function plan(
  db: Db,
  shopId: ObjectId,
  { lines, wanted, categoryId, known, openings }: Differing,
  context: ImportContext,
): Promise<Planned> {
  const { ids } = context
  const sent = sentVariants(wanted, known)
  checkFields(wanted, sent)
  const common = { lines, wanted, categoryId, openings }
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

/** The ids of the SKUs that a line can be of, before the import; the automatic SKU's if the product has no others. */
function skuIdsNow(wanted: WantedProduct, known: KnownProduct): (ObjectId | undefined)[] {
  return (wanted.skus.length > 0 ? wanted.skus : known.skus).map(({ id }) => id)
}

function openingsAfter(planned: Planned): WantedOpening[] {
  const { openings, id } = planned
  if (planned.known === undefined) {
    const made = planned.made.skus.map((sku) => sku.id)
    return openingsOf(openings, id, made, made)
  }
  if (planned.plan === undefined) return openingsOf(openings, id, skuIdsNow(planned.wanted, planned.known))
  const { skus, newSkuIds } = planned.plan
  return openingsOf(
    openings,
    id,
    skus.map((sku) => sku.id),
    newSkuIds,
  )
}

function skusOf(wanted: WantedProduct): { code: string; barcode: string }[] {
  return wanted.skus.map(({ code, barcode }) => ({ code, barcode }))
}

/**
 * The products whose codes no other product of the shop or the file has (G-39); the others fail. @throws
 * ProductsChanged
 */
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
      // The look-up by this code found no product, so its owner was created since then.
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
  await insertProducts(db, shopId, created, { by, now })
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
