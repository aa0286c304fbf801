import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { isObjectId, normalizeObjectId } from '../../../lib/object-id.ts'
import type { ReceiptEvent } from '../../../platform/chatapp/inbound.ts'
import { markOvertaken } from '../fallback/sql.ts'
import { receivedEnding, storableText } from '../outcome/endings.ts'
import { type Received, settleLate, settleMessages } from '../outcome/settle-sql.ts'
import { listReceiptTargets, type NamedReceipt, type ReceiptTarget, updateDelivered } from './sql.ts'

/** A receipt for an official account; `key` is chosen by the caller. */
export type KeyedReceipt = { key: string; oaId: string; receipt: ReceiptEvent }

/**
 * The result of a receipt: 'erased' if it is applied to a message whose number was erased, so that nothing may store it;
 * 'unmatched' if it matches no message yet, since the platform's id of a UID message is known only from the send's response;
 * 'deferred' if it may change the wallet and the caller excluded that.
 */
export type ReceiptOutcome = 'applied' | 'erased' | 'unmatched' | 'deferred'

/** A receipt and the message that it is about. */
type Matched = { target: ReceiptTarget; receipt: ReceiptEvent }

/**
 * Applies the platform's receipts, which say that messages reached the phone. A message in progress or unknown becomes RECEIVED
 * and captured, since it must have been accepted. A received one gets its time of delivery, once (G-25). One whose fee was
 * released as unknown becomes RECEIVED late and is charged again (decision 0006). Receipts may come twice, late, or before the
 * send's response. One statement finds the messages, and one per shop makes the changes that nearly all of them need. With
 * `onlyDelivered`, a receipt is deferred if its message is not RECEIVED or is charged by the receipt.
 * @returns the result of each, by key.
 */
export async function applyReceipts(
  deps: Pick<Deps, 'ids' | 'clock'>,
  db: Db,
  receipts: KeyedReceipt[],
  { onlyDelivered = false } = {},
): Promise<Map<string, ReceiptOutcome>> {
  const targets = new Map((await listReceiptTargets(db, receipts.map(named))).map((one) => [one.key, one]))
  const outcomes = new Map<string, ReceiptOutcome>()
  const matched: Matched[] = []
  for (const { key, receipt } of receipts) {
    const target = targets.get(key)
    if (target === undefined) outcomes.set(key, 'unmatched')
    else if (onlyDelivered && (target.state !== 'RECEIVED' || target.is_charged_by_receipt))
      outcomes.set(key, 'deferred')
    else {
      outcomes.set(key, target.is_erased ? 'erased' : 'applied')
      // If a message has several receipts, the first one counts.
      if (!matched.some((one) => one.target.id === target.id)) matched.push({ target, receipt })
    }
  }
  // In the order of the shops, so that two processes cannot deadlock.
  const ofShops = Map.groupBy(matched, ({ target }) => target.shop_id)
  for (const shopId of [...ofShops.keys()].toSorted())
    await applyToShop(deps, db, shopId, ofShops.get(shopId)!)
  return outcomes
}

/** Tries the state that was read and then the later ones, since the message may have been changed in the meantime. */
async function applyToShop(
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  db: Db,
  shopId: string,
  matched: Matched[],
): Promise<void> {
  const now = clock.now()
  const isOpen = ({ target: { state } }: Matched) => state === 'SENDING' || state === 'UNKNOWN'
  const endings = matched.filter(isOpen).map((one) => endingBy(ids.next(), one))
  const settled = await settleMessages(db, shopId, endings, { now })
  const received = matched.filter(({ target }) => target.state !== 'ERROR' && !settled.has(target.id))
  const delivered = received.map(({ target, receipt: { deliveredAt } }) => ({
    id: target.id,
    deliveredAt,
    entryId: ids.next(),
    isCharged: target.is_charged_by_receipt,
  }))
  const noted = await updateDelivered(db, shopId, delivered, now)
  for (const one of matched) {
    const { id, state, is_charged_by_receipt: isCharged } = one.target
    if (settled.has(id) || noted.has(id)) continue
    // Only the end of the wait for its receipt can end a RECEIVED message: its fee is released, or an SMS begins.
    if (state === 'RECEIVED' && !isCharged) continue
    const { deliveredAt } = one.receipt
    if (state !== 'ERROR' && (await markOvertaken(db, shopId, id, { deliveredAt, now }))) continue
    await settleLate(db, shopId, endingBy(ids.next(), one), now)
  }
}

function endingBy(entryId: string, { target, receipt }: Matched): Received {
  const { id, params, declared } = target
  const { deliveredAt } = receipt
  // The platform always sends its id of the message; should it be missing, our id is used instead.
  const sessionId = storableText(receipt.msgId ?? '') || id
  return receivedEnding(
    entryId,
    { id, params: params ?? {}, template: { params: declared ?? [] } },
    {
      sessionId,
      sentAt: null,
      deliveredAt,
      answer: null,
      event: { kind: 'receipt', detail: { session_id: sessionId, delivered_at: deliveredAt.toISOString() } },
    },
  )
}

function named({ key, oaId, receipt: { trackingId, msgId } }: KeyedReceipt): NamedReceipt {
  return {
    key,
    oaId,
    messageId: trackingId !== undefined && isObjectId(trackingId) ? normalizeObjectId(trackingId) : null,
    sessionId: msgId === undefined ? null : storableText(msgId),
  }
}
