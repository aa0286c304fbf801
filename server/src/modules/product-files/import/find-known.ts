import type { Db } from '../../../db/client.ts'
import { invalidField } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { problemOf, UnreadableLine } from '../format/line-errors.ts'
import { keysOf, type Line } from '../format/lines.ts'
import type { KnownProduct } from '../format/wanted-product.ts'
import { findKeys, type KeyRow, listKnown, lockProducts } from '../sql.ts'
import { type Fail, type ImportContext, ProductsChanged } from './import-context.ts'

/**
 * The existing product of each group of lines, locked unless the import only checks. Groups with an error are left out.
 */
export async function findKnown(
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

/** @throws ValidationError if the codes belong to several products. */
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
