import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { listTakenSlugs } from '../sql.ts'

/** How many numbered slugs the first round looks up; each further round looks up twice as many. */
const FIRST_NUMBERS = 16

/**
 * Gives each product with a `slugBase` the first of `base`, `base-2`, `base-3` … that no other product has, in the shop
 * or in this list. Each round is one statement: one round for new names, a few for a name that hundreds of products
 * have.
 */
export async function assignSlugs(
  db: Db,
  shopId: ObjectId,
  products: { slug: string; slugBase: string | undefined }[],
): Promise<void> {
  let waiting = products.filter((product) => product.slugBase !== undefined)
  const given = new Set<string>()
  for (let [from, to] = [1, 1]; waiting.length > 0; [from, to] = [to + 1, Math.max(FIRST_NUMBERS, to * 2)]) {
    const bases = new Set(waiting.map(({ slugBase }) => slugBase!))
    const taken = new Set(
      await listTakenSlugs(
        db,
        shopId,
        [...bases].flatMap((base) => numbered(base, from, to)),
      ),
    )
    const isFree = (slug: string) => !taken.has(slug) && !given.has(slug)
    waiting = waiting.filter((product) => {
      const slug = numbered(product.slugBase!, from, to).find(isFree)
      if (slug === undefined) return true
      product.slug = slug
      given.add(slug)
      return false
    })
  }
}

function numbered(base: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => (from + at === 1 ? base : `${base}-${from + at}`))
}
