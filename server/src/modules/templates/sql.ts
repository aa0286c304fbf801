import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { fold, foldWords, likeContains } from '../../lib/fold.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type {
  ContentBlock,
  TemplateButton,
  TemplateDocument,
  TemplateParam,
  TemplateRating,
  TemplateVoucher,
} from '../../platform/types.ts'
import { loggedColumns, statusEvent } from './review/status-event-sql.ts'
import type { TemplateStatus } from './rules.ts'

export type TemplateRow = {
  shop_id: ObjectId
  id: ObjectId
  version: number
  oa_id: string
  name: string
  description: string | null
  title: string
  tag: '1' | '2' | '3'
  template_type: 'custom' | 'voucher' | 'rating'
  image_type: 'logo' | 'image'
  logo_light: string | null
  logo_dark: string | null
  images: string[] | null
  /** Null on a template of the old form (G-19). */
  content_blocks: ContentBlock[] | null
  tables: { label: string; key: string }[] | null
  paragraphs: { value: string; key?: string }[] | null
  buttons: TemplateButton[]
  params: TemplateParam[]
  voucher: TemplateVoucher | null
  rating: TemplateRating | null
  is_custom_params: boolean
  note: string | null
  status: TemplateStatus
  reject_reason: string | null
  is_sync: boolean
  platform_template_id: string | null
  preview_url: string | null
  platform: string | null
  price_phone: number | null
  price_uid: number | null
  created_at: Date
  updated_at: Date
}

export type TemplateFilter = {
  status?: TemplateStatus
  oaId?: string
  templateType?: 'custom' | 'voucher' | 'rating'
  search?: string
}

const COLUMNS = sql.raw(
  [
    'shop_id, id, version, oa_id, name, description, title, tag, template_type, image_type, logo_light',
    'logo_dark, images, content_blocks, tables, paragraphs, buttons, params, voucher, rating',
    'is_custom_params, note, status, reject_reason, is_sync, platform_template_id, preview_url, platform',
    'price_phone, price_uid, created_at, updated_at',
  ].join(', '),
)

/** A new DRAFT and the first line of its timeline (E1). One statement. */
export async function insertTemplate(
  db: Db,
  shopId: ObjectId,
  template: { id: ObjectId; eventId: ObjectId; document: TemplateDocument; now: Date },
): Promise<TemplateRow> {
  const { id, eventId, document, now } = template
  const { rows } = await sql<TemplateRow>`
    with made as (
      insert into templates (shop_id, id, oa_id, name, description, title, tag, template_type, image_type,
        logo_light, logo_dark, images, content_blocks, buttons, params, voucher, rating, is_custom_params, note,
        search, created_at, updated_at)
      values (${shopId}, ${id}, ${document.oaId}, ${document.name}, ${document.description ?? null},
        ${document.title}, ${document.tag}, ${document.templateType}, ${document.imageType},
        ${document.logoLight ?? null}, ${document.logoDark ?? null}, ${json(document.images)}::jsonb,
        ${json(document.contentBlocks)}::jsonb, ${json(document.buttons)}::jsonb, ${json(document.params)}::jsonb,
        ${json(document.voucher)}::jsonb, ${json(document.rating)}::jsonb, ${document.isCustomParams},
        ${document.note ?? null}, ${searchText(document)}, ${now}, ${now})
      returning *
    ), logged as (
      insert into template_events (shop_id, id, template_id, from_status, to_status, source, created_at)
      select shop_id, ${eventId}, id, null, status, 'shop', created_at
      from made
    )
    select ${COLUMNS} from made`.execute(db)
  return rows[0]!
}

/**
 * The template with all of its content replaced; undefined unless it is there in DRAFT or REJECTED (E2).
 * The status stays. On another official account it is another template for the platform, so what is known of
 * the former one is dropped.
 */
export async function overwriteTemplate(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  document: TemplateDocument,
  now: Date,
): Promise<TemplateRow | undefined> {
  const { rows } = await sql<TemplateRow>`
    update templates
    set name = ${document.name}, description = ${document.description ?? null}, title = ${document.title},
      tag = ${document.tag}, template_type = ${document.templateType}, image_type = ${document.imageType},
      logo_light = ${document.logoLight ?? null}, logo_dark = ${document.logoDark ?? null},
      images = ${json(document.images)}::jsonb, content_blocks = ${json(document.contentBlocks)}::jsonb,
      tables = null, paragraphs = null, buttons = ${json(document.buttons)}::jsonb,
      params = ${json(document.params)}::jsonb, voucher = ${json(document.voucher)}::jsonb,
      rating = ${json(document.rating)}::jsonb, is_custom_params = ${document.isCustomParams},
      note = ${document.note ?? null}, search = ${searchText(document)},
      platform_template_id = case when oa_id = ${document.oaId} then platform_template_id end,
      preview_url = case when oa_id = ${document.oaId} then preview_url end,
      price_phone = case when oa_id = ${document.oaId} then price_phone end,
      price_uid = case when oa_id = ${document.oaId} then price_uid end,
      oa_id = ${document.oaId}, version = version + 1, updated_at = ${now}
    where shop_id = ${shopId} and id = ${id} and status in ('DRAFT', 'REJECTED') and deleted_at is null
    returning ${COLUMNS}`.execute(db)
  return rows[0]
}

export async function findTemplate(db: Db, shopId: ObjectId, id: ObjectId): Promise<TemplateRow | undefined> {
  const { rows } = await sql<TemplateRow>`
    select ${COLUMNS}
    from templates
    where shop_id = ${shopId} and id = ${id} and deleted_at is null`.execute(db)
  return rows[0]
}

/** The template, if it has this revision: what an earlier try to publish it made (G-10). */
export async function findTemplateOfRevision(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  revisionId: ObjectId,
): Promise<TemplateRow | undefined> {
  const { rows } = await sql<TemplateRow>`
    select ${COLUMNS}
    from templates
    where shop_id = ${shopId} and id = ${id} and deleted_at is null and exists (
      select from template_revisions r
      where r.shop_id = ${shopId} and r.id = ${revisionId} and r.template_id = ${id}
    )`.execute(db)
  return rows[0]
}

/**
 * One page of a shop's templates, newest first, with the count of the filter (E3, G-17). One statement; the
 * count reads the shop's range of `templates_by_created`, hundreds of rows at most.
 */
export async function listTemplates(
  db: Db,
  shopId: ObjectId,
  filter: TemplateFilter,
  page: { page: number; size: number },
): Promise<{ templates: TemplateRow[]; total: number }> {
  const { status, oaId, templateType } = filter
  const words = foldWords(filter.search ?? '')
  const where = sql.join(
    [
      sql`shop_id = ${shopId} and deleted_at is null`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(oaId ? [sql`oa_id = ${oaId}`] : []),
      ...(templateType === undefined ? [] : [sql`template_type = ${templateType}`]),
      ...(words.length === 0 ? [] : [sql`search like all(${words.map(likeContains)}::text[])`]),
    ],
    sql` and `,
  )
  const { rows } = await sql<{ total: number } & (TemplateRow | { [K in keyof TemplateRow]: null })>`
    select counted.total, page.*
    from (select count(*) as total from templates where ${where}) as counted
    left join (
      select ${COLUMNS}
      from templates
      where ${where}
      order by created_at desc, id desc
      limit ${page.size}
      offset ${(page.page - 1) * page.size}
    ) as page on true
    order by page.created_at desc, page.id desc`.execute(db)
  return {
    templates: rows.filter((row): row is { total: number } & TemplateRow => row.id !== null),
    total: rows[0]?.total ?? 0,
  }
}

/** The template, locked until the transaction ends, and whether its official account is linked (G-15). */
export async function lockTemplate(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<(TemplateRow & { is_oa_linked: boolean }) | undefined> {
  const { rows } = await sql<TemplateRow & { is_oa_linked: boolean }>`
    select ${COLUMNS}, exists (
        select from official_accounts oa
        where oa.shop_id = templates.shop_id and oa.oa_id = templates.oa_id
      ) as is_oa_linked
    from templates
    where shop_id = ${shopId} and id = ${id} and deleted_at is null
    for update`.execute(trx)
  return rows[0]
}

/** Whether the shop may send through the official account (G-15). */
export async function isOaLinked(db: Db, shopId: ObjectId, oaId: string): Promise<boolean> {
  const { rows } = await sql`
    select oa_id
    from official_accounts
    where shop_id = ${shopId} and oa_id = ${oaId}`.execute(db)
  return rows.length > 0
}

/**
 * Marks a template in DRAFT or REJECTED as deleted (G-18); undefined when it is in another status or not there.
 * The row stays: its timeline cannot be changed and messages may name it.
 */
export async function markDeleted(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  now: Date,
): Promise<{ id: ObjectId } | undefined> {
  const { rows } = await sql<{ id: ObjectId }>`
    update templates
    set deleted_at = ${now}, version = version + 1, updated_at = ${now}
    where shop_id = ${shopId} and id = ${id} and status in ('DRAFT', 'REJECTED') and deleted_at is null
    returning id`.execute(db)
  return rows[0]
}

/** The names of a shop's templates that begin with the text, at most 1,000. */
export async function listNames(db: Db, shopId: ObjectId, beginning: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name
    from templates
    where shop_id = ${shopId} and deleted_at is null and starts_with(name, ${beginning})
    order by created_at desc, id desc
    limit 1000`.execute(db)
  return rows.map((row) => row.name)
}

/**
 * Moves a locked template to PENDING_REVIEW, keeps what is submitted as its next revision, and adds the line
 * to the timeline (G-15). One statement.
 */
export async function insertRevision(
  trx: Db,
  shopId: ObjectId,
  template: { id: ObjectId; status: TemplateStatus },
  revision: { id: ObjectId; eventId: ObjectId; document: TemplateDocument; now: Date },
): Promise<TemplateRow> {
  const { rows } = await sql<TemplateRow>`
    with moved as (
      update templates
      set status = 'PENDING_REVIEW', reject_reason = null, is_sync = false, checked_at = null,
        version = version + 1, updated_at = ${revision.now}
      where shop_id = ${shopId} and id = ${template.id}
      returning *
    ), revised as (
      insert into template_revisions (shop_id, id, template_id, number, document, created_at)
      select shop_id, ${revision.id}, id, (
          select coalesce(max(r.number), 0) + 1
          from template_revisions r
          where r.shop_id = ${shopId} and r.template_id = ${template.id}
        ), ${JSON.stringify(revision.document)}::jsonb, updated_at
      from moved
    ), logged as (
      insert into template_events (shop_id, id, template_id, from_status, to_status, source, created_at)
      select shop_id, ${revision.eventId}, id, ${template.status}, status, 'shop', updated_at
      from moved
      returning ${loggedColumns}
    ), ${statusEvent(shopId, revision.now)}
    select ${COLUMNS} from moved`.execute(trx)
  return rows[0]!
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function searchText(document: TemplateDocument): string {
  return fold(`${document.name} ${document.title}`)
}
