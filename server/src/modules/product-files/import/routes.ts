import type { Readable } from 'node:stream'
import { errorCodes, type FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { invalidField, invalidQuery, NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { asksForDetails, languageOfRequest } from '../../../http/error-map.ts'
import { csvFile, sendCsv } from '../../../http/formats/csv.ts'
import { cursorMeta, readPlace } from '../../../http/list-place.ts'
import { optionalObjectId, pathId } from '../../../http/validation/object-id.ts'
import { compileValidator } from '../../../http/validation/validate.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { findWarehouse } from '../../inventory/sql/warehouses.ts'
import { acceptImport } from './accept-import.ts'
import { exportErrors } from './export-errors.ts'
import { presentError, presentImport } from './present.ts'
import { FORMATS, type Format, MAX_UPLOAD_BYTES, SHOWN_ERRORS } from './rules.ts'
import { importAnswer, importQuery, importsAnswer, importsQuery, importWithErrors } from './schema.ts'
import { cancelImport, findImport, listErrorsAfter, listImports } from './sql.ts'
import { StoredUpload, storeUpload, UploadTooLarge } from './store-upload.ts'
import { deleteUnusedUpload } from './upload-sql.ts'

const tags = ['Products']
const TYPES = Object.keys(FORMATS)
const file = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
const PATH = '/api/external/v1/products/imports'

/** G-37: the import of products. */
export async function importRoutes(app: App, deps: Deps): Promise<void> {
  const { db, clock, ids } = deps

  await app.register(async (uploads: App) => {
    setUploadParsers(uploads, deps)

    // Deletes an upload that got no import: the request was repeated or refused.
    uploads.addHook('onResponse', async ({ body, shop }) => {
      if (body instanceof StoredUpload) await deleteUnusedUpload(db, shop.id, body.id)
    })

    uploads.post(
      '/api/external/v1/products/import',
      {
        bodyLimit: MAX_UPLOAD_BYTES,
        config: { bodyTypes: TYPES },
        // The body is not validated here: the file is checked as it arrives.
        validatorCompiler: ({ schema, httpPart }) =>
          httpPart === 'body' ? () => true : compileValidator(schema as object, 'querystring'),
        schema: {
          tags,
          operationId: 'importProducts',
          summary: 'Import products from a file',
          description: `Up to 50 MB of CSV with a header, or of JSON objects, one per line, with the columns of the export as fields. \`openingStock\` and \`unitCost\` are what a SKU has in stock and what a piece of it cost: booked as goods received, if the SKU has neither stock nor movements in the warehouse. Products are found by \`productId\`, then by their codes, then by \`slug\`, or created; the lines of one product must be consecutive and have the same \`productId\`, \`slug\` or, without both, the same \`productKey\`, a text of your own that is not stored. Errors name a line by its \`line\`, if the file has that column. The import runs in the background: read \`imports/{id}\`.`,
          querystring: importQuery,
          body: { content: Object.fromEntries(TYPES.map((type) => [type, { schema: file }])) },
          errors: ['TOO_MANY_IMPORTS'],
          response: { 202: importAnswer },
        },
      },
      async (request, reply) => {
        const { dryRun, mode } = request.query
        const warehouseId = await knownWarehouse(request.shop.id, request.query.warehouseId)
        const upload = request.body as unknown
        if (!(upload instanceof StoredUpload)) throw invalidField(['file'], 'file.empty')
        const shopId = request.shop.id
        const find = (id: string) => findImport(db, shopId, id)
        const row = await idempotentCreate(request, ids, {
          find,
          async create(id) {
            await acceptImport(deps, shopId, {
              id,
              uploadId: upload.id,
              format: upload.format,
              mode,
              isDryRun: dryRun,
              language: languageOfRequest(request),
              createdBy: request.shop.keyId ?? request.memberId ?? null,
              warehouseId,
              now: clock.now(),
            })
            return (await find(id))!
          },
        })
        return reply.code(202).send({ data: presentImport(row) })
      },
    )
  })

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listProductImports',
        summary: 'List the imports, newest first',
        querystring: importsQuery,
        response: { 200: importsAnswer },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const place = readPlace(request.query, request.shop.id, 'productImports.id.desc')
      const { imports, hasMore, last } = await listImports(db, request.shop.id, place.ids, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, imports.length, last) }
      return { data: imports.map(presentImport), meta }
    },
  )

  app.get(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'getProductImport',
        summary: 'Read an import and its progress',
        response: { 200: importWithErrors },
      },
    },
    async (request) => {
      const row = await found(request)
      const errors = await listErrorsAfter(db, request.shop.id, row.id, 0, SHOWN_ERRORS)
      return {
        data: {
          ...presentImport(row),
          errors: errors.map((error) => presentError(error, asksForDetails(request))),
        },
      }
    },
  )

  app.get(
    `${PATH}/:id/errors`,
    {
      schema: {
        tags,
        operationId: 'downloadProductImportErrors',
        summary: 'All errors of an import as CSV',
        response: { 200: csvFile },
      },
    },
    async (request, reply) => {
      const row = await found(request)
      const chunks = exportErrors(deps.database.slow, request.shop.id, row.id)
      return sendCsv(reply, { name: 'import-errors', now: clock.now(), chunks })
    },
  )

  app.post(
    `${PATH}/:id/cancel`,
    {
      schema: {
        tags,
        operationId: 'cancelProductImport',
        summary: 'Cancel an import',
        description:
          'With `each-row`, products written so far stay; otherwise nothing has been written. A finished import does not change.',
        response: { 200: importAnswer },
      },
    },
    async (request) => {
      const { id } = await found(request)
      await cancelImport(db, request.shop.id, id, clock.now())
      return { data: presentImport((await findImport(db, request.shop.id, id))!) }
    },
  )

  /** @throws ValidationError for an id that is no warehouse of the shop. */
  async function knownWarehouse(shopId: ObjectId, named: string | undefined): Promise<ObjectId | null> {
    const id = optionalObjectId(named, 'warehouseId')
    if (id === undefined) return null
    if ((await findWarehouse(db, shopId, id)) === undefined) {
      throw invalidQuery('warehouseId', 'shop.unknown', { kind: 'warehouse' })
    }
    return id
  }

  async function found(request: { params: unknown; shop: { id: string } }) {
    const id = pathId(request.params)
    const row = await findImport(db, request.shop.id, id)
    if (row === undefined) throw new NotFound('import')
    return row
  }
}

/** Stores the bodies of these routes as they arrive. */
function setUploadParsers(app: App, deps: Deps): void {
  app.removeAllContentTypeParsers()
  for (const [type, format] of Object.entries(FORMATS) as [string, Format][]) {
    app.addContentTypeParser(type, async (request: FastifyRequest, body: Readable) => {
      try {
        const language = languageOfRequest(request)
        return await storeUpload(deps, request.shop.id, body, { format, query: request.query, language })
      } catch (error) {
        throw error instanceof UploadTooLarge ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : error
      }
    })
  }
}
