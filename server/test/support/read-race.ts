import { PRODUCTS } from './products.ts'

/** One JSON call to one of the processes. */
export type Call = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of every shape
) => Promise<{ status: number; body: any }>

/**
 * Each product gets a writer, which sets its price to 1, 2, 3 … and after each response reads the product and the list
 * from the other process. Two readers repeatedly request the same list from each process.
 * @returns the reads that were older than what was committed before their request began.
 */
export async function raceReads(
  calls: [Call, Call],
  shopId: string,
  productIds: string[],
  rounds: number,
): Promise<{ stale: string[]; reads: number }> {
  const committed = new Map(productIds.map((id) => [id, 0]))
  const list = `${PRODUCTS}?limit=50`
  const stale: string[] = []
  let reads = 0
  let isOver = false

  async function read(call: Call, path: string): Promise<void> {
    const before = new Map(committed)
    const { status, body } = await call('GET', path)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    const products: { id: string; price: number }[] = body.data.products ?? [body.data]
    reads++
    for (const { id, price } of products) {
      const known = before.get(id)
      if (known !== undefined && price < known) stale.push(`${path}: ${price} after ${known}`)
    }
  }

  async function write(id: string, n: number): Promise<void> {
    const there = calls[n % 2]!
    const elsewhere = calls[(n + 1) % 2]!
    const { status } = await there('PATCH', `${PRODUCTS}/${id}`, { shopId, price: n })
    if (status !== 200) throw new Error(`the update answered ${status}`)
    committed.set(id, n)
    await Promise.all([read(elsewhere, `${PRODUCTS}/${id}`), read(elsewhere, list)])
  }

  const writers = productIds.map(async (id) => {
    for (let n = 1; n <= rounds; n++) await write(id, n)
  })
  const readers = calls.flatMap((call) =>
    [1, 2].map(async () => {
      while (!isOver) await read(call, list)
    }),
  )
  await Promise.all(writers).finally(() => {
    isOver = true
  })
  await Promise.all(readers)
  return { stale, reads }
}
