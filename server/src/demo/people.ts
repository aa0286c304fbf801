import type { ObjectId } from '../lib/object-id.ts'
import { fold } from '../lib/text/fold.ts'
import { shortContent } from '../lib/text/html.ts'
import { slugify } from '../lib/text/slug.ts'
import { customerSearch } from '../modules/customers/rules.ts'
import { insertCustomer } from '../modules/customers/sql.ts'
import { attachProducts } from '../modules/news/items-sql.ts'
import { insertNews } from '../modules/news/sql.ts'
import type { DemoCatalogue } from './catalogue.ts'
import { demoCustomers, NEWS } from './data.ts'
import type { Seeding } from './seeding.ts'

export type DemoCustomer = { id: ObjectId; fullName: string; phone: string }

const CUSTOMERS = 60
const CUSTOMER_EVERY_MS = 23 * 3_600_000
const DAY_MS = 86_400_000

export async function seedCustomers({ trx, shopId, ids, opened }: Seeding): Promise<DemoCustomer[]> {
  const customers: DemoCustomer[] = []
  for (const [index, person] of demoCustomers(CUSTOMERS).entries()) {
    const row = await insertCustomer(trx, shopId, {
      ...person,
      id: ids.next(),
      // One in four has no birthday.
      birthday: index % 4 === 3 ? '' : birthdayOf(index),
      avatar: '',
      note: '',
      search: customerSearch(person.fullName, person.phone),
      now: new Date(opened.getTime() + index * CUSTOMER_EVERY_MS),
    })
    customers.push({ id: row.id, fullName: row.full_name, phone: row.phone })
  }
  return customers
}

/** A birthday; they are spread over the year, so that every month has some. */
function birthdayOf(index: number): string {
  return new Date(Date.UTC(1975 + ((index * 7) % 30), index % 12, 1 + ((index * 5) % 28)))
    .toISOString()
    .slice(0, 10)
}

export async function seedNews(
  { trx, shopId, ids, now, pictures }: Seeding,
  catalogue: DemoCatalogue,
): Promise<void> {
  for (const [index, article] of NEWS.entries()) {
    const written = new Date(now.getTime() - (NEWS.length - index) * 5 * DAY_MS)
    const { id } = await insertNews(trx, shopId, {
      id: ids.next(),
      title: article.title,
      content: article.content,
      shortContent: shortContent(article.content),
      search: fold(article.title),
      slugBase: slugify(article.title),
      metaDescription: '',
      status: article.status,
      images: [pictures.news(index)],
      cta: [],
      now: written,
    })
    if (article.products.length > 0) {
      await attachProducts(
        trx,
        shopId,
        id,
        article.products.map((product) => catalogue.productIds[product]!),
        { by: null, now: written },
      )
    }
  }
}
