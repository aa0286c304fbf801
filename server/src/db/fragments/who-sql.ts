import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'

/** A member or a key of a shop, by the name that the shop knows it by: of a member without a name the e-mail. */
export type WhoJson = { type: 'member' | 'key'; id: ObjectId; name: string }

/** Who has an id: a person or a key of the shop; null where it is null, or nobody has it any more. Two primary keys. */
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
