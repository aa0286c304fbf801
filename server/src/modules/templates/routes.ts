import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalidField, NotFound, Refused, type ValidationError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { languageOfRequest } from '../../http/error-map.ts'
import { objectId } from '../../http/validation/object-id.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { duplicateTemplate } from './duplicate-template.ts'
import { modernDocument } from './legacy.ts'
import { lintTemplate } from './lint/lint-template.ts'
import { presentTemplate, presentTimelineEntry } from './present.ts'
import { PREVIEW_POLICY, previewPage } from './preview.ts'
import { readDocument } from './read-document.ts'
import { publishTemplate } from './review/publish-template.ts'
import {
  lintAnswer,
  listQuery,
  previewQuery,
  templateBody,
  templateRecord,
  timelineAnswer,
} from './schema.ts'
import {
  findTemplate,
  findTemplateOfRevision,
  insertTemplate,
  listTemplates,
  markDeleted,
  overwriteTemplate,
} from './sql.ts'
import { listTimeline } from './timeline-sql.ts'

const tags = ['Templates']

/** Notification templates: E1 to E4, publishing and lint (G-15). */
export function templateRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  // E1
  app.post(
    '/api/external/notify-template/create',
    {
      schema: {
        tags,
        operationId: 'createTemplate',
        summary: 'Create a template as DRAFT',
        body: templateBody,
        response: { 200: Type.Object({ template: templateRecord }) },
      },
    },
    async (request) => {
      const document = readDocument(request.body)
      const row = await idempotentCreate(request, ids, {
        find: (id) => findTemplate(db, request.shop.id, id),
        create: (id) =>
          insertTemplate(db, request.shop.id, { id, eventId: ids.next(), document, now: clock.now() }),
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
        operationId: 'updateTemplate',
        summary: 'Overwrite a template in DRAFT or REJECTED',
        description:
          'The whole template, as in create: absent fields are removed. The status stays. In any other status ' +
          'the response is 409 `TEMPLATE_NOT_EDITABLE`: to change an ENABLE template, duplicate it and edit the copy.',
        body: templateBody,
        errors: ['TEMPLATE_NOT_EDITABLE'],
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
        operationId: 'listTemplates',
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
        operationId: 'getTemplate',
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
        operationId: 'publishTemplate',
        summary: 'Submit a DRAFT or REJECTED template for review',
        description:
          'Returns the template in PENDING_REVIEW immediately and submits it to the platform in the background. One ' +
          '400 response lists everything that prevents publishing. In any other status the response is ' +
          '409 `TEMPLATE_NOT_PUBLISHABLE`.',
        errors: ['TEMPLATE_NOT_PUBLISHABLE'],
        response: { 200: Type.Object({ template: templateRecord }) },
      },
    },
    async (request) => {
      const shopId = request.shop.id
      const id = idOf(request.params)
      const row = await idempotentCreate(request, ids, {
        find: (revisionId) => findTemplateOfRevision(db, shopId, id, revisionId),
        create: (revisionId) =>
          publishTemplate(deps, shopId, id, { revisionId, language: languageOfRequest(request) }),
      })
      return { template: presentTemplate(row) }
    },
  )

  // G-15
  app.post(
    '/api/external/notify-template/lint',
    {
      // What is wrong with the body is the answer, not a reason to refuse it.
      validatorCompiler: () => () => true,
      schema: {
        tags,
        operationId: 'lintTemplate',
        summary: 'Check a template without saving it',
        description:
          'Lists everything that create and publish would refuse (`errors`) and the platform’s own ' +
          'tighter limits (`warnings`), each with its field and how to fix it. The response is 200 whatever the ' +
          'object contains, except a text of more than 20,000 characters, which gets 400.',
        body: templateBody,
        response: { 200: lintAnswer },
      },
    },
    async (request) => {
      const body: unknown = request.body
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidBody()
      return { data: await lintTemplate(deps, request.shop.id, body, languageOfRequest(request)) }
    },
  )

  extensionRoutes(app, deps)
}

/** What is done with a template beyond the contract (G-18). */
function extensionRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.get(
    '/api/external/notify-template/:id/timeline',
    {
      schema: {
        tags,
        operationId: 'getTemplateTimeline',
        summary: 'Read a template’s changes of status, oldest first',
        response: { 200: timelineAnswer },
      },
    },
    async (request) => {
      const rows = await listTimeline(db, request.shop.id, idOf(request.params))
      if (rows === undefined) throw new NotFound('template')
      return { data: rows.map(presentTimelineEntry) }
    },
  )

  app.post(
    '/api/external/notify-template/:id/duplicate',
    {
      schema: {
        tags,
        operationId: 'duplicateTemplate',
        summary: 'Create a DRAFT with the content of a template',
        description:
          'Use it to change an ENABLE template. The copy gets the next number in its name, `Name (2)`. A template ' +
          'in the older format gets `contentBlocks` built from its paragraphs and tables.',
        response: { 201: Type.Object({ template: templateRecord }) },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const original = idOf(request.params)
      const row = await idempotentCreate(request, deps.ids, {
        find: (id) => findTemplate(db, shopId, id),
        create: (id) => duplicateTemplate(deps, shopId, original, id),
      })
      return reply.code(201).send({ template: presentTemplate(row) })
    },
  )

  app.delete(
    '/api/external/notify-template/:id',
    {
      schema: {
        tags,
        operationId: 'deleteTemplate',
        summary: 'Delete a DRAFT or REJECTED template',
        description: 'In any other status the response is 409 `TEMPLATE_NOT_DELETABLE`.',
        errors: ['TEMPLATE_NOT_DELETABLE'],
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      },
    },
    async (request) => {
      const id = idOf(request.params)
      if ((await markDeleted(db, request.shop.id, id, clock.now())) !== undefined) return { success: true }
      const existing = await findTemplate(db, request.shop.id, id)
      if (existing === undefined) throw new NotFound('template')
      throw new Refused('TEMPLATE_NOT_DELETABLE', { status: existing.status })
    },
  )

  app.get(
    '/api/external/notify-template/:id/preview',
    {
      schema: {
        tags,
        operationId: 'previewTemplate',
        summary: 'Show the message as on a phone, with sample values',
        querystring: previewQuery,
        response: {
          200: {
            description: 'An HTML page without scripts',
            content: { 'text/html': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const row = await findTemplate(db, request.shop.id, idOf(request.params))
      if (row === undefined) throw new NotFound('template')
      const options = { theme: request.query.theme, language: languageOfRequest(request) }
      return reply
        .header('content-security-policy', PREVIEW_POLICY)
        .type('text/html; charset=utf-8')
        .send(previewPage(modernDocument(row), options))
    },
  )
}

function invalidBody(): ValidationError {
  return invalidField([], 'object.base', { type: 'object' })
}

function idOf(params: unknown): string {
  return objectId((params as { id: string }).id, 'id')
}
