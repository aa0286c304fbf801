import type { Deps } from '../../../deps.ts'
import { NotFound, type Problem, ValidationError } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { brokenLimits, sentenceOfLimit } from '../../../platform/chatapp/templates/template-limits.ts'
import type { TemplateDocument } from '../../../platform/types.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { problemOfFinding } from '../lint/wording.ts'
import { documentOf } from '../present.ts'
import { assertPublishable, reportUnpublishable } from '../rules.ts'
import { insertRevision, lockTemplate, type TemplateRow } from '../sql.ts'

/**
 * Submits a DRAFT or REJECTED template for review: status, revision, timeline and the job that submits it are written
 * in one transaction, so that a submission survives a restart (G-15). Of two concurrent requests, one succeeds.
 * @throws NotFound; TEMPLATE_NOT_PUBLISHABLE in another status; ValidationError with all problems at once, in
 *   `language`.
 */
export async function publishTemplate(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'jobs' | 'config'>,
  shopId: ObjectId,
  templateId: ObjectId,
  { revisionId, by, language }: { revisionId: ObjectId; by: ObjectId | null; language: Language },
): Promise<TemplateRow> {
  const { db, ids, clock, jobs, config } = deps
  return db.transaction().execute(async (trx) => {
    const row = await lockTemplate(trx, shopId, templateId)
    if (row === undefined) throw new NotFound('template')
    assertPublishable(row.status)
    const document = documentOf(row)
    if (document === undefined) {
      const olderForm = problemOfFinding({ path: ['contentBlocks'], rule: 'olderForm' }, language)
      throw new ValidationError('body', [olderForm])
    }
    const problems: Problem[] = []
    reportUnpublishable(document, row.is_oa_linked, (finding) =>
      problems.push(problemOfFinding(finding, language)),
    )
    if (config.platformStrict) problems.push(...strictProblems(document, language))
    if (problems.length > 0) throw new ValidationError('body', problems)
    const moved = await insertRevision(trx, shopId, row, {
      id: revisionId,
      eventId: ids.next(),
      document,
      by,
      now: clock.now(),
    })
    await jobs.send(trx, 'submit-template', { shopId, templateId, revisionId })
    return moved
  })
}

function strictProblems(document: TemplateDocument, language: Language): Problem[] {
  return brokenLimits(document).map((broken) => ({
    path: broken.path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    rule: `platform.${broken.limit}`,
    values: broken.values,
    message: `"${broken.path}": ${sentenceOfLimit(broken, language).replace(/\.$/, '')}`,
  }))
}
