import type { Deps } from '../../../deps.ts'
import { NotFound, Refused } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { ndjsonFile, sendNdjson } from '../../../http/formats/ndjson.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { createSlots } from '../../../lib/slots.ts'
import type { Scope } from '../../access/keys/rules.ts'
import { idempotentCreate } from '../../idempotency/hook.ts'
import { cursorOfNow } from '../changes/read-changes.ts'
import { missingScope, type RecordType } from '../record-types.ts'
import { exportRecords } from './export-records.ts'
import { presentExport } from './present.ts'
import { BUSY_RETRY_SECONDS, EXPORT_KEPT_MS, MOST_READ_AT_ONCE } from './rules.ts'
import { createExportBody, exportAnswer } from './schema.ts'
import { findExport, insertExport } from './sql.ts'

const tags = ['Copies']

/** G-67: all records of a type, and the cursor from which to follow the feed of changes. */
export function exportRoutes(app: App, deps: Deps): void {
  const { db, database, clock, ids } = deps
  const slots = createSlots({ ofOwner: MOST_READ_AT_ONCE })

  app.post(
    '/api/external/exports',
    {
      schema: {
        tags,
        operationId: 'createExport',
        summary: 'Start an export of all records of a type',
        body: createExportBody,
        response: { 202: exportAnswer },
      },
    },
    async (request, reply) => {
      const { type } = request.body
      const { id: shopId, scopes } = request.shop
      checkScope(type, scopes)
      const row = await idempotentCreate(request, ids, {
        find: (id) => findExport(db, shopId, id),
        create: async (id) => {
          const cursor = await cursorOfNow(deps, shopId)
          return insertExport(db, shopId, { id, type, cursor, now: clock.now() })
        },
      })
      const data = presentExport(row, EXPORT_KEPT_MS)
      return reply.code(202).send({ success: true, message: 'Export ready to be read', data })
    },
  )

  app.get(
    '/api/external/exports/:id/file',
    {
      schema: {
        tags,
        operationId: 'downloadExport',
        summary: 'Download the records of an export as lines of JSON',
        description:
          'One record per line, in the order of ids, as it is at the time of reading; the last line is `{"end":true,"count":n}`. A file without that line is incomplete: read it again. With `Accept-Encoding: gzip` it is compressed. A shop can read two at once.',
        errors: ['EXPORTS_BUSY'],
        response: { 200: ndjsonFile },
      },
    },
    async (request, reply) => {
      const { id: shopId, scopes } = request.shop
      const row = await findExport(db, shopId, pathId(request.params))
      if (row === undefined) throw new NotFound('export')
      if (row.created_at.getTime() < clock.now().getTime() - EXPORT_KEPT_MS) throw new NotFound('export')
      checkScope(row.type, scopes)
      const giveBack = slots.take(shopId)
      if (giveBack === undefined) {
        throw new Refused('EXPORTS_BUSY', { max: MOST_READ_AT_ONCE, retryAfterSeconds: BUSY_RETRY_SECONDS })
      }
      reply.raw.once('close', giveBack)
      // If the caller disconnected while the export was being looked up, `close` is not emitted any more.
      if (reply.raw.destroyed) giveBack()
      return sendNdjson(request, reply, exportRecords(database.slow, shopId, row.type))
    },
  )
}

/** @throws Refused SCOPE_MISSING naming the scope that a key needs for records of the type. */
function checkScope(type: RecordType, held: readonly Scope[]): void {
  const scope = missingScope(type, held)
  if (scope !== undefined) throw new Refused('SCOPE_MISSING', { scope })
}
