import type { Deps } from '../../../deps.ts'
import { receivedEnding } from '../outcome/endings.ts'
import { settleLate } from '../outcome/settle-sql.ts'
import { maskedParams } from '../rules.ts'
import type { FallbackOutcome } from './rules.ts'
import { endFallback, type FallbackRow } from './sql.ts'

/** How an SMS ends, by the provider's response or because none came in time. */
export type Ended = {
  outcome: FallbackOutcome
  /** The claim whose work ends it. A provider's report ends it whoever has claimed it. */
  tries?: number
  sessionId?: string
  deliveredAt?: Date
  /** The provider's error number. */
  code?: string
  cause: string
}

/**
 * Ends an SMS and the message that it stands in for, in one transaction (G-92). If the message itself reached the phone in the
 * meantime and the SMS did not, the message is charged as one that arrived late (decision 0006): never both.
 * @returns false if the SMS had ended already, or if another process has claimed it since the claim `tries`.
 */
export async function endSms(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  sms: FallbackRow,
  { outcome, tries, sessionId = '', deliveredAt, code, cause }: Ended,
): Promise<boolean> {
  const { shop_id: shopId, message_id: messageId } = sms
  const now = clock.now()
  const arrivedAt = deliveredAt ?? now
  const event =
    outcome === 'DELIVERED'
      ? ({ kind: 'sms_delivered', detail: { delivered_at: arrivedAt.toISOString() } } as const)
      : ({ kind: 'sms_failed', detail: { cause, ...(code === undefined ? {} : { code }) } } as const)
  return db.transaction().execute(async (trx) => {
    const ended = await endFallback(
      trx,
      shopId,
      {
        messageId,
        outcome,
        tries,
        entryId: ids.next(),
        sessionId,
        deliveredAt: outcome === 'DELIVERED' ? arrivedAt : null,
        maskedParams: maskedParams(sms.declared, sms.params),
        event,
      },
      now,
    )
    if (ended === undefined) return false
    if (ended.overtakenAt !== null && outcome !== 'DELIVERED') {
      const message = { id: messageId, params: sms.params, template: { params: sms.declared } }
      const late = receivedEnding(ids.next(), message, {
        sessionId: messageId,
        sentAt: null,
        deliveredAt: ended.overtakenAt,
        answer: null,
        event: { kind: 'late', detail: {} },
      })
      await settleLate(trx, shopId, late, now)
    }
    return true
  })
}
