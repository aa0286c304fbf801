import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { languageOfRequest } from '../../../http/error-map.ts'
import type { Language } from '../../../http/language.ts'
import { objectId } from '../../../http/validation/object-id.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { textsIn } from '../../../texts/catalogue.ts'
import { existingShop } from '../../shops/existing-shop.ts'
import { NOT_SENT } from '../outcome/endings.ts'
import { RELEASED } from '../outcome/settle-sql.ts'
import { presentMessage } from '../present.ts'
import { maskedParams } from '../rules.ts'
import { messageAnswer, operatorsMessageAnswer } from '../schema.ts'
import { errorText } from './reason-text.ts'
import { type EventRow, findMessage, type MessageRow } from './sql.ts'

export function messageTimelineRoutes(app: App, { db }: Deps): void {
  // G-27: one message in any state, with its timeline.
  app.get(
    '/api/external/notify-message/messages/:id',
    {
      schema: {
        tags: ['Messages'],
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
      return errorText(RELEASED, null, language)
    default:
      return undefined
  }
}
