import type { Db } from '../../../db/client.ts'
import { toPercent } from '../../../lib/amounts/vat.ts'
import { type Cells, csvLines, csvPieces } from '../../../lib/csv.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { ProductFilter } from '../../products/sql/filter.ts'
import { type CategoryPaths, categoryPaths } from '../format/category-paths.ts'
import { imagesCell, optionColumns, PRODUCT_COLUMNS, SKU_COLUMNS } from '../format/lines.ts'
import type { KnownProduct, KnownSku } from '../format/wanted-product.ts'
import { countMostGroups, type ExportedProduct, listCategoryNames, listProductsAfter } from '../sql.ts'

/** A statement returns fewer if they are long. */
const CHUNK = 300
/** The least number of option groups in a file, so that a shop without variants has columns to add some. */
const LEAST_GROUPS = 2

/**
 * The products of a filter as the CSV that an import reads (G-37), oldest first, some hundred lines at a time; `lines.ts`
 * lists the columns. Retired products are left out. Products created during the export may be included. Between two
 * chunks nothing is locked in the database.
 * @throws Error if a product has gained more groups than there are columns: a file without them would be wrong.
 */
export async function* exportProducts(
  db: Db,
  shopId: ObjectId,
  filter: ProductFilter,
): AsyncGenerator<string, void> {
  const paths = categoryPaths(await listCategoryNames(db, shopId))
  const groups = Math.max(LEAST_GROUPS, await countMostGroups(db, shopId))
  const columns = [...PRODUCT_COLUMNS, ...SKU_COLUMNS, ...optionColumns(groups)]
  const read = (after?: ExportedProduct) => listProductsAfter(db, shopId, filter, after, CHUNK)
  // Before anything is sent, so that its error still has a response of its own.
  let products = await read()
  yield csvLines(columns, [], { header: true })
  for (;;) {
    yield* csvPieces(columns, linesOf(products, paths, groups))
    if (products.length < CHUNK && products.at(-1)?.is_cut !== true) return
    products = await read(products.at(-1))
  }
}

function* linesOf(products: KnownProduct[], paths: CategoryPaths, groups: number): Generator<Cells, void> {
  for (const product of products) yield* linesOfOne(product, paths, groups)
}

function* linesOfOne(product: KnownProduct, paths: CategoryPaths, groups: number): Generator<Cells, void> {
  if (product.groups.length > groups) throw new Error('a product gained groups during an export')
  const cells: Cells = {
    productId: product.id,
    slug: product.slug,
    name: product.name,
    aliasName: product.alias_name,
    description: product.description,
    category: product.category_id === null ? '' : paths.pathOf(product.category_id),
    status: product.status,
    vat: toPercent(product.vat_basis_points),
    images: imagesCell(product.images),
    price: product.price,
    originPrice: product.origin_price ?? '',
    itemSku: product.item_sku,
    barcode: product.barcode,
  }
  const own = product.skus.filter((sku) => !sku.is_default)
  if (own.length === 0) yield cells
  for (const sku of own) yield { ...cells, ...skuCells(sku), ...optionCells(product, sku) }
}

function skuCells(sku: KnownSku): Cells {
  return {
    skuId: sku.id,
    skuName: sku.name,
    skuPrice: sku.price,
    skuOriginPrice: sku.origin_price ?? '',
    skuCode: sku.code,
    skuBarcode: sku.barcode,
  }
}

function optionCells(product: KnownProduct, sku: KnownSku): Cells {
  const cells: Cells = {}
  for (const [at, group] of product.groups.entries()) {
    const option = group.options.find(({ id }) => sku.variant_option_ids.includes(id))
    if (option === undefined) continue
    cells[`option${at + 1}Name`] = group.name
    cells[`option${at + 1}Value`] = option.name
  }
  return cells
}
