import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'

/** A member or key of a shop, with the name that the shop knows. For a member without a name, it is the email address. */
export type WhoJson = { type: 'member' | 'key'; id: ObjectId; name: string }

/**
 * The person or key of the shop with this id; null if the id is null or no longer belongs to anybody. Reads two primary
 * keys.
 */
export function whoOf(shopId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<WhoJson | null> {
  return sql<WhoJson | null>`coalesce((
          select json_build_object('type', 'member', 'id', u.id, 'name', coalesce(nullif(u.name, ''), u.email))
          from users u
          where u.id = ${id}
        ), (
          select json_build_object('type', 'key', 'id', k.id, 'name', k.name)
          from api_keys k
          where k.shop_id = ${shopId} and k.id = ${id}
        ))`
}
