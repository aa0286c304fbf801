import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { cursorMeta, readPlace } from '../../../http/list-place.ts'
import { objectId } from '../../../http/validation/object-id.ts'
import { monthOfZone } from '../../../lib/time/dates.ts'
import { existingShop } from '../../shops/existing-shop.ts'
import { chargesAnswer, chargesQuery } from './schema.ts'
import { type ChargeRow, listCharges } from './sql.ts'

/** For the operator, who compares the ledger with the platform's bill. */
export function chargeRoutes(app: App, { db, database }: Deps): void {
  app.get(
    '/api/manage/v1/shops/:id/charges',
    {
      schema: {
        tags: ['Management'],
        operationId: 'listShopCharges',
        summary:
          'List what the messages that a shop sent in a month cost according to its ledger, oldest first',
        querystring: chargesQuery,
        response: { 200: chargesAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const { month, after } = request.query
      const known = after === undefined ? undefined : objectId(after, 'after')
      const place = readPlace(request.query, shopId, `charges.${month}`)
      const filter = { span: monthOfZone(month), ids: place.ids, afterId: known }
      const { charges, hasMore, last } = await listCharges(database.slow, shopId, filter, place)
      const meta = { ...cursorMeta(place, charges.length, last), nextAfter: hasMore ? last!.id : null }
      return { data: charges.map(presentCharge), meta }
    },
  )
}

function presentCharge(row: ChargeRow) {
  return {
    messageId: row.id,
    sessionId: row.session_id,
    oaId: row.oa_id,
    sentAt: row.sending_at.toISOString(),
    status: row.state,
    charged: row.charged,
    smsCharged: row.sms_charged,
    held: row.held,
  }
}
