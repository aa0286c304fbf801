import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { ObjectId } from '../lib/object-id.ts'
import { updateStanding } from '../modules/templates/report/sql.ts'
import { findReviewState, updateReview } from '../modules/templates/review/sql.ts'
import { markSubmitted } from '../modules/templates/review/submission-sql.ts'
import type { TemplateStatus } from '../modules/templates/rules.ts'
import { insertRevision, insertTemplate } from '../modules/templates/sql.ts'
import type { SubmittedTemplate, TemplateDocument } from '../platform/types.ts'
import { OA_ID } from './data.ts'
import type { Pictures } from './pictures.ts'
import type { Seeding } from './seeding.ts'
import { CUSTOMER, ORDER, type Review, TEMPLATES, TOTAL } from './template-data.ts'

export type ApprovedTemplate = {
  id: ObjectId
  platformTemplateId: string
  pricePhone: number
  priceUid: number
  paramKeys: string[]
}

/** The platform's response for each submitted template, by its index in the list. */
export type Registered = Map<number, SubmittedTemplate>

/**
 * Submits the demo's templates to the simulator and sets their reviews as the demo shows them. One is left to decide by
 * hand at the simulator's review desk.
 */
export async function registerTemplates(
  deps: Pick<Deps, 'platform'>,
  simulatorUrl: string,
  pictures: Pictures,
): Promise<Registered> {
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${simulatorUrl}/control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`the simulator refused ${path}: ${await answer.text()}`)
  }
  const settings = (await (await fetch(`${simulatorUrl}/control/settings`)).json()) as { reviewMs: number }
  await control('settings', { reviewMs: -1 })
  const registered: Registered = new Map()
  for (const [index, { document, review, rejectReason }] of TEMPLATES.entries()) {
    if (review === 'none') continue
    const oa = { shopId: '', oaId: OA_ID, accessToken: `sim:${OA_ID}` }
    const outcome = await deps.platform.createTemplate(oa, {
      document: withLogo(document, pictures),
      trackingId: `demo-${index}`,
    })
    if (outcome.kind !== 'ok')
      throw new Error(`the simulator did not take a demo template: ${JSON.stringify(outcome)}`)
    const { platformTemplateId } = outcome.data
    registered.set(index, outcome.data)
    if (review === 'approved' || review === 'disabled')
      await control(`templates/${platformTemplateId}/approve`, {})
    if (review === 'disabled') await control(`templates/${platformTemplateId}/status`, { status: 'DISABLE' })
    if (review === 'rejected')
      await control(`templates/${platformTemplateId}/reject`, { reason: rejectReason! })
  }
  await control('settings', { reviewMs: settings.reviewMs })
  return registered
}

/** The platform's decisions on a submitted template, in order. */
const DECISIONS: Record<Review, TemplateStatus[]> = {
  none: [],
  waiting: [],
  approved: ['ENABLE'],
  rejected: ['REJECTED'],
  disabled: ['ENABLE', 'DISABLE'],
}

/**
 * Inserts the templates in their state after review; without a simulator all are drafts. One more is in the older
 * format (G-19).
 */
export async function seedTemplates(
  seeding: Seeding,
  registered: Registered | undefined,
): Promise<ApprovedTemplate[]> {
  const { trx, shopId, ids, now } = seeding
  const approved: ApprovedTemplate[] = []
  for (const [index, { document, review, rejectReason }] of TEMPLATES.entries()) {
    const id = ids.next()
    const made = new Date(now.getTime() - (40 - index) * 86_400_000)
    const stored = withLogo(document, seeding.pictures)
    await insertTemplate(trx, shopId, { id, eventId: ids.next(), document: stored, by: null, now: made })
    const answer = registered?.get(index)
    if (answer === undefined) continue
    await insertReviewed(seeding, { id, review, document: stored, answer, rejectReason, made })
    if (review === 'approved') {
      // As the platform says of an approved template when it is asked later.
      const rated = new Date(now.getTime() - 25 * 86_400_000)
      await updateStanding(trx, shopId, id, { quality: 'HIGH', now: rated })
      approved.push({
        id,
        platformTemplateId: answer.platformTemplateId,
        pricePhone: answer.priceVnd ?? 0,
        priceUid: answer.priceUidVnd ?? 0,
        paramKeys: document.params.map((param) => param.key),
      })
    }
  }
  await insertLegacy(seeding)
  return approved
}

/** Publishes a template and writes the platform's decisions, each with its entry in the timeline. */
async function insertReviewed(
  { trx, shopId, ids }: Seeding,
  given: {
    id: ObjectId
    review: Review
    document: TemplateDocument
    answer: SubmittedTemplate
    rejectReason: string | undefined
    made: Date
  },
): Promise<void> {
  const { id, review, document, answer, rejectReason, made } = given
  const stepAt = (step: number) => new Date(made.getTime() + step * 5 * 3_600_000)
  const revisionId = ids.next()
  const published = { id: revisionId, eventId: ids.next(), document, by: null, now: stepAt(1) }
  await insertRevision(trx, shopId, { id, status: 'DRAFT' }, published)
  await markSubmitted(trx, shopId, id, revisionId, answer, stepAt(1))
  for (const [index, status] of DECISIONS[review].entries()) {
    await updateReview(trx, shopId, (await findReviewState(trx, shopId, id))!, {
      status,
      isDeleted: false,
      rejectReason,
      previewUrl: answer.previewUrl,
      pricePhone: answer.priceVnd,
      priceUid: answer.priceUidVnd,
      timeoutSeconds: undefined,
      source: 'webhook',
      eventId: ids.next(),
      now: stepAt(index + 2),
    })
  }
}

function withLogo(document: TemplateDocument, { logoLight, logoDark }: Pictures): TemplateDocument {
  return document.imageType === 'logo' ? { ...document, logoLight, logoDark } : document
}

/**
 * Inserts a template in the format from before content blocks. It is imported, so the platform's number belongs to
 * another company.
 */
async function insertLegacy({ trx, shopId, ids, now, pictures }: Seeding): Promise<void> {
  const id = ids.next()
  const made = new Date(now.getTime() - 400 * 86_400_000)
  const tables = [
    { label: 'Mã đơn', key: '<order_code>' },
    { label: 'Tổng tiền', key: '<total_amount>' },
  ]
  const paragraphs = [{ value: 'Đơn hàng của <customer_name> đang trên đường giao.', key: 'p1' }]
  const params = [CUSTOMER, ORDER, TOTAL].map(({ key, label }) => ({ key, label }))
  await sql`
    insert into templates (shop_id, id, oa_id, name, title, tag, template_type, image_type, logo_light, logo_dark,
      tables, paragraphs, params, is_custom_params, search, status, is_sync, platform_template_id, preview_url, platform,
      created_at, updated_at)
    values (${shopId}, ${id}, ${OA_ID}, 'Báo giao hàng (mẫu cũ)', 'Đơn hàng đang được giao', '1', 'custom', 'logo',
      ${pictures.logoLight}, ${pictures.logoDark}, ${JSON.stringify(tables)}::jsonb, ${JSON.stringify(paragraphs)}::jsonb,
      ${JSON.stringify(params)}::jsonb, true, 'bao giao hang (mau cu) don hang dang duoc giao', 'DISABLE', true, '100200',
      'https://preview.example/100200', 'chatapp', ${made}, ${made})`.execute(trx)
  await sql`
    insert into template_events (shop_id, id, template_id, from_status, to_status, source, created_at)
    values (${shopId}, ${ids.next()}, ${id}, null, 'DISABLE', 'import', ${made})`.execute(trx)
}
