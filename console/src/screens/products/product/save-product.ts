import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { differing, type Known } from '../../../components/concurrent-edits/compare.ts'
import type { IfMatch, Keep } from '../../../components/concurrent-edits/use-edit.ts'
import { sentGroup } from '../extras/item-groups.ts'
import type { Product } from '../product-queries.ts'
import { inOrder, ONLY_SKU, sentTier } from '../variants/tier-rows.ts'
import { activeSkus, madeOf, rowsIn, variantsBody } from '../variants/variant-rows.ts'
import { essence, PARTS, type Part, type ProductValues } from './product-values.ts'

/** The parts that are sent together, each with its request, in the order in which they depend on each other. */
const REQUESTS: { parts: Part[]; send: (id: string, values: ProductValues, more: More) => Promise<Saved> }[] =
  [
    { parts: ['general', 'images'], send: sendFields },
    { parts: ['variants'], send: sendVariants },
    { parts: ['tiers'], send: sendTiers },
    { parts: ['subItems'], send: sendSubItems },
  ]
type More = { shopId: string; headers: IfMatch }
/** The new version after a request, and the values that saving continues with. */
type Saved = { version: number; values: ProductValues }

export const fieldsTogether: (keyof ProductValues)[][] = REQUESTS.map(({ parts }) =>
  parts.flatMap((part) => [...PARTS[part]]),
)

/** The parts in which the form differs from what is saved. */
export function partsChanged(values: ProductValues, saved: ProductValues): Part[] {
  const fields = differing(values, saved, essence)
  return (Object.keys(PARTS) as Part[]).filter((part) =>
    PARTS[part].some((field) => (fields as string[]).includes(field)),
  )
}

/** The parts that are sent with the first request. */
export function partsOfFirstRequest(changed: Part[]): Part[] {
  const first = REQUESTS.find(({ parts }) => parts.some((part) => changed.includes(part)))
  return changed.filter((part) => first?.parts.includes(part))
}

/**
 * Sends what differs from `known`, one part after the other, and calls `keep` after each saved part.
 * @throws Problem
 */
export async function sendParts(
  id: string,
  given: ProductValues,
  options: { shopId: string; known: Known<ProductValues>; keep: Keep<ProductValues> },
): Promise<void> {
  let { known } = options
  let values = given
  for (const { parts, send } of REQUESTS) {
    const changed = partsChanged(values, known.values)
    if (!parts.some((part) => changed.includes(part))) continue
    const headers = { 'if-match': `"${known.version}"` }
    const saved = await send(id, values, { shopId: options.shopId, headers })
    const fields = parts.flatMap((part): (keyof ProductValues)[] => [...PARTS[part]])
    const now = Object.fromEntries(fields.map((field) => [field, saved.values[field]]))
    known = { version: saved.version, values: { ...known.values, ...now } }
    values = saved.values
    options.keep(known, values)
  }
}

/** The request body for the fields. Null clears a category or compare-at price. */
function bodyOf({ isActive, price, ...values }: ProductValues) {
  const { name, description, vat, categoryId, originPrice, itemSku, barcode, images } = values
  return {
    ...{ name, description, vat, categoryId, originPrice, itemSku, barcode, images },
    price: price ?? 0,
    status: isActive ? ('active' as const) : ('inactive' as const),
  }
}

/** The request body of a new product: everything that does not need the ids of its SKUs. A creation takes no null (E10). */
export function creationBody(values: ProductValues) {
  const { variants, skus } = variantsBody(values.variants, values.price ?? 0)
  const made = skus.map(({ images: _, ...sku }) => sku)
  const { categoryId, originPrice, ...body } = bodyOf(values)
  return {
    ...body,
    ...(categoryId === null ? {} : { categoryId }),
    ...(originPrice === null ? {} : { originPrice }),
    ...(made.length === 0 ? {} : { variants, skus: made }),
  }
}

/** The values after their variants were saved as those of `product`: with its ids, also in prices that refer to a new row. */
export function withIdsOf(
  product: Pick<Product, 'skus' | 'itemVariants'>,
  values: ProductValues,
): ProductValues {
  const rows = rowsIn(values.variants, values.price ?? 0)
  const skus = activeSkus(product)
  const made = madeOf(product)
  const ids = new Map(rows.map((row, at) => [row._id ?? row.key, skus[at]!._id]))
  if (rows.length === 0 && skus[0] !== undefined) ids.set(ONLY_SKU, skus[0]._id)
  return {
    ...values,
    variants: {
      ...made,
      fields: made.fields.map(([key, fields], at) => [key, { ...fields, images: rows[at]?.images ?? [] }]),
    },
    tiers: values.tiers
      .map((tier) => ({ ...tier, sku: ids.get(tier.sku) ?? tier.sku }))
      .filter(({ sku }) => skus.some(({ _id }) => _id === sku)),
  }
}

async function sendFields(id: string, values: ProductValues, { shopId, headers }: More): Promise<Saved> {
  const params = { path: { id } }
  const body = { ...bodyOf(values), shopId }
  const { data } = await dataOf(api.PATCH('/api/external/v1/products/{id}', { params, body, headers }))
  return { version: data.__v, values }
}

async function sendVariants(id: string, values: ProductValues, { headers }: More): Promise<Saved> {
  const params = { path: { id } }
  const body = variantsBody(values.variants, values.price ?? 0)
  const { data } = await dataOf(api.PUT('/api/external/v1/products/{id}/variants', { params, body, headers }))
  return { version: data.__v, values: withIdsOf(data, values) }
}

async function sendTiers(id: string, values: ProductValues, { headers }: More): Promise<Saved> {
  const params = { path: { id } }
  const body = { wholesalePrices: inOrder(values.tiers).map(sentTier) }
  const call = api.PUT('/api/external/v1/products/{id}/wholesale-prices', { params, body, headers })
  return { version: (await dataOf(call)).data.__v, values }
}

async function sendSubItems(id: string, values: ProductValues, { headers }: More): Promise<Saved> {
  const params = { path: { id } }
  const body = { subItemsGroups: values.subItemsGroups.map(sentGroup) }
  const call = api.PUT('/api/external/v1/products/{id}/sub-items-groups', { params, body, headers })
  return { version: (await dataOf(call)).data.__v, values }
}
