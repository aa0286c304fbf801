import { sqlProblem } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { detailOf, ValidationError } from '../../../errors.ts'
import { compileValidator } from '../../../http/validation/validate.ts'
import { startLoop } from '../../../jobs/loop.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { attachProducts } from '../items-sql.ts'
import { type ArticleFields, newArticle } from '../new-article.ts'
import { createNewsBody } from '../schema.ts'
import { findNews, insertNews, type NewsRow, retryTakenSlug } from '../sql.ts'
import { type DraftRow, type DueDraft, listDueDrafts, noteProblem, postponeDraft, takeDraft } from './sql.ts'

const BATCH = 20
/** SQL states of a value or row that the database's constraints refuse; they would refuse it again. */
const REFUSED_STATES = /^2[23]/

const validate = compileValidator(createNewsBody, 'body')

type Parts = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * The stored fields of the article that a draft becomes. @throws ValidationError naming the field that is not ready.
 */
export function articleOf(fields: ArticleFields, { clock, config }: Pick<Deps, 'clock' | 'config'>) {
  const checked = validate(fields)
  if ('error' in checked) throw checked.error
  return newArticle(fields, { linkHost: config.platformLinkHost, now: clock.now() })
}

/**
 * Publishes a draft in one transaction: the draft is deleted, and an article with the same id and the draft's products
 * is inserted. `caller.by` publishes it. Without a caller the draft must be due, and the person who saved it last
 * counts as the publisher.
 * @returns undefined when the shop has no such draft.
 * @throws ValidationError naming the field that is not ready; the draft stays.
 */
export async function publishDraft(
  deps: Parts,
  shopId: ObjectId,
  id: ObjectId,
  caller?: { by: ObjectId | null },
): Promise<NewsRow | undefined> {
  const now = deps.clock.now()
  return retryTakenSlug(() =>
    deps.db.transaction().execute(async (trx) => {
      const draft = await takeDraft(trx, shopId, id, { onlyDue: caller === undefined })
      if (draft === undefined) return undefined
      const row = await insertNews(trx, shopId, { ...articleOf(fieldsOf(draft), deps), id })
      if (draft.item_ids.length === 0) return row
      const by = caller === undefined ? draft.updated_by : caller.by
      await attachProducts(trx, shopId, id, draft.item_ids, { by, now })
      return findNews(trx, shopId, id)
    }),
  )
}

function fieldsOf(draft: DraftRow): ArticleFields {
  const { title, content, status, slug, meta_description: metaDescription, images, cta } = draft
  return { title, content, status, slug, metaDescription, images, cta }
}

/**
 * Publishes the drafts whose time has come. Any number of processes may do so. A draft that cannot be published keeps
 * the reason and is not tried again until it is saved; one that failed for another reason is retried a little later.
 * @returns how many were due.
 */
export async function publishDueDrafts(
  deps: Parts & Pick<Deps, 'log'>,
  signal?: AbortSignal,
): Promise<number> {
  const due = await listDueDrafts(deps.db, BATCH)
  for (const draft of due) {
    if (signal?.aborted) break
    try {
      await publishDraft(deps, draft.shop_id, draft.id)
    } catch (error) {
      await keepReason(deps, draft, error)
    }
  }
  return due.length
}

/** Stores why the draft cannot be published as it is, or defers it if the reason may go away by itself. */
async function keepReason(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  draft: DueDraft,
  error: unknown,
): Promise<void> {
  const { shop_id: shopId, id: draftId } = draft
  const isRefused = REFUSED_STATES.test(sqlProblem(error)?.state ?? '')
  if (error instanceof ValidationError || isRefused) {
    const problem =
      error instanceof ValidationError
        ? { text: error.message, details: error.problems.map(detailOf) }
        : { text: 'It could not be stored', details: [] }
    await noteProblem(db, draft, problem)
    log.warn({ err: error, shopId, draftId }, 'a draft could not be published at its time')
    return
  }
  log.error({ err: error, shopId, draftId }, 'publishing a draft failed; it is tried again')
  await postponeDraft(db, draft)
}

/** Runs {@link publishDueDrafts} until stopped; a stop waits for the draft in progress. */
export function startPublishing(deps: Deps): () => Promise<void> {
  const everyMs = deps.timings.publishDraftsEveryMs
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'a round of publishing failed; the next one continues')
  return startLoop({ everyMs, failed }, async (stopping) => {
    return (await publishDueDrafts(deps, stopping)) === BATCH ? 0 : everyMs
  })
}
