import { sql } from 'kysely'
import { type Partner, type Service, unusedId } from './service.ts'

export const CONTENT = '<p>Giảm giá <b>đến 50%</b></p><p>toàn bộ cửa hàng</p>'

/** Inserts a product of the shop into the database and returns its id. */
export async function insertProductRow(
  running: Service,
  shopId: string,
  product: { name?: string; slug?: string; price?: number; originPrice?: number; status?: string } = {},
): Promise<string> {
  const id = unusedId()
  const {
    name = 'Hoa hồng',
    slug = `p-${id}`,
    price = 50_000,
    originPrice = null,
    status = 'active',
  } = product
  await sql`
    insert into products (shop_id, id, name, slug, price, origin_price, status, images, search, sku_drafts,
      created_at, updated_at)
    values (${shopId}, ${id}, ${name}, ${slug}, ${price}, ${originPrice}, ${status},
      '["https://img.example/1.jpg"]', ${name.toLowerCase()}, '{"variants": [], "skus": []}', now(), now())`.execute(
    running.deps.db,
  )
  await sql`insert into product_stock (shop_id, product_id) values (${shopId}, ${id})`.execute(
    running.deps.db,
  )
  return id
}

/** Creates an article in the partner's shop and returns it as in the response. */
export async function makeArticle(partner: Partner, fields: object = {}) {
  const made = await partner.post('/api/external/news', {
    title: 'Khuyến mãi Tết',
    content: CONTENT,
    ...fields,
  })
  if (made.status !== 201) throw new Error(`no article: ${JSON.stringify(made.body)}`)
  return made.body.data
}
