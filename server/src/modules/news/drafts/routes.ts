import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound, Refused } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { editOf, editorOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { normalizeObjectId } from '../../../lib/object-id.ts'
import { parseIsoInstant } from '../../../lib/time/dates.ts'
import { changedOrGone } from '../../concurrent-edits/assert-version.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { presentNews } from '../present.ts'
import { newsRecord } from '../schema.ts'
import { findNews } from '../sql.ts'
import { presentDraft, presentDraftHead } from './present.ts'
import { articleOf, publishDraft } from './publish-draft.ts'
import { draftAnswer, draftBody, draftListAnswer, MAX_DRAFTS } from './schema.ts'
import { deleteDraft, findDraft, insertDraft, listDrafts, overwriteDraft, type WrittenDraft } from './sql.ts'

const tags = ['Console']
const PATH = '/api/external/v1/news-drafts'

/** G-50: articles that are still being written, or that wait for their time. */
export function newsDraftRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  app.post(
    PATH,
    {
      schema: {
        tags,
        operationId: 'createNewsDraft',
        summary: 'Save a news article that is still being written',
        description: `Without \`publishAt\` it may be in any state. It is not an article yet and is not listed with the news. A shop can have at most ${MAX_DRAFTS}.`,
        body: draftBody,
        errors: [404, 'TOO_MANY_NEWS_DRAFTS'],
        response: { 201: draftAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const draft = { ...writtenDraft(request.body), by: editorOf(request), now: clock.now() }
      const row = await idempotentCreate(request, ids, {
        async find(id) {
          const made = await findDraft(db, shopId, id)
          // It has been published: a second draft with its id could not be.
          if (made === undefined && (await findNews(db, shopId, id)) !== undefined) throw new NotFound('news')
          return made
        },
        create: (id) =>
          db.transaction().execute(async (trx) => {
            const made = await insertDraft(trx, shopId, { ...draft, id }, MAX_DRAFTS)
            if (made === undefined) throw new Refused('TOO_MANY_NEWS_DRAFTS', { most: MAX_DRAFTS })
            return made
          }),
      })
      return reply.code(201).send({ data: presentDraft(row) })
    },
  )

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listNewsDrafts',
        summary: 'List news drafts, most recently changed first',
        response: { 200: draftListAnswer },
      },
    },
    async (request) => {
      const rows = await listDrafts(db, request.shop.id, MAX_DRAFTS)
      return { data: rows.map(presentDraftHead) }
    },
  )

  app.get(
    `${PATH}/:id`,
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getNewsDraft',
        summary: 'Read a news draft',
        response: { 200: draftAnswer },
      },
    },
    async (request, reply) => {
      const row = await findDraft(db, request.shop.id, pathId(request.params))
      if (row === undefined) throw new NotFound('news')
      showVersion(reply, row.version)
      return { data: presentDraft(row) }
    },
  )

  app.put(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'updateNewsDraft',
        summary: 'Overwrite a news draft: fields that are not sent become empty',
        body: draftBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: draftAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const id = pathId(request.params)
      const edit = editOf(request)
      const draft = { ...writtenDraft(request.body), by: edit.by, now: clock.now() }
      const row = await overwriteDraft(db, shopId, id, draft, edit)
      if (row === undefined) throw await changedOrGone(db, shopId, 'news_drafts', id, 'news')
      showVersion(reply, row.version)
      return { data: presentDraft(row) }
    },
  )

  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'deleteNewsDraft',
        summary: 'Delete a news draft',
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      },
    },
    async (request) => {
      if (!(await deleteDraft(db, request.shop.id, pathId(request.params)))) throw new NotFound('news')
      return { success: true }
    },
  )

  app.post(
    `${PATH}/:id/publish`,
    {
      schema: {
        tags,
        operationId: 'publishNewsDraft',
        summary: 'Publish a news draft now: it becomes an article with the same id',
        response: { 200: Type.Object({ success: Type.Boolean(), data: newsRecord }) },
      },
    },
    async (request) => {
      const shopId = request.shop.id
      const id = pathId(request.params)
      const published = await publishDraft(deps, shopId, id, { by: editorOf(request) })
      // An earlier attempt published it, but its response was lost.
      const row = published ?? (request.idempotency?.isTakenOver ? await findNews(db, shopId, id) : undefined)
      if (row === undefined) throw new NotFound('news')
      return { success: true, data: presentNews(row) }
    },
  )

  /**
   * The stored fields of a body. @throws ValidationError when it has a time but is not complete enough to be published.
   */
  function writtenDraft({ publishAt, itemIds = [], ...fields }: Static<typeof draftBody>): WrittenDraft {
    const draft = {
      title: fields.title ?? '',
      content: fields.content ?? '',
      slug: fields.slug ?? '',
      metaDescription: fields.metaDescription ?? '',
      status: fields.status ?? 'active',
      images: fields.images ?? [],
      cta: fields.cta ?? [],
    }
    const due = publishAt == null ? null : dueTime(publishAt)
    if (due !== null) articleOf(draft, deps)
    return { ...draft, itemIds: itemIds.map(normalizeObjectId), publishAt: due }
  }
}

/** @throws ValidationError when the text is not a real time that the database accepts. */
function dueTime(text: string): Date {
  const due = parseIsoInstant(text)
  if (due === undefined) throw invalidField(['publishAt'], 'date.format')
  return due
}
