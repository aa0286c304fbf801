import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import { languageOfRequest } from '../../http/error-map.ts'
import type { Language } from '../../http/language.ts'
import { objectId } from '../../http/object-id.ts'
import { textsIn } from '../../texts/catalogue.ts'
import { type EventRow, findMessage } from './event-sql.ts'
import { presentMessage } from './present.ts'
import { errorText } from './reason-text.ts'
import { maskedParams } from './rules.ts'
import { messageAnswer } from './schema.ts'
import { NOT_SENT } from './settle-message.ts'
import { RELEASED } from './settle-sql.ts'

export function messageTimelineRoutes(app: App, { db }: Deps): void {
  // G-27: one message in any state, with what happened to it.
  app.get(
    '/api/external/notify-message/messages/:id',
    {
      schema: {
        tags: ['Messages'],
        summary: 'Read a message with its timeline',
        description:
          'Shows a message in any state, also while its outcome is open. A message in UNKNOWN keeps its fee held until the platform’s receipt comes or its time is over; then it ends as an ERROR with the code `UNKNOWN_RELEASED` and the fee is given back. Should it arrive after all, it is RECEIVED with `late: true` and charged again.',
        response: { 200: messageAnswer },
      },
    },
    async (request) => {
      const id = objectId((request.params as { id: string }).id, 'id')
      const row = await findMessage(db, request.shop.id, id)
      if (row === undefined) throw new NotFound('message')
      const language = languageOfRequest(request)
      const shown = { ...row, params: maskedParams(row.declared, row.params) }
      return {
        data: presentMessage(shown, errorText(row.error_code, row.error_text, language), (event) =>
          eventText(event, language),
        ),
      }
    },
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
