import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendJsonPieces } from '../../http/formats/json.ts'
import { normalizePhone } from '../../lib/text/phone.ts'
import { operatorOriginOf, originOf } from '../audit/origin.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { erasePerson, erasePersonEverywhere } from './erase-person.ts'
import { exportPerson } from './export-person.ts'
import { erasedAnswer, erasedEverywhereAnswer, exportAnswer, personBody } from './schema.ts'

const tags = ['Management']
const errors = ['PERSON_HAS_OPEN_MESSAGES', 'PERSON_IN_IMPORT'] as const

/**
 * G-78: the data held about one person, by phone number; the caller is known to be the operator or the shop's owner.
 */
export function peopleRoutes(app: App, deps: Deps): void {
  app.post(
    '/api/manage/v1/shops/:id/people/export',
    {
      schema: {
        tags,
        operationId: 'exportPerson',
        summary: 'Export everything that a shop holds about one person',
        body: personBody,
        response: { 200: exportAnswer },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(deps.db, request.params)
      const pieces = exportPerson(deps, shopId, phoneOf(request.body), originOf(request))
      return sendJsonPieces(reply, pieces)
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/people/erase',
    {
      schema: {
        tags,
        operationId: 'erasePerson',
        summary: 'Erase one person from a shop',
        description:
          'Afterwards the number no longer appears anywhere in the shop’s data, in any spelling; the customer’s record, addresses, notes and the values of messages are emptied, consents are deleted, and queued messages are cancelled. Sums, fees and the ledger are kept. This cannot be undone. If it was interrupted, repeat it.',
        body: personBody,
        errors,
        response: { 200: erasedAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(deps.db, request.params)
      return { data: await erasePerson(deps, shopId, phoneOf(request.body), originOf(request)) }
    },
  )

  app.post(
    '/api/manage/v1/people/erase',
    {
      schema: {
        tags,
        operationId: 'erasePersons',
        summary: 'Erase one person from all shops and from data that belongs to none',
        description: 'As for one shop. It reads every table; other requests are served meanwhile.',
        body: personBody,
        errors,
        response: { 200: erasedEverywhereAnswer },
      },
    },
    async (request) => ({
      data: await erasePersonEverywhere(deps, phoneOf(request.body), operatorOriginOf(request)),
    }),
  )
}

function phoneOf({ phone }: { phone: string }): string {
  const normal = normalizePhone(phone)
  if (normal === undefined) throw invalidField(['phone'], 'string.phone')
  return normal
}
