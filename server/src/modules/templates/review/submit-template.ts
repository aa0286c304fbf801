import type { Deps } from '../../../deps.ts'
import type { JobData } from '../../../jobs/queue.ts'
import { describeCode } from '../../../platform/chatapp/error-codes.ts'
import type {
  OaCredentials,
  PlatformOutcome,
  PlatformRejected,
  PlatformTemplateListItem,
  PlatformUnknown,
  SubmittedTemplate,
  TemplateDocument,
} from '../../../platform/types.ts'
import { fillText, inEveryLanguage, textsIn } from '../../../texts/catalogue.ts'
import { refreshTemplate } from './apply-review.ts'
import { listKnownPlatformIds } from './sql.ts'
import {
  deferSubmission,
  findSubmission,
  markAttempted,
  markSubmitted,
  rejectSubmission,
  type Submission,
} from './submission-sql.ts'
import { type ImageProblem, uploadImages } from './upload-images.ts'

/** The platform's error for an unknown template number. */
const NO_SUCH_TEMPLATE = -109
const LIST_PAGE = 100
const LIST_PAGES = 5

/** The submission's outcome is open: the job is retried. */
export class SubmissionOpen extends Error {
  constructor(cause: string) {
    super(`the template is not submitted yet: ${cause}`)
    this.name = 'SubmissionOpen'
  }
}

/**
 * Submits a published revision to the platform, its images first: the first revision creates the template there, a
 * later one edits the rejected one (G-15). The template becomes REJECTED with a readable reason if the platform refuses
 * it, if an image cannot be fetched, or if the last attempt gets no response, so that it is never stuck. Nothing
 * happens to a template that left PENDING_REVIEW in the meantime. A template beyond the platform's daily limit waits
 * for the next day, with an entry in the timeline. Repeating is safe: an edit first checks whether an earlier attempt
 * succeeded, and a creation looks for a template that an earlier attempt may have created.
 * @returns the official account whose platform now has the template, if it does.
 * @throws SubmissionOpen while another attempt may help.
 */
export async function submitTemplate(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'platform' | 'config' | 'jobs' | 'timings'>,
  job: JobData['submit-template'],
  attempt: { isLast: boolean },
): Promise<string | undefined> {
  const { db, ids, clock } = deps
  const { shopId, templateId, revisionId } = job
  const notBefore = job.notBefore === undefined ? null : new Date(job.notBefore)
  const submission = await findSubmission(db, shopId, templateId, revisionId, notBefore)
  if (submission === undefined) return undefined
  if (submission.is_suspended) {
    // Nothing is sent for a suspended shop (G-69). The job checks again later, until the shop is resumed.
    await deps.jobs.send(
      db,
      'submit-template',
      job,
      new Date(clock.now().getTime() + deps.timings.pollEveryMs),
    )
    return undefined
  }
  const oa: OaCredentials = { shopId, oaId: submission.oa_id }

  const outcome = await handOver(deps, oa, submission, job)
  if (outcome.kind === 'ok') {
    await markSubmitted(db, shopId, templateId, revisionId, outcome.data, clock.now())
    if (outcome.data.status !== 'PENDING_REVIEW') {
      await refreshTemplate(deps, shopId, templateId, { source: 'submission' })
    }
    return submission.oa_id
  }
  if (await isDeferred(deps, job, submission, outcome)) return undefined
  if (!attempt.isLast && isOpen(outcome)) throw new SubmissionOpen(causeOf(outcome))
  await rejectSubmission(db, shopId, templateId, revisionId, {
    reason: reasonOf(outcome, submission.language),
    eventId: ids.next(),
    now: clock.now(),
  })
  return undefined
}

/** Defers the submission if the platform says when to retry; the next job is queued in the same transaction. */
async function isDeferred(
  { db, ids, clock, jobs, timings }: Pick<Deps, 'db' | 'ids' | 'clock' | 'jobs' | 'timings'>,
  { shopId, templateId, revisionId, notBefore }: JobData['submit-template'],
  { created_at: createdAt, language }: Submission,
  outcome: Refusal,
): Promise<boolean> {
  if (outcome.kind !== 'rejected' || outcome.class !== 'later' || outcome.retryAt === undefined) return false
  const until = new Date(outcome.retryAt.getTime() + timings.platformClockSlackMs)
  if (until.getTime() > createdAt.getTime() + timings.submissionLongestWaitMs) return false
  await db.transaction().execute(async (trx) => {
    const isFirst = await deferSubmission(trx, shopId, templateId, revisionId, {
      former: notBefore === undefined ? null : new Date(notBefore),
      until,
      reason: fillText(textsIn(language).publishFailed.wait, { cause: outcome.message }),
      eventId: ids.next(),
      now: clock.now(),
    })
    if (!isFirst) return
    const next = { shopId, templateId, revisionId, notBefore: until.toISOString() }
    await jobs.send(trx, 'submit-template', next, until)
  })
  return true
}

async function handOver(
  deps: Pick<Deps, 'db' | 'clock' | 'platform' | 'config' | 'timings'>,
  oa: OaCredentials,
  submission: Submission,
  { shopId, revisionId }: JobData['submit-template'],
): Promise<PlatformOutcome<SubmittedTemplate> | ImageProblem> {
  const { db, clock, platform } = deps
  const { document } = submission
  const images = () =>
    uploadImages(deps, oa, document, (refusal) => ({
      why: inEveryLanguage((language) =>
        refusal.kind === 'unknown'
          ? fillText(textsIn(language).image.unanswered, { cause: refusal.cause })
          : reasonOf(refusal, language),
      ),
      isFinal: !isOpen(refusal),
    }))
  const known = submission.platform_template_id
  if (known !== null) {
    const info = await platform.templateInfo(oa, known)
    if (info.kind === 'ok') {
      const { status } = info.data
      if (status === undefined || status === 'REJECTED') {
        const uploaded = await images()
        if (uploaded.kind !== 'ok') return uploaded
        return platform.editTemplate(oa, known, { document, trackingId: revisionId, media: uploaded.media })
      }
      return { ...info, data: { ...info.data, status } }
    }
    if (info.kind === 'unknown' || info.code !== NO_SUCH_TEMPLATE) return info
  }
  if (submission.attempted_at !== null) {
    const left = await findLeftBehind(deps, oa, submission)
    if (left !== undefined) return left
  }
  const uploaded = await images()
  if (uploaded.kind !== 'ok') return uploaded
  await markAttempted(db, shopId, revisionId, clock.now())
  return platform.createTemplate(oa, { document, trackingId: revisionId, media: uploaded.media })
}

/**
 * The template that an attempt without a response may have created on the platform: one with the same name and params,
 * newer than the revision, that belongs to none of our templates. Undefined if there is none; the platform's outcome if
 * it does not respond.
 */
async function findLeftBehind(
  { db, platform, timings }: Pick<Deps, 'db' | 'platform' | 'timings'>,
  oa: OaCredentials,
  submission: Submission,
): Promise<PlatformOutcome<SubmittedTemplate> | undefined> {
  const namesakes: PlatformTemplateListItem[] = []
  const youngerThan = submission.created_at.getTime() - timings.platformClockSlackMs
  for (let page = 0; page < LIST_PAGES; page += 1) {
    const list = await platform.listTemplates(oa, { offset: page * LIST_PAGE, limit: LIST_PAGE })
    if (list.kind !== 'ok') return list
    namesakes.push(
      ...list.data.templates.filter(
        ({ name, createdAt, deleted }) =>
          name === submission.document.name &&
          !deleted &&
          (createdAt === undefined || createdAt.getTime() >= youngerThan),
      ),
    )
    if (list.data.templates.length < LIST_PAGE) break
  }
  const numbers = namesakes.map((item) => item.platformTemplateId)
  const ours = await listKnownPlatformIds(db, oa.oaId, numbers)
  for (const number of numbers.filter((candidate) => !ours.has(candidate))) {
    const info = await platform.templateInfo(oa, number)
    if (info.kind !== 'ok') return info
    const names = info.data.params.map((param) => param.name).sort()
    if (names.join() !== sentParams(submission.document).join()) continue
    return { ...info, data: { ...info.data, status: info.data.status ?? 'PENDING_REVIEW' } }
  }
  return undefined
}

/**
 * The params that a submission declares to the platform. Fixed ones are left out: their values are written into the
 * texts.
 */
function sentParams(document: TemplateDocument): string[] {
  return document.params
    .filter((param) => !param.isFixed)
    .map((param) => param.key)
    .sort()
}

type Refusal = PlatformRejected | PlatformUnknown | ImageProblem

/** Whether a later attempt may get another response. */
function isOpen(outcome: Refusal): boolean {
  if (outcome.kind === 'no-image') return !outcome.isFinal
  return outcome.kind === 'unknown' || ['transient', 'auth', 'later'].includes(outcome.class)
}

function causeOf(outcome: Refusal): string {
  if (outcome.kind === 'no-image') return `${outcome.address}: ${outcome.why.en}`
  return outcome.kind === 'unknown' ? outcome.cause : `${outcome.code}: ${outcome.message}`
}

function reasonOf(outcome: Refusal, language: 'vi' | 'en'): string {
  const { publishFailed } = textsIn(language)
  if (outcome.kind === 'no-image') {
    return fillText(publishFailed.image, { address: outcome.address, why: outcome.why[language] })
  }
  if (outcome.kind === 'unknown') return fillText(publishFailed.away, { cause: outcome.cause })
  if (outcome.class === 'later') return fillText(publishFailed.limit, { cause: outcome.message })
  const text = describeCode(outcome.code, language)
  return `${outcome.code}: ${text}${outcome.message === text ? '' : ` (${outcome.message})`}`
}
