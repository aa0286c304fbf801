import type { FastifyReply } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { editOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { assertVersion } from '../../concurrent-edits/assert-version.ts'
import { presentSmsText } from './present.ts'
import { checkedSmsText, smsTextSize } from './rules.ts'
import { setSmsTextBody, smsTextAnswer } from './schema.ts'
import { deleteSmsText, findSmsText, lockSmsText, updateSmsVersion, upsertSmsText } from './sql.ts'

const tags = ['Templates']
const PATH = '/api/external/notify-template/:id/sms-text'

/** G-91: the text sent as SMS when a template's message cannot reach its recipient. */
export function smsTextRoutes(app: App, { db, clock }: Deps): void {
  async function answer(reply: FastifyReply, shopId: ObjectId, id: ObjectId) {
    const row = await findSmsText(db, shopId, id)
    if (row === undefined) throw new NotFound('template')
    const { params, version, text, price, created_at, updated_at } = row
    showVersion(reply, version)
    if (text === null || created_at === null || updated_at === null)
      return { data: { __v: version, smsFallback: null } }
    const shown = presentSmsText({ text, price, created_at, updated_at }, smsTextSize(text, params))
    return { data: { __v: version, smsFallback: shown } }
  }

  app.get(
    PATH,
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getTemplateSms',
        summary: 'Read the text that is sent as SMS in place of a message of the template',
        response: { 200: smsTextAnswer },
      },
    },
    async (request, reply) => answer(reply, request.shop.id, pathId(request.params)),
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
        errors: ['RECORD_CHANGED'],
        response: { 200: smsTextAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const id = pathId(request.params)
      const edit = editOf(request)
      await db.transaction().execute(async (trx) => {
        const row = await lockSmsText(trx, shopId, id)
        if (row === undefined) throw new NotFound('template')
        const now = clock.now()
        const changed = request.body.text === null ? null : checkedSmsText(request.body.text, row.params).text
        await assertVersion(trx, shopId, 'sms_texts', { id, version: row.version }, edit)
        await updateSmsVersion(trx, shopId, id, { by: edit.by, now })
        if (changed === null) await deleteSmsText(trx, shopId, id)
        else await upsertSmsText(trx, shopId, id, { text: changed, now })
      })
      return answer(reply, shopId, id)
    },
  )
}
