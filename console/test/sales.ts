import type { Console } from './support.ts'

/** Sells one piece of the demo's first product of coffee filters with the demo key, under another name on its line. */
export async function sellOne(
  shop: Console,
  name: string,
): Promise<{ _id: string; code: string; price: number }> {
  const found = await shop.api('GET', '/api/external/v1/products?select=skus&search=phin')
  const body = { orderItems: [{ id: found.body.data.products[0].skus[0]._id, quantity: 1, name }] }
  return (await shop.api('POST', '/api/external/order/pos/create', body)).body.data
}
