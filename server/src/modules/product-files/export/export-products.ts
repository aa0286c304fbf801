import type { Db } from '../../../db/client.ts'
import { type Cell, type ExportFile, exportChunks } from '../../../http/formats/export-chunks.ts'
import type { Language } from '../../../http/language.ts'
import { toPercent } from '../../../lib/amounts/vat.ts'
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
 * lists the columns. With `labels` it is written for people, with the stock in all warehouses (G-121). Retired products are left out.
 * Products created during the export may be included. Between two chunks nothing is locked in the database.
 * @throws Error if a product has gained more groups than there are columns: a file without them would be wrong.
 */
export async function* exportProducts(
  db: Db,
  shopId: ObjectId,
  filter: ProductFilter,
  labels: Language | undefined,
): AsyncGenerator<string, void> {
  const paths = categoryPaths(await listCategoryNames(db, shopId))
  const groups = Math.max(LEAST_GROUPS, await countMostGroups(db, shopId))
  const piece = { limit: CHUNK, hasStock: labels !== undefined }
  yield* exportChunks(labels === undefined ? fileForPrograms(groups) : fileForPeople(groups), labels, {
    read: (after: ExportedProduct | undefined) => listProductsAfter(db, shopId, filter, after, piece),
    linesOf: (product) => linesOf(product, paths, groups),
    hasMore: (products) => products.length === CHUNK || products.at(-1)?.is_cut === true,
  })
}

function fileForPrograms(groups: number): ExportFile<string> {
  return {
    columns: [...PRODUCT_COLUMNS, ...SKU_COLUMNS, ...optionColumns(groups)],
    ids: [],
    headings: () => ({}),
  }
}

/** The same columns and the stock, those first that people look for. */
function fileForPeople(groups: number): ExportFile<string> {
  return {
    columns: [
      ...[
        'name',
        'itemSku',
        'barcode',
        'category',
        'status',
        'price',
        'originPrice',
        'quantity',
        'available',
      ],
      ...['skuName', 'skuCode', 'skuBarcode', 'skuPrice', 'skuOriginPrice', ...optionColumns(groups)],
      ...['vat', 'aliasName', 'images', 'description', 'slug', 'productId', 'skuId'],
    ],
    ids: ['productId', 'skuId'],
    headings: ({ products, productOptions: { name, value } }) => ({
      ...products,
      ...Object.fromEntries(
        Array.from({ length: groups }, (_, at) => [
          [`option${at + 1}Name`, `${name} ${at + 1}`],
          [`option${at + 1}Value`, `${value} ${at + 1}`],
        ]).flat(),
      ),
    }),
    words: ({ productStatus }) => ({ status: productStatus }),
  }
}

type Line = Record<string, Cell>

function* linesOf(product: ExportedProduct, paths: CategoryPaths, groups: number): Generator<Line, void> {
  if (product.groups.length > groups) throw new Error('a product gained groups during an export')
  const cells: Line = {
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
    originPrice: product.origin_price,
    itemSku: product.item_sku,
    barcode: product.barcode,
  }
  const own = product.skus.filter((sku) => !sku.is_default)
  if (own.length === 0) yield { ...cells, ...stockCells(product.skus[0]) }
  for (const sku of own)
    yield { ...cells, ...skuCells(sku), ...stockCells(sku), ...optionCells(product.groups, sku) }
}

function skuCells(sku: KnownSku): Line {
  return {
    skuId: sku.id,
    skuName: sku.name,
    skuPrice: sku.price,
    skuOriginPrice: sku.origin_price,
    skuCode: sku.code,
    skuBarcode: sku.barcode,
  }
}

function stockCells(sku: ExportedProduct['skus'][number] | undefined): Line {
  return { quantity: sku?.quantity ?? null, available: sku?.available ?? null }
}

function optionCells(groups: KnownProduct['groups'], sku: KnownSku): Line {
  const cells: Line = {}
  for (const [at, group] of groups.entries()) {
    const option = group.options.find(({ id }) => sku.variant_option_ids.includes(id))
    if (option === undefined) continue
    cells[`option${at + 1}Name`] = group.name
    cells[`option${at + 1}Value`] = option.name
  }
  return cells
}
