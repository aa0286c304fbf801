import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { NotFound, Refused } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { editOf, editorOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { changedOrGone } from '../../concurrent-edits/assert-version.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { MOST_VALUES_OF_TEMPLATE } from '../schema.ts'
import { presentUnfinished, presentUnfinishedHead } from './present.ts'
import { MAX_UNFINISHED, unfinishedAnswer, unfinishedBody, unfinishedListAnswer } from './schema.ts'
import {
  deleteUnfinished,
  findUnfinished,
  insertUnfinished,
  listUnfinished,
  overwriteUnfinished,
} from './sql.ts'

const tags = ['Console']
const PATH = '/api/external/notify-template/unfinished'

/** G-18: templates that are still being written, kept in any state. */
export function unfinishedTemplateRoutes(app: App, { db, ids, clock }: Deps): void {
  app.post(
    PATH,
    {
      config: { mostValues: MOST_VALUES_OF_TEMPLATE },
      schema: {
        tags,
        operationId: 'createUnfinishedTemplate',
        summary: 'Save a template that is still being written',
        description: `It may be in any state and is not a template yet: it is neither listed with the templates nor checked. A shop can have at most ${MAX_UNFINISHED}.`,
        body: unfinishedBody,
        errors: ['TOO_MANY_UNFINISHED'],
        response: { 201: unfinishedAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const written = { ...request.body, by: editorOf(request), now: clock.now() }
      const row = await idempotentCreate(request, ids, {
        find: (id) => findUnfinished(db, shopId, id),
        create: (id) =>
          db.transaction().execute(async (trx) => {
            const made = await insertUnfinished(trx, shopId, { ...written, id }, MAX_UNFINISHED)
            if (made === undefined) throw new Refused('TOO_MANY_UNFINISHED', { most: MAX_UNFINISHED })
            return made
          }),
      })
      return reply.code(201).send({ data: presentUnfinished(row) })
    },
  )

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listUnfinishedTemplates',
        summary: 'List templates that are still being written, most recently changed first',
        response: { 200: unfinishedListAnswer },
      },
    },
    async (request) => {
      const rows = await listUnfinished(db, request.shop.id, MAX_UNFINISHED)
      return { data: rows.map(presentUnfinishedHead) }
    },
  )

  app.get(
    `${PATH}/:id`,
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getUnfinishedTemplate',
        summary: 'Read a template that is still being written',
        response: { 200: unfinishedAnswer },
      },
    },
    async (request, reply) => {
      const row = await findUnfinished(db, request.shop.id, pathId(request.params))
      if (row === undefined) throw new NotFound('template')
      showVersion(reply, row.version)
      return { data: presentUnfinished(row) }
    },
  )

  app.put(
    `${PATH}/:id`,
    {
      config: { mostValues: MOST_VALUES_OF_TEMPLATE },
      schema: {
        tags,
        operationId: 'updateUnfinishedTemplate',
        summary: 'Overwrite a template that is still being written',
        body: unfinishedBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: unfinishedAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const id = pathId(request.params)
      const edit = editOf(request)
      const written = { ...request.body, by: edit.by, now: clock.now() }
      const row = await overwriteUnfinished(db, shopId, id, written, edit)
      if (row === undefined) throw await changedOrGone(db, shopId, 'unfinished_templates', id, 'template')
      showVersion(reply, row.version)
      return { data: presentUnfinished(row) }
    },
  )

  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'deleteUnfinishedTemplate',
        summary: 'Delete a template that is still being written',
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      },
    },
    async (request) => {
      if (!(await deleteUnfinished(db, request.shop.id, pathId(request.params))))
        throw new NotFound('template')
      return { success: true }
    },
  )
}
