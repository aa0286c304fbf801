import { fold } from '../../../texts/fold.ts'
import { type Copy, copyIn, type KeptCustomer, type KeptProduct, keptStore, ofShop } from './kept-store.ts'
import { type SearchedProduct, searchedOf, searchKept } from './search-kept.ts'

const MOST_CUSTOMERS = 20

/**
 * What was last searched. Reading and folding 50,000 products took 11 s (2026-11-27, 2 shared cores at a load of 14), so
 * they are read again only after the copy has changed, which it does not during an outage.
 */
let last: { copy: Copy; products: SearchedProduct[] } | undefined

/**
 * The products in the copy with an active SKU that a text finds, those with exactly this code first. `isCutOff`: more
 * products have codes that begin with the text.
 */
export async function findKeptProducts(
  shopId: string,
  text: string,
): Promise<{ products: KeptProduct[]; isCutOff: boolean }> {
  const reading = (await keptStore()).transaction(['progress', 'products'])
  const store = reading.objectStore('products')
  const copy = await copyIn(reading.objectStore('progress'), shopId)
  if (last === undefined || !isSame(last.copy, copy))
    last = { copy, products: searchedOf(await store.getAll(ofShop(shopId))) }
  const { ids, isCutOff } = searchKept(last.products, text)
  const products = await Promise.all(ids.map((id) => store.get([shopId, id])))
  return { products: products.filter((one) => one !== undefined), isCutOff }
}

/** Whether two readings found the same records. A copy without a cursor is being made. */
function isSame(one: Copy, other: Copy): boolean {
  return (
    one.cursor !== undefined &&
    one.shopId === other.shopId &&
    one.generation === other.generation &&
    one.cursor === other.cursor
  )
}

/** Active products in the copy, of a category or of all, at most the given number; the newest first, as in the list. */
export async function listKeptProducts(
  shopId: string,
  category: string | undefined,
  most: number,
): Promise<KeptProduct[]> {
  const store = await keptStore()
  const products = await store.getAll('products', ofShop(shopId))
  return products
    .toReversed()
    .filter((one) => one.status === 'active' && (category === undefined || one.categoryId === category))
    .slice(0, most)
}

/** The customers in the copy whose name or phone contains the words of a text, ignoring accents, and blanks in numbers. */
export async function findKeptCustomers(shopId: string, text: string): Promise<KeptCustomer[]> {
  const words = fold(text).split(/\s+/)
  const digits = text.replace(/[\s.-]/g, '').replace(/^(\+?84|0)/, '84')
  const store = await keptStore()
  return (await store.getAll('customers', ofShop(shopId)))
    .filter(({ fullName, phone }) => {
      const name = fold(fullName)
      return words.every((word) => name.includes(word)) || (/^\d{3,}$/.test(digits) && phone.includes(digits))
    })
    .slice(0, MOST_CUSTOMERS)
}
