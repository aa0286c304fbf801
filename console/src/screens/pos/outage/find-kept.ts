import { fold } from '../../../texts/fold.ts'
import { type KeptCustomer, type KeptProduct, keptStore, ofShop } from './kept-store.ts'

const MOST_FOUND = 20

/**
 * The active products in the copy whose codes begin with a text, or whose name or code contains its words, ignoring
 * accents.
 */
export async function findKeptProducts(shopId: string, text: string): Promise<KeptProduct[]> {
  const words = fold(text).split(/\s+/)
  const found: KeptProduct[] = []
  const store = await keptStore()
  for (const product of await store.getAll('products', ofShop(shopId))) {
    if (product.status !== 'active') continue
    const codes = (product.skus ?? []).flatMap(({ sku, barcode, name }) => [sku, barcode, name])
    const whole = fold([product.name, product.itemSku, product.barcode, ...codes].join(' '))
    if (words.every((word) => whole.includes(word))) found.push(product)
    if (found.length === MOST_FOUND) break
  }
  return found
}

/** Active products in the copy, of a category or of all, at most the given number. */
export async function listKeptProducts(
  shopId: string,
  category: string | undefined,
  most: number,
): Promise<KeptProduct[]> {
  const store = await keptStore()
  const products = await store.getAll('products', ofShop(shopId))
  return products
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
    .slice(0, MOST_FOUND)
}
