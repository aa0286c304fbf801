import type { Deps } from '../../deps.ts'
import { isObjectId, normalizeObjectId } from '../../lib/object-id.ts'
import type { ReceiptEvent } from '../../platform/inbound.ts'
import { maskedParams } from './rules.ts'
import { storableText } from './settle-message.ts'
import { findReceiptTarget, type ReceiptTarget, settleAsReceived, updateDelivered } from './sql.ts'

/**
 * Applies the platform's word that a message reached the phone: a message under way or unknown is thereby
 * RECEIVED and captured, for what was delivered was accepted; a received one gets its real delivery time, once
 * (G-25). Receipts may come twice, late, or before the send's own answer.
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
  // An error is final: its money has been given back.
  if (state === 'ERROR') return 'applied'
  const isSettled =
    state !== 'RECEIVED' &&
    (await settleAsReceived(db, shopId, id, {
      entryId: ids.next(),
      maskedParams: maskedParams(target.declared, target.params),
      // The platform always names its message; where it does not, ours stands in.
      sessionId: storableText(receipt.msgId ?? '') || id,
      sentAt: null,
      deliveredAt: receipt.deliveredAt,
      answer: null,
      now,
    }))
  if (!isSettled) await updateDelivered(db, shopId, id, { deliveredAt: receipt.deliveredAt, now })
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
