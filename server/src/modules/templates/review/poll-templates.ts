import type { Deps } from '../../../deps.ts'
import { refreshTemplate } from './apply-review.ts'
import { claimDue } from './sql.ts'

const ROUND = 50

/**
 * Asks the platform about the templates whose events may have been lost (G-16): those under review first, then approved
 * ones that have not been checked for hours. A submission whose job was lost is queued again. At most 50 templates of
 * each kind per round; stops early when `signal` is aborted.
 */
export async function pollTemplates(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'platform' | 'jobs' | 'timings' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock, jobs, timings, log } = deps
  for (const which of ['under-review', 'approved'] as const) {
    const now = clock.now()
    const everyMs = which === 'approved' ? timings.templateApprovedEveryMs : timings.templateReviewEveryMs
    const due = await claimDue(db, which, {
      checkedBefore: new Date(now.getTime() - everyMs),
      staleBefore: new Date(now.getTime() - timings.submissionLostMs),
      limit: ROUND,
      now,
    })
    for (const template of due) {
      if (signal?.aborted) return
      const outcome = await refreshTemplate(deps, template.shop_id, template.id, { source: 'polling' })
      if (template.revision_id !== null && (outcome === 'awaiting' || outcome === 'not-there')) {
        await jobs.send(db, 'submit-template', {
          shopId: template.shop_id,
          templateId: template.id,
          revisionId: template.revision_id,
          ...(template.not_before === null ? {} : { notBefore: template.not_before.toISOString() }),
        })
      } else if (outcome === 'unanswered') {
        log.warn({ templateId: template.id }, 'the platform did not give the status of a template')
      }
    }
  }
}
