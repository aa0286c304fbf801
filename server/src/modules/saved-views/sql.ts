import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { List } from './rules.ts'

export type SavedView = { name: string; search: Record<string, string> }
export type SavedViewsRow = { list: List; views: SavedView[] }
/** Whose views: each member has their own, in each of their shops. */
export type ViewsOwner = { shopId: ObjectId; userId: ObjectId }

export async function listSavedViews(db: Db, { shopId, userId }: ViewsOwner): Promise<SavedViewsRow[]> {
  const { rows } = await sql<SavedViewsRow>`
    select list, views
    from saved_views
    where shop_id = ${shopId} and user_id = ${userId}
    order by list`.execute(db)
  return rows
}

/** Replaces a list's views. @returns false if the person is not a member of the shop. */
export async function replaceSavedViews(
  db: Db,
  { shopId, userId }: ViewsOwner,
  { list, views, now }: SavedViewsRow & { now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into saved_views (shop_id, user_id, list, views, updated_at)
    select ${shopId}, ${userId}, ${list}, ${JSON.stringify(views)}::jsonb, ${now}::timestamptz
    from members
    where shop_id = ${shopId} and user_id = ${userId}
    for key share
    on conflict (shop_id, user_id, list) do update set views = excluded.views, updated_at = excluded.updated_at
    returning list`.execute(db)
  return rows.length > 0
}
