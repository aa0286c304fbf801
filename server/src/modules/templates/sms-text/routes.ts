import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { presentSmsText } from './present.ts'
import { checkedSmsText, smsTextSize } from './rules.ts'
import { setSmsTextBody, smsTextAnswer } from './schema.ts'
import { deleteSmsText, findSmsText, upsertSmsText } from './sql.ts'

const tags = ['Templates']
const PATH = '/api/external/notify-template/:id/sms-text'

/** G-91: the text sent as SMS when a template's message cannot reach its recipient. */
export function smsTextRoutes(app: App, { db, clock }: Deps): void {
  async function answer(shopId: ObjectId, id: ObjectId) {
    const row = await findSmsText(db, shopId, id)
    if (row === undefined) throw new NotFound('template')
    const { params, text, price, created_at, updated_at } = row
    if (text === null || created_at === null || updated_at === null) return { data: { smsFallback: null } }
    const shown = presentSmsText({ text, price, created_at, updated_at }, smsTextSize(text, params))
    return { data: { smsFallback: shown } }
  }

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'getTemplateSms',
        summary: 'Read the text that is sent as SMS in place of a message of the template',
        response: { 200: smsTextAnswer },
      },
    },
    async (request) => answer(request.shop.id, pathId(request.params)),
  )

  app.put(
    PATH,
    {
      schema: {
        tags,
        operationId: 'setTemplateSms',
        summary: 'Send an SMS where a message of the template cannot reach its recipient',
        description:
          'Possible in any status of the template; applies to messages that are accepted from then on. An SMS is sent if the platform definitely refuses a message by phone because the recipient has no account or blocks the official account; or, with an official account that is charged on delivery, if the platform says after the template’s time that the message was not delivered. An SMS is never sent after an unknown outcome.',
        body: setSmsTextBody,
        response: { 200: smsTextAnswer },
      },
    },
    async (request) => {
      const shopId = request.shop.id
      const id = pathId(request.params)
      await db.transaction().execute(async (trx) => {
        const row = await findSmsText(trx, shopId, id)
        if (row === undefined) throw new NotFound('template')
        if (request.body.text === null) return deleteSmsText(trx, shopId, id)
        const { text } = checkedSmsText(request.body.text, row.params)
        return upsertSmsText(trx, shopId, id, { text, now: clock.now() })
      })
      return answer(shopId, id)
    },
  )
}
