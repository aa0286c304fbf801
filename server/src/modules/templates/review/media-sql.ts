import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

type Owner = { shopId: ObjectId; oaId: string }

/** The media id under which the official account has an image of this content; undefined when it has none. */
export async function findMedia(
  db: Db,
  { shopId, oaId }: Owner,
  sha256: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ media_id: string }>`
    select media_id
    from template_media
    where shop_id = ${shopId} and oa_id = ${oaId} and sha256 = ${sha256}`.execute(db)
  return rows[0]?.media_id
}

/** Stores the media id of an uploaded image. If one image is uploaded twice at the same time, the first id is kept. */
export async function insertMedia(
  db: Db,
  { shopId, oaId }: Owner,
  media: { address: string; sha256: string; mediaId: string; now: Date },
): Promise<void> {
  await sql`
    insert into template_media (shop_id, oa_id, sha256, address, media_id, created_at)
    values (${shopId}, ${oaId}, ${media.sha256}, ${media.address}, ${media.mediaId}, ${media.now})
    on conflict do nothing`.execute(db)
}
