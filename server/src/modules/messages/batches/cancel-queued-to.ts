import type { Db } from '../../../db/client.ts'
import type { Ids, ObjectId } from '../../../lib/object-id.ts'
import { errorEnding } from '../outcome/endings.ts'
import { settleMessages } from '../outcome/settle-sql.ts'
import type { Channel } from '../rules.ts'
import { type CancellableMessage, lockQueuedMessagesTo } from './queue-sql.ts'

/**
 * Ends the queued messages to a recipient as ERROR with `code` and releases their fees, except those of templates with an exempt
 * tag. The other messages of their batches are still sent. @returns how many were ended.
 */
export async function cancelQueuedTo(
  trx: Db,
  shopId: ObjectId,
  to: { channel: Channel; recipient: string; exemptTags: readonly string[] },
  given: { code: string; ids: Ids; now: Date },
): Promise<number> {
  const queued = await lockQueuedMessagesTo(trx, shopId, to)
  const endings = cancelledEndings(queued, given)
  return (await settleMessages(trx, shopId, endings, { from: ['QUEUED'], now: given.now })).size
}

/** The endings of cancelled queued messages; `code` says why they were cancelled. */
export function cancelledEndings(queued: CancellableMessage[], { code, ids }: { code: string; ids: Ids }) {
  return queued.map(({ id, params, declared }) =>
    errorEnding(
      ids.next(),
      { id, params, template: { params: declared } },
      { errorCode: code, errorText: '', answer: null, event: { kind: 'cancelled', detail: {} } },
    ),
  )
}
