import type { Deps } from '../../../deps.ts'
import { isObjectId, normalizeObjectId } from '../../../lib/object-id.ts'
import type { ReceiptEvent } from '../../../platform/inbound.ts'
import { storableText } from '../outcome/settle-message.ts'
import { settleAsLate } from '../outcome/settle-sql.ts'
import { maskedParams } from '../rules.ts'
import { findReceiptTarget, type ReceiptTarget, settleAsReceived, updateDelivered } from '../sql.ts'

/**
 * Applies the platform's word that a message reached the phone: a message under way or unknown is thereby
 * RECEIVED and captured, for what was delivered was accepted; a received one gets its real delivery time, once
 * (G-25); one whose fee had been given back because nobody knew is RECEIVED late and charged again (decision 0006).
 * Receipts may come twice, late, or before the send's own answer.
 * @returns 'unmatched' when no message is known by it yet: a UID message is known only once its answer came.
 */
export async function applyReceipt(
  deps: Deps,
  oaId: string,
  receipt: ReceiptEvent,
): Promise<'applied' | 'unmatched'> {
  const { db, ids, clock } = deps
  const target = await findTarget(deps, oaId, receipt)
  if (target === undefined) return 'unmatched'
  const now = clock.now()
  const { shop_id: shopId, id, state } = target
  const { deliveredAt } = receipt
  // The platform always names its message; where it does not, ours stands in.
  const sessionId = storableText(receipt.msgId ?? '') || id
  const settlement = { entryId: ids.next(), sessionId, sentAt: null, deliveredAt, now }
  // From the state that was read forward: another settler may have moved the message on meanwhile.
  if (state === 'SENDING' || state === 'UNKNOWN') {
    const isSettled = await settleAsReceived(db, shopId, id, {
      ...settlement,
      maskedParams: maskedParams(target.declared, target.params),
      answer: null,
      event: {
        kind: 'receipt',
        detail: { session_id: sessionId, delivered_at: deliveredAt.toISOString() },
      },
    })
    if (isSettled) return 'applied'
  }
  if (state !== 'ERROR' && (await updateDelivered(db, shopId, id, { deliveredAt, now }))) return 'applied'
  await settleAsLate(db, shopId, id, settlement)
  return 'applied'
}

async function findTarget(
  { db }: Deps,
  oaId: string,
  { trackingId, msgId }: ReceiptEvent,
): Promise<ReceiptTarget | undefined> {
  if (trackingId !== undefined && isObjectId(trackingId)) {
    const target = await findReceiptTarget(db, oaId, { id: normalizeObjectId(trackingId) })
    if (target !== undefined) return target
  }
  return msgId === undefined ? undefined : findReceiptTarget(db, oaId, { sessionId: storableText(msgId) })
}
