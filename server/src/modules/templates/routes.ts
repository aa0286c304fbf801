import { Type } from 'typebox'
import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import { objectId } from '../../http/object-id.ts'
import { presentTemplate } from './present.ts'
import { publishTemplate } from './publish-template.ts'
import { readDocument } from './rules.ts'
import { listQuery, templateBody, templateRecord } from './schema.ts'
import { findTemplate, insertTemplate, listTemplates, overwriteTemplate } from './sql.ts'

const tags = ['Templates']

/** Notification templates: E1 to E4 and publishing (G-15). */
export function templateRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  // E1
  app.post(
    '/api/external/notify-template/create',
    {
      schema: {
        tags,
        summary: 'Create a template as DRAFT',
        body: templateBody,
        response: { 200: Type.Object({ template: templateRecord }) },
      },
    },
    async (request) => {
      const document = readDocument(request.body)
      const row = await insertTemplate(db, request.shop.id, {
        id: ids.next(),
        eventId: ids.next(),
        document,
        now: clock.now(),
      })
      return { template: presentTemplate(row) }
    },
  )

  // E2
  app.patch(
    '/api/external/notify-template/:id',
    {
      schema: {
        tags,
        summary: 'Overwrite a template in DRAFT or REJECTED',
        description:
          'The whole template, as in create: fields left out are removed. The status stays. In any other status ' +
          'the answer is 409 `TEMPLATE_NOT_EDITABLE`: an ENABLE template is changed by creating a new one.',
        body: templateBody,
        response: { 200: Type.Object({ template: templateRecord }) },
      },
    },
    async (request) => {
      const id = idOf(request.params)
      const document = readDocument(request.body)
      const row = await overwriteTemplate(db, request.shop.id, id, document, clock.now())
      if (row !== undefined) return { template: presentTemplate(row) }
      const existing = await findTemplate(db, request.shop.id, id)
      if (existing === undefined) throw new NotFound('template')
      throw new Refused('TEMPLATE_NOT_EDITABLE', { status: existing.status })
    },
  )

  // E3
  app.get(
    '/api/external/notify-template',
    {
      schema: {
        tags,
        summary: 'List templates, newest first',
        querystring: listQuery,
        response: {
          200: Type.Object({
            templates: Type.Array(templateRecord),
            meta: Type.Object({ total: Type.Integer(), page: Type.Integer(), size: Type.Integer() }),
            message: Type.String(),
          }),
        },
      },
    },
    async (request) => {
      const { page, size, ...filter } = request.query
      const { templates, total } = await listTemplates(db, request.shop.id, filter, { page, size })
      return { templates: templates.map(presentTemplate), meta: { total, page, size }, message: 'Success' }
    },
  )

  // E4
  app.get(
    '/api/external/notify-template/:id',
    {
      schema: {
        tags,
        summary: 'Read a template',
        response: { 200: Type.Object({ data: templateRecord }) },
      },
    },
    async (request) => {
      const row = await findTemplate(db, request.shop.id, idOf(request.params))
      if (row === undefined) throw new NotFound('template')
      return { data: presentTemplate(row) }
    },
  )

  // G-15
  app.post(
    '/api/external/notify-template/:id/publish',
    {
      schema: {
        tags,
        summary: 'Submit a DRAFT or REJECTED template for review',
        description:
          'Answers at once with the template in PENDING_REVIEW; it goes to the platform in the background. All ' +
          'that keeps it from being published is listed together in one 400. In any other status the answer is ' +
          '409 `TEMPLATE_NOT_PUBLISHABLE`.',
        response: { 200: Type.Object({ template: templateRecord }) },
      },
    },
    async (request) => {
      const row = await publishTemplate(deps, request.shop.id, idOf(request.params))
      return { template: presentTemplate(row) }
    },
  )
}

function idOf(params: unknown): string {
  return objectId((params as { id: string }).id, 'id')
}
