import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { PlatformTemplate, PlatformTemplateStatus } from '../../../platform/types.ts'
import { lockTemplate, overwriteTemplate } from '../sql.ts'
import { findReviewState, findSubmittedDocument, type ReviewState, updateReview } from './sql.ts'

/** What an event says of a template. */
export type Told = { status: PlatformTemplateStatus; deleted: boolean; reason?: string | undefined }

/**
 * `changed`, `unchanged`: the platform's word is written. `not-there`: the template is not, or not on the
 * platform. `awaiting`: its last revision has not been submitted, the word is about an older one.
 * `unanswered`: the platform was asked and gave nothing to act on.
 */
export type ReviewOutcome = 'changed' | 'unchanged' | 'not-there' | 'awaiting' | 'unanswered'

type Word = Told & Pick<PlatformTemplate, 'previewUrl' | 'priceVnd' | 'priceUidVnd' | 'timeoutSeconds'>

const TRIES = 3

/**
 * Brings a template to what the platform holds: status, reason, fees and preview, with a line in the timeline
 * (G-16). Events come late, twice and out of order, so an event only tells that something changed: what counts
 * is the platform's present word. What was `told` counts when the platform refuses to answer, or, with
 * `isLast`, when it cannot be reached.
 * The platform's word wins over every status but DRAFT. An approval of a template that was REJECTED here and
 * may have been edited since brings back the content that was approved.
 */
export async function refreshTemplate(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'platform'>,
  shopId: ObjectId,
  templateId: ObjectId,
  asked: { source: 'webhook' | 'polling' | 'submission'; told?: Told; isLast?: boolean },
): Promise<ReviewOutcome> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const seen = await findReviewState(deps.db, shopId, templateId)
    if (seen === undefined || seen.platform_template_id === null || seen.status === 'DRAFT')
      return 'not-there'
    if (seen.is_awaiting_submission) return 'awaiting'
    const oa = { shopId, oaId: seen.oa_id }
    const info = await deps.platform.templateInfo(oa, seen.platform_template_id)
    let word: Word | undefined
    if (info.kind === 'ok' && info.data.status !== undefined) {
      word = { ...info.data, status: info.data.status }
      if (word.status === asked.told?.status) word.reason ??= asked.told.reason
    } else if (info.kind === 'rejected' || asked.isLast) {
      word = asked.told
    }
    if (word === undefined) return 'unanswered'
    if (isKnown(seen, word)) return 'unchanged'
    if (await write(deps, seen, word, asked.source)) return 'changed'
  }
  return 'unanswered'
}

function isKnown(seen: ReviewState, word: Word): boolean {
  return (
    seen.status === word.status &&
    seen.is_deleted_on_platform === word.deleted &&
    (word.status !== 'REJECTED' || word.reason === undefined || word.reason === seen.reject_reason) &&
    (word.previewUrl ?? seen.preview_url) === seen.preview_url &&
    (word.priceVnd ?? seen.price_phone) === seen.price_phone &&
    (word.priceUidVnd ?? seen.price_uid) === seen.price_uid &&
    (word.timeoutSeconds ?? seen.timeout_seconds) === seen.timeout_seconds
  )
}

async function write(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  seen: ReviewState,
  word: Word,
  source: 'webhook' | 'polling' | 'submission',
): Promise<boolean> {
  const now = clock.now()
  const review = {
    status: word.status,
    isDeleted: word.deleted,
    rejectReason: word.status === 'REJECTED' ? (word.reason ?? seen.reject_reason ?? undefined) : undefined,
    previewUrl: word.previewUrl,
    pricePhone: word.priceVnd,
    priceUid: word.priceUidVnd,
    timeoutSeconds: word.timeoutSeconds,
    source,
    eventId: ids.next(),
    now,
  }
  if (seen.status !== 'REJECTED' || word.status === 'REJECTED') {
    return updateReview(db, seen.shop_id, seen, review)
  }
  const document = await findSubmittedDocument(db, seen.shop_id, seen.id)
  return db.transaction().execute(async (trx) => {
    const locked = await lockTemplate(trx, seen.shop_id, seen.id)
    if (locked?.version !== seen.version) return false
    const restored =
      document === undefined
        ? locked
        : ((await overwriteTemplate(trx, seen.shop_id, seen.id, document, now)) ?? locked)
    return updateReview(trx, seen.shop_id, { ...seen, version: restored.version }, review)
  })
}
