import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

export type AccountOfShop = {
  id: ObjectId
  oa_id: string
  name: string
  shop_id: ObjectId
  shop_name: string
}

/** The linked official accounts with these ids on the platform, with their shops; for the operator, who sees all shops. */
export async function listAccountsByOaId(db: Db, oaIds: string[]): Promise<AccountOfShop[]> {
  const { rows } = await sql<AccountOfShop>`
    select account.id, account.oa_id, account.name, account.shop_id, shop.name as shop_name
    from official_accounts account
    join shops shop on shop.id = account.shop_id
    where account.oa_id = any(${oaIds})
    order by shop.name, account.oa_id
    limit 1000`.execute(db)
  return rows
}
