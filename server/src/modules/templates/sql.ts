import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { type KeyKind, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import { matchesAll } from '../../db/fragments/search-sql.ts'
import { cursorKey, type Direction, sortKeys } from '../../db/fragments/sort-sql.ts'
import type { Edit } from '../../lib/edit.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { fold } from '../../lib/text/fold.ts'
import { searchPattern, searchWords } from '../../lib/text/search-pattern.ts'
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
import type { TemplateSortField } from './schema.ts'

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
  /** Null for a template in the older format (G-19). */
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
  ids?: ObjectId[] | undefined
}

const COLUMNS = sql.raw(
  [
    'shop_id, id, version, oa_id, name, description, title, tag, template_type, image_type, logo_light',
    'logo_dark, images, content_blocks, tables, paragraphs, buttons, params, voucher, rating',
    'is_custom_params, note, status, reject_reason, is_sync, platform_template_id, preview_url, platform',
    'price_phone, price_uid, created_at, updated_at',
  ].join(', '),
)

/** Inserts a new DRAFT with the first entry of its timeline (E1). One statement. */
export async function insertTemplate(
  db: Db,
  shopId: ObjectId,
  template: { id: ObjectId; eventId: ObjectId; document: TemplateDocument; by: ObjectId | null; now: Date },
): Promise<TemplateRow> {
  const { id, eventId, document, by, now } = template
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
      insert into template_events (shop_id, id, template_id, from_status, to_status, source, by_id, created_at)
      select shop_id, ${eventId}, id, null, status, 'shop', ${by}, created_at
      from made
    )
    select ${COLUMNS} from made`.execute(db)
  return rows[0]!
}

/**
 * Replaces all content of a template. Undefined unless the template is in DRAFT or REJECTED (E2) and in a version that
 * `edit` knows. The status stays. If the official account changes, it is a different template for the platform, so the
 * platform's data is cleared.
 */
export async function overwriteTemplate(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  document: TemplateDocument,
  now: Date,
  edit: Edit,
): Promise<TemplateRow | undefined> {
  const knownVersion = edit.known === undefined ? sql`` : sql` and version = any(${edit.known}::bigint[])`
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
      oa_id = ${document.oaId}, version = version + 1, updated_at = ${now}, updated_by = ${edit.by}
    where shop_id = ${shopId} and id = ${id} and status in ('DRAFT', 'REJECTED') and deleted_at is null${knownVersion}
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

/** The template, if it has this revision: an earlier attempt to publish it created the revision (G-10). */
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

export type TemplateSort = { by: TemplateSortField; direction: Direction }

/** The sort by name uses the search text, which is the folded name followed by the folded title. */
const SORT_KEYS: Record<TemplateSortField, { column: RawBuilder<unknown>; kind: KeyKind }> = {
  createdAt: { column: sql`created_at`, kind: 'time' },
  updatedAt: { column: sql`updated_at`, kind: 'time' },
  name: { column: sql`search`, kind: 'text' },
}

/**
 * One page of a shop's templates in the order of `sort`, with the count of the filter (E3, G-17). One statement; the
 * count, and the sort by anything but creation, read the shop's range of `templates_by_created`, hundreds of rows at most.
 */
export async function listTemplates(
  db: Db,
  shopId: ObjectId,
  filter: TemplateFilter,
  sort: TemplateSort,
  page: Place,
): Promise<{ templates: TemplateRow[]; total: number; last: Keyset | undefined }> {
  const { status, oaId, templateType, ids } = filter
  const words = searchWords(filter.search ?? '')
  const where = sql.join(
    [
      sql`shop_id = ${shopId} and deleted_at is null`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(oaId ? [sql`oa_id = ${oaId}`] : []),
      ...(templateType === undefined ? [] : [sql`template_type = ${templateType}`]),
      ...(ids === undefined ? [] : [sql`id = any(${ids}::text[])`]),
      matchesAll(sql`search`, words.map(searchPattern)),
    ],
    sql` and `,
  )
  const { by, direction } = sort
  const { column, kind } = SORT_KEYS[by]
  type Listed = { total: number; cursor_key: unknown } & TemplateRow
  const { rows } = await sql<Listed | ({ total: number } & { [K in keyof Omit<Listed, 'total'>]: null })>`
    select counted.total, page.*
    from (select count(*) as total from templates where ${where}) as counted
    left join (
      select ${COLUMNS}, ${cursorKey(column, kind)} as cursor_key
      from templates
      where ${where}${rowsAfter(column, sql`id`, page.after, { direction, kind })}
      order by ${sortKeys(column, sql`id`, direction).forward}
      limit ${page.limit}
      offset ${page.offset}
    ) as page on true
    order by ${sortKeys(sql`page.cursor_key`, sql`page.id`, direction).forward}`.execute(db)
  const templates = rows.filter((row): row is Listed => row.id !== null)
  const last = templates.at(-1)
  return {
    templates,
    total: rows[0]?.total ?? 0,
    last: last && { key: last.cursor_key as Keyset['key'], id: last.id },
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
 * Marks a template in DRAFT or REJECTED as deleted (G-18); undefined if it has another status or does not exist. The
 * row stays: its timeline cannot be changed and messages may refer to it.
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

/** The names of a shop's templates that begin with the text, at most 1,000, newest first. */
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
 * Moves a locked template to PENDING_REVIEW, stores the submitted content as its next revision, and adds a line to the
 * timeline (G-15). One statement.
 */
export async function insertRevision(
  trx: Db,
  shopId: ObjectId,
  template: { id: ObjectId; status: TemplateStatus },
  revision: { id: ObjectId; eventId: ObjectId; document: TemplateDocument; by: ObjectId | null; now: Date },
): Promise<TemplateRow> {
  const { rows } = await sql<TemplateRow>`
    with moved as (
      update templates
      set status = 'PENDING_REVIEW', reject_reason = null, is_sync = false, checked_at = null,
        version = version + 1, updated_at = ${revision.now}, updated_by = ${revision.by}
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
      insert into template_events (shop_id, id, template_id, from_status, to_status, source, by_id, created_at)
      select shop_id, ${revision.eventId}, id, ${template.status}, status, 'shop', ${revision.by}, updated_at
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
