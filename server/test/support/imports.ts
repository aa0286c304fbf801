import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { PRODUCTS } from './products.ts'
import type { Answer, Partner } from './service.ts'

export const IMPORTS = `${PRODUCTS}/imports`
// biome-ignore lint/suspicious/noExplicitAny: records of the API
type Body = any

const FINAL = ['done', 'failed', 'cancelled']

/** Posts a file and returns the response. */
export function upload(
  partner: Partner,
  file: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return partner.post(`${PRODUCTS}/import?${query}`, file, { 'content-type': 'text/csv', ...headers })
}

/** Imports a file and waits for its end. Returns the import with its errors. */
export async function importFile(
  partner: Partner,
  file: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<Answer['body']> {
  const accepted = await upload(partner, file, query, headers)
  expect(accepted.status).toBe(202)
  return ended(partner, accepted.body.data._id)
}

export async function ended(partner: Partner, id: string): Promise<Answer['body']> {
  return eventually(async () => {
    const answer = await partner.get(`${IMPORTS}/${id}`)
    expect(answer.status).toBe(200)
    return FINAL.includes(answer.body.data.status) && answer.body.data
  }, 60_000)
}

export function importLines(partner: Partner, lines: object[], query = ''): Promise<Answer['body']> {
  const file = lines.map((line) => JSON.stringify(line)).join('\n')
  return importFile(partner, file, query, { 'content-type': 'application/x-ndjson' })
}

export async function exported(partner: Partner, query = ''): Promise<string> {
  const answer = await partner.get(`${PRODUCTS}/export?${query}`)
  expect(answer.status).toBe(200)
  return answer.body as string
}

/** The content of a catalogue, without ids and times. */
export async function catalogueOf(partner: Partner): Promise<unknown[]> {
  const listed = await partner.get(`${PRODUCTS}?limit=50&sortType=asc&select=skus,variants`)
  expect(listed.status).toBe(200)
  return listed.body.data.products.map((product: Body) => {
    const nameOf = new Map<string, string>(
      product.itemVariants.flatMap((group: Body) =>
        group.itemVariantOptions.map((option: Body) => [option._id, `${group.name}: ${option.name}`]),
      ),
    )
    const { name, description, aliasName, price, originPrice, itemSku, barcode, vat, status, slug, images } =
      product
    const skus = product.skus.map((sku: Body) => ({
      name: sku.name,
      price: sku.price,
      originPrice: sku.originPrice,
      sku: sku.sku,
      barcode: sku.barcode,
      options: sku.variantOptionIDs.map((id: string) => nameOf.get(id)),
    }))
    const plain = {
      name,
      description,
      aliasName,
      price,
      originPrice,
      itemSku,
      barcode,
      vat,
      status,
      slug,
      images,
    }
    return { ...plain, skus }
  })
}
