import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalidField, NotFound, Refused, type ValidationError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { languageOfRequest } from '../../http/error-map.ts'
import { cursorFields, cursorMeta, isTextKey, readPlace } from '../../http/list-place.ts'
import { editOf, editorOf, showVersion } from '../../http/record-version.ts'
import { objectId } from '../../http/validation/object-id.ts'
import { checkSize } from '../../http/validation/validate.ts'
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
  MOST_VALUES_OF_TEMPLATE,
  previewQuery,
  templateBody,
  templateRecord,
  timelineAnswer,
} from './schema.ts'
import { findTemplate, findTemplateOfRevision, insertTemplate, listTemplates, markDeleted } from './sql.ts'
import { listTimeline } from './timeline-sql.ts'
import { updateTemplate } from './update-template.ts'

const tags = ['Templates']

/** Notification templates: E1 to E4, publishing and lint (G-15). */
export function templateRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  // E1
  app.post(
    '/api/external/notify-template/create',
    {
      config: { mostValues: MOST_VALUES_OF_TEMPLATE },
      schema: {
        tags,
        operationId: 'createTemplate',
        summary: 'Create a template as DRAFT',
        body: templateBody,
        errors: [404],
        response: { 200: Type.Object({ template: templateRecord }) },
      },
    },
    async (request) => {
      const document = readDocument(request.body)
      const row = await idempotentCreate(request, ids, {
        kind: 'template',
        find: (id) => findTemplate(db, request.shop.id, id),
        create: (id) =>
          insertTemplate(db, request.shop.id, {
            id,
            eventId: ids.next(),
            document,
            by: editorOf(request),
            now: clock.now(),
          }),
      })
      return { template: presentTemplate(row) }
    },
  )

  // E2
  app.patch(
    '/api/external/notify-template/:id',
    {
      config: { mostValues: MOST_VALUES_OF_TEMPLATE },
      schema: {
        tags,
        operationId: 'updateTemplate',
        summary: 'Overwrite a template in DRAFT or REJECTED',
        description:
          'The whole template, as in create: absent fields are removed. The status stays. In any other status ' +
          'the response is 409 `TEMPLATE_NOT_EDITABLE`: to change an ENABLE template, duplicate it and edit the copy.',
        body: templateBody,
        errors: ['TEMPLATE_NOT_EDITABLE', 'RECORD_CHANGED'],
        response: { 200: Type.Object({ template: templateRecord }) },
      },
    },
    async (request, reply) => {
      const id = idOf(request.params)
      const document = readDocument(request.body)
      const row = await updateTemplate(deps, request.shop.id, id, document, editOf(request))
      showVersion(reply, row.version)
      return { template: presentTemplate(row) }
    },
  )

  // E3
  app.get(
    '/api/external/notify-template',
    {
      schema: {
        tags,
        operationId: 'listTemplates',
        summary: 'List templates, newest first unless sorted otherwise',
        querystring: listQuery,
        response: {
          200: Type.Object({
            templates: Type.Array(templateRecord),
            meta: Type.Object({
              total: Type.Integer(),
              page: Type.Integer(),
              size: Type.Integer(),
              ...cursorFields,
            }),
            message: Type.String(),
          }),
        },
      },
    },
    async (request) => {
      const { page, size, status, oaId, templateType, search, sortBy, sortType } = request.query
      const place = readPlace(
        { ...request.query, limit: size },
        request.shop.id,
        `templates.${sortBy}.${sortType}`,
        sortBy === 'name' ? isTextKey : undefined,
      )
      const filter = { status, oaId, templateType, search, ids: place.ids }
      const { templates, total, last } = await listTemplates(
        db,
        request.shop.id,
        filter,
        { by: sortBy, direction: sortType },
        place,
      )
      const meta = { total, page, size, ...cursorMeta(place, templates.length, last) }
      return { templates: templates.map(presentTemplate), meta, message: 'Success' }
    },
  )

  // E4
  app.get(
    '/api/external/notify-template/:id',
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getTemplate',
        summary: 'Read a template',
        response: { 200: Type.Object({ data: templateRecord }) },
      },
    },
    async (request, reply) => {
      const row = await findTemplate(db, request.shop.id, idOf(request.params))
      if (row === undefined) throw new NotFound('template')
      showVersion(reply, row.version)
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
          publishTemplate(deps, shopId, id, {
            revisionId,
            by: editorOf(request),
            language: languageOfRequest(request),
          }),
      })
      return { template: presentTemplate(row) }
    },
  )

  // G-15
  app.post(
    '/api/external/notify-template/lint',
    {
      // The response reports what is wrong with the body instead of refusing it.
      validatorCompiler: () => checkSize,
      config: { mostValues: MOST_VALUES_OF_TEMPLATE },
      schema: {
        tags,
        operationId: 'lintTemplate',
        summary: 'Check a template without saving it',
        description:
          'Lists everything that create and publish would refuse (`errors`), and the platform’s own tighter limits and ' +
          'what its reviewers usually refuse (`warnings`), each with its field and how to fix it. The response is 200 whatever the ' +
          'object contains, except a text of more than 20,000 characters, more than 32 levels of nesting or 1,000 fields in one object, which get 400.',
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

/** The operations on a template beyond the contract (G-18). */
function extensionRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.get(
    '/api/external/notify-template/:id/timeline',
    {
      schema: {
        tags,
        operationId: 'getTemplateTimeline',
        summary: 'Read a template’s changes of status and who made them, oldest first',
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
        kind: 'template',
        find: (id) => findTemplate(db, shopId, id),
        create: (id) => duplicateTemplate(deps, shopId, original, { id, by: editorOf(request) }),
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
      throw new Refused('TEMPLATE_NOT_DELETABLE', { status: { templateStatus: existing.status } })
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
