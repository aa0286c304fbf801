import type { Static } from 'typebox'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { invalidQuery, MalformedId, NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { languageOfRequest } from '../../../http/error-map.ts'
import { csvFile, sendCsv } from '../../../http/formats/csv.ts'
import type { Language } from '../../../http/language.ts'
import { askedIds, cursorMeta, readPlace } from '../../../http/list-place.ts'
import { optionalInstant, optionalStart } from '../../../http/validation/instant.ts'
import { objectId, optionalObjectId } from '../../../http/validation/object-id.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { storedForms } from '../../../lib/text/phone.ts'
import { textsIn } from '../../../texts/catalogue.ts'
import { existingShop } from '../../shops/existing-shop.ts'
import { NOT_SENT } from '../outcome/endings.ts'
import { RELEASED } from '../outcome/settle-sql.ts'
import { presentHistoryRecord, presentMessage } from '../present.ts'
import { maskedParams } from '../rules.ts'
import {
  exportMessagesQuery,
  historyAnswer,
  historyQuery,
  messageAnswer,
  operatorsMessageAnswer,
} from '../schema.ts'
import { type TemplateName, templateName } from '../send/send-message.ts'
import { exportMessages } from './export-messages.ts'
import { errorText } from './reason-text.ts'
import { type EventRow, findMessage, type HistoryFilter, listHistory, type MessageRow } from './sql.ts'

const tags = ['Messages']

/** E7 and the other ways to read messages: one of them, as a file, and what the operator sees. */
export function messageHistoryRoutes(app: App, { db, database, clock }: Deps): void {
  // E7: the ended messages, the most recently sent first unless sorted otherwise.
  app.get(
    '/api/external/notify-message/history',
    {
      schema: {
        tags,
        operationId: 'listMessages',
        summary: 'List completed messages, most recently sent first unless sorted otherwise',
        querystring: historyQuery,
        response: { 200: historyAnswer },
      },
    },
    async (request) => {
      const { page, offset, sortBy, sortType } = request.query
      const filter = filterOf(request.query)
      const list = `messages.${sortBy}.${sortType}`
      const place = readPlace({ ...request.query, limit: offset }, request.shop.id, list)
      const only = { ...filter, ids: place.ids }
      const now = clock.now()
      const { messages, total, last } = await listHistory(db, request.shop.id, only, sortType, place, now)
      const language = languageOfRequest(request)
      return {
        histories: messages.map((row) =>
          presentHistoryRecord(row, errorText(row.error_code, row.error_text, language)),
        ),
        meta: { page, offset, total, ...cursorMeta(place, messages.length, last) },
      }
    },
  )

  // The same messages as a file.
  app.get(
    '/api/external/notify-message/history/export',
    {
      schema: {
        tags,
        operationId: 'exportMessages',
        summary: 'Export the matching completed messages as CSV, most recently sent first',
        description:
          'All messages that the filters find, or those of `ids`. UTF-8 with a byte order mark, one line per message, with what each cost (`charged`, in đồng).',
        querystring: exportMessagesQuery,
        response: { 200: csvFile },
      },
    },
    async (request, reply) => {
      const filter = { ...filterOf(request.query), ids: askedIds(request.query.ids) }
      const written = { labels: request.query.labels, language: languageOfRequest(request) }
      const chunks = exportMessages(database.slow, request.shop.id, filter, written)
      return sendCsv(reply, { name: 'messages', now: clock.now(), chunks })
    },
  )

  // G-27: one message in any state, with its timeline.
  app.get(
    '/api/external/notify-message/messages/:id',
    {
      schema: {
        tags,
        operationId: 'getMessage',
        summary: 'Read a message with its timeline',
        description:
          'Shows a message in any state, including one with an open outcome. The fee of a message in UNKNOWN stays held until the platform’s receipt arrives or the message times out; then it ends as ERROR with the code `UNKNOWN_RELEASED` and the fee is released. If it arrives after that, it becomes RECEIVED with `late: true` and is charged again.',
        response: { 200: messageAnswer },
      },
    },
    async (request) => {
      const row = await existingMessage(db, request.shop.id, (request.params as { id: string }).id, 'id')
      return { data: present(row, languageOfRequest(request)) }
    },
  )
}

/** For the operator, who investigates failures: with the platform's raw response. */
export function operatorsMessageRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/manage/v1/shops/:id/messages/:messageId',
    {
      schema: {
        tags: ['Management'],
        operationId: 'getShopMessage',
        summary: 'Read a message of a shop with its timeline and the platform’s raw response',
        response: { 200: operatorsMessageAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const { messageId } = request.params as { messageId: string }
      const row = await existingMessage(db, shopId, messageId, 'messageId')
      const { platform_answer: platformAnswer, unknown_cause: unknownCause, request_id: requestId } = row
      return {
        data: { ...present(row, languageOfRequest(request)), platformAnswer, unknownCause, requestId },
      }
    },
  )
}

/** @throws MalformedId, NotFound */
async function existingMessage(db: Db, shopId: ObjectId, id: string, name: string): Promise<MessageRow> {
  const row = await findMessage(db, shopId, objectId(id, name))
  if (row === undefined) throw new NotFound('message')
  return row
}

function present(row: MessageRow, language: Language) {
  const shown = { ...row, params: maskedParams(row.declared, row.params) }
  return presentMessage(shown, errorText(row.error_code, row.error_text, language), (event) =>
    eventText(event, language),
  )
}

function eventText({ kind, detail }: EventRow, language: Language): string | undefined {
  switch (kind) {
    case 'rejected':
      return errorText(detail.code ?? null, detail.text ?? null, language)
    case 'not_sent':
      return errorText(NOT_SENT, null, language)
    case 'unknown':
      return textsIn(language).message.UNKNOWN
    case 'released':
      return errorText(detail.released_for ?? RELEASED, null, language)
    default:
      return undefined
  }
}

/** @throws ValidationError, MalformedId */
function filterOf(query: Static<typeof exportMessagesQuery>): HistoryFilter {
  const { phone, templateId, batchId, status, channel, delivered, cancelled, from, to } = query
  return {
    ...(phone === undefined ? {} : { phones: soughtForms(phone) }),
    ...(templateId === undefined ? {} : { template: askedTemplate(templateId) }),
    batchId: optionalObjectId(batchId, 'batchId'),
    ...(status === undefined ? {} : { status }),
    ...(channel === undefined ? {} : { channel }),
    isDelivered: delivered,
    isCancelled: cancelled,
    from: optionalStart(from, 'from'),
    to: optionalInstant(to, 'to'),
  }
}

/** @throws MalformedId (G-04) */
function askedTemplate(text: string): TemplateName {
  const name = templateName(text)
  if (name === undefined) throw new MalformedId('templateId')
  return name
}

/** @throws ValidationError when it is no number in any form. */
function soughtForms(phone: string): string[] {
  const forms = storedForms(phone)
  if (forms.length === 0) throw invalidQuery('phone', 'string.phone')
  return forms
}
