import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { TemplateParam } from '../../../platform/types.ts'

/** A template's params and its SMS text. The text's columns are null if it has none. */
export type SmsTextRow = {
  params: TemplateParam[]
  /** Counts the changes of the text, its removals too (G-71). */
  version: number
  text: string | null
  /** What the shop pays for one SMS, in đồng; null where it has no sender. */
  price: number | null
  created_at: Date | null
  updated_at: Date | null
}

/** The SMS text of a template; undefined when the shop has no such template. */
export async function findSmsText(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
): Promise<SmsTextRow | undefined> {
  const { rows } = await sql<SmsTextRow>`
    select t.params, t.sms_version as version, x.text, s.price, x.created_at, x.updated_at
    from templates t
    left join template_sms_texts x on x.shop_id = t.shop_id and x.template_id = t.id
    left join sms_senders s on s.shop_id = t.shop_id
    where t.shop_id = ${shopId} and t.id = ${templateId} and t.deleted_at is null`.execute(db)
  return rows[0]
}

/** The same, with the template locked until the transaction ends. */
export async function lockSmsText(
  trx: Trx,
  shopId: ObjectId,
  templateId: ObjectId,
): Promise<SmsTextRow | undefined> {
  await sql`
    select id
    from templates
    where shop_id = ${shopId} and id = ${templateId}
    for no key update`.execute(trx)
  return findSmsText(trx, shopId, templateId)
}

/** Notes that the SMS text of a template was changed, and by whom. */
export async function updateSmsVersion(
  trx: Trx,
  shopId: ObjectId,
  templateId: ObjectId,
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<void> {
  await sql`
    update templates
    set sms_version = sms_version + 1, sms_updated_at = ${now}, sms_updated_by = ${by}
    where shop_id = ${shopId} and id = ${templateId}`.execute(trx)
}

/** Sets or replaces the SMS text of a template. */
export async function upsertSmsText(
  trx: Trx,
  shopId: ObjectId,
  templateId: ObjectId,
  { text, now }: { text: string; now: Date },
): Promise<void> {
  await sql`
    insert into template_sms_texts (shop_id, template_id, text, created_at, updated_at)
    values (${shopId}, ${templateId}, ${text}, ${now}, ${now})
    on conflict (shop_id, template_id) do update
    set text = excluded.text, updated_at = excluded.updated_at`.execute(trx)
}

/** Removes the SMS text of a template, if it has one. */
export async function deleteSmsText(db: Db, shopId: ObjectId, templateId: ObjectId): Promise<void> {
  await sql`
    delete from template_sms_texts
    where shop_id = ${shopId} and template_id = ${templateId}`.execute(db)
}
