import { type RawBuilder, sql } from 'kysely'
import type { Who } from '../../lib/who.ts'

/**
 * The person or key of the shop with this id; null if the id is null or no longer belongs to anybody. Reads two primary
 * keys.
 */
export function whoOf(shopId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<Who | null> {
  return sql<Who | null>`coalesce((
          select json_build_object('type', 'member', 'id', u.id, 'name', coalesce(nullif(u.name, ''), u.email))
          from users u
          where u.id = ${id}
        ), (
          select json_build_object('type', 'key', 'id', k.id, 'name', k.name)
          from api_keys k
          where k.shop_id = ${shopId} and k.id = ${id}
        ))`
}
