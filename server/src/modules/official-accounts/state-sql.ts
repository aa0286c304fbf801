import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** A linked official account as its shop sees it; whether it has a token, not the token. */
export type AccountRow = {
  id: ObjectId
  oa_id: string
  name: string
  has_token: boolean
  token_refreshed_at: Date | null
}

/** The shop's official accounts, the oldest link first; at most 100. */
export async function listAccounts(db: Db, shopId: ObjectId): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select id, oa_id, name, access_token is not null as has_token, token_refreshed_at
    from official_accounts
    where shop_id = ${shopId}
    order by created_at, id
    limit 100`.execute(db)
  return rows
}
