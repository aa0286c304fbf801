import type { Db } from '../../../db/client.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../../../lib/object-id.ts'
import type { ReceiptEvent } from '../../../platform/inbound.ts'
import { storableText } from '../outcome/settle-message.ts'
import { listReceiptTargets, type NamedReceipt, updateDeliveredGroup } from './sql.ts'

/** A receipt of an official account; `key` is the caller's. */
export type KeyedReceipt = { key: string; oaId: string; receipt: ReceiptEvent }

/**
 * Applies many receipts at once, as far as they are about RECEIVED messages, which nearly all are: one statement finds
 * the messages, and one a shop notes their delivery times.
 * @returns by key what became of each: 'alone' for one that may settle its message, which is for `applyReceipt`;
 * 'unmatched' when no message is known by it yet.
 */
export async function applyReceipts(
  trx: Db,
  receipts: KeyedReceipt[],
  now: Date,
): Promise<Map<string, 'applied' | 'alone' | 'unmatched'>> {
  const targets = await listReceiptTargets(trx, receipts.map(named))
  const targetOf = new Map(targets.map((target) => [target.key, target]))
  const outcomes = new Map<string, 'applied' | 'alone' | 'unmatched'>()
  const ofShops = new Map<ObjectId, Map<ObjectId, string>>()
  for (const { key, receipt } of receipts) {
    const target = targetOf.get(key)
    if (target === undefined) outcomes.set(key, 'unmatched')
    else if (target.state !== 'RECEIVED') outcomes.set(key, 'alone')
    else {
      outcomes.set(key, 'applied')
      const delivered = ofShops.get(target.shop_id) ?? new Map<ObjectId, string>()
      ofShops.set(target.shop_id, delivered)
      if (!delivered.has(target.id)) delivered.set(target.id, receipt.deliveredAt.toISOString())
    }
  }
  // In the order of the shops, so that two processes never wait for each other.
  for (const shopId of [...ofShops.keys()].toSorted()) {
    const delivered = [...ofShops.get(shopId)!].map(([id, deliveredAt]) => ({ id, deliveredAt }))
    await updateDeliveredGroup(trx, shopId, delivered, now)
  }
  return outcomes
}

function named({ key, oaId, receipt: { trackingId, msgId } }: KeyedReceipt): NamedReceipt {
  return {
    key,
    oaId,
    messageId: trackingId !== undefined && isObjectId(trackingId) ? normalizeObjectId(trackingId) : null,
    sessionId: msgId === undefined ? null : storableText(msgId),
  }
}
