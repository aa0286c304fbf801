import { presentWho } from '../../lib/who.ts'
import type { ContentBlock, TemplateDocument } from '../../platform/types.ts'
import type { TemplateRow } from './sql.ts'
import type { TimelineRow } from './timeline-sql.ts'

/**
 * The wire record of a template. Optional fields that were not given are left out; the platform's fields appear once it
 * has approved the template; a template in the older format shows `paragraphs` and `tables` (G-19).
 */
export function presentTemplate(row: TemplateRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    shopId: row.shop_id,
    oaId: row.oa_id,
    name: row.name,
    ...optional('description', row.description),
    title: row.title,
    tag: row.tag,
    templateType: row.template_type,
    imageType: row.image_type,
    ...optional('logoLight', row.logo_light),
    ...optional('logoDark', row.logo_dark),
    ...optional('images', row.images),
    ...(row.content_blocks === null
      ? { tables: row.tables ?? [], paragraphs: row.paragraphs ?? [] }
      : { contentBlocks: row.content_blocks }),
    buttons: row.buttons,
    params: row.params,
    ...optional('voucher', row.voucher),
    ...optional('rating', row.rating),
    isCustomParams: row.is_custom_params,
    ...optional('note', row.note),
    status: row.status,
    ...(row.status === 'REJECTED' ? { rejectReason: row.reject_reason ?? '' } : {}),
    isSync: row.is_sync,
    ...(row.is_sync
      ? {
          ...optional('templateId', row.platform_template_id),
          ...optional('previewUrl', row.preview_url),
          ...optional('platform', row.platform),
          ...optional('price', row.price_phone),
          ...optional('priceUID', row.price_uid),
        }
      : {}),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** An entry of the timeline (G-18). */
export function presentTimelineEntry(row: TimelineRow) {
  return {
    status: row.to_status,
    from: row.from_status,
    source: row.source,
    reason: row.reason,
    by: presentWho(row.by),
    at: row.created_at.toISOString(),
  }
}

/** The content of a stored template as it was written; undefined for one in the older format, which has no blocks. */
export function documentOf(row: TemplateRow): TemplateDocument | undefined {
  return row.content_blocks === null ? undefined : documentWith(row, row.content_blocks)
}

/** The content of a stored template with these blocks as its body. */
export function documentWith(row: TemplateRow, contentBlocks: ContentBlock[]): TemplateDocument {
  return {
    oaId: row.oa_id,
    name: row.name,
    ...optional('description', row.description),
    title: row.title,
    tag: row.tag,
    templateType: row.template_type,
    imageType: row.image_type,
    ...optional('logoLight', row.logo_light),
    ...optional('logoDark', row.logo_dark),
    ...optional('images', row.images),
    contentBlocks,
    buttons: row.buttons,
    params: row.params,
    ...optional('voucher', row.voucher),
    ...optional('rating', row.rating),
    isCustomParams: row.is_custom_params,
    ...optional('note', row.note),
  }
}

function optional<K extends string, V>(key: K, value: V | null): { [P in K]?: V } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: V }
}
