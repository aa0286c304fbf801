import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { smsSize } from '../../../lib/text/sms-parts.ts'
import type { PlatformRejected } from '../../../platform/types.ts'
import { EXEMPT_TAGS } from '../../consents/rules.ts'
import { findOptedOut } from '../../consents/sql.ts'
import { lockWallet } from '../../wallet/sql.ts'
import { storableJson, storableText } from '../outcome/endings.ts'
import { type FallbackCause, filledText } from './rules.ts'
import { findFallbackPlan, insertFallback, takeFromPlatform } from './sql.ts'

/** Rolls back the transaction of an SMS that cannot begin after all. */
class NoFallback extends Error {}

type Taken = Omit<Parameters<typeof takeFromPlatform>[3], 'phone' | 'entryId' | 'now'>
type Given = Pick<Deps, 'db' | 'ids' | 'clock'>

/**
 * Begins an SMS in place of a message that the platform has refused because it cannot reach this person (G-92): the message's fee
 * is released and the fee of the SMS is held, in one transaction. @returns whether it began; if not, the message ends as usual.
 */
export async function fallBackFromRefusal(
  given: Given,
  shopId: ObjectId,
  messageId: ObjectId,
  refusal: PlatformRejected,
): Promise<boolean> {
  if (refusal.unreachable === undefined) return false
  const code = String(refusal.code)
  const text = storableText(refusal.message)
  return begin(given, shopId, messageId, refusal.unreachable, {
    errorCode: code,
    errorText: text,
    answer: storableJson(refusal.raw),
    event: { kind: 'rejected', detail: { code, text } },
  })
}

/**
 * The same for a message that the platform accepted but, when asked after the time for its receipt, says it has not delivered.
 */
export async function fallBackFromSilence(
  given: Given,
  shopId: ObjectId,
  messageId: ObjectId,
  { errorCode, cause }: { errorCode: string; cause: string },
): Promise<boolean> {
  return begin(given, shopId, messageId, 'NOT_DELIVERED', {
    errorCode,
    errorText: cause,
    answer: null,
    event: { kind: 'released', detail: { cause, released_for: errorCode } },
  })
}

async function begin(
  { db, ids, clock }: Given,
  shopId: ObjectId,
  messageId: ObjectId,
  cause: FallbackCause,
  taken: Taken,
): Promise<boolean> {
  const plan = await findFallbackPlan(db, shopId, messageId)
  const text = plan && filledText(plan.text, plan.params, plan.declared)
  if (plan === undefined || text === undefined) return false
  const now = clock.now()
  try {
    return await db.transaction().execute(async (trx) => {
      const { phone } = plan
      const outcome = await takeFromPlatform(trx, shopId, messageId, {
        ...taken,
        phone,
        entryId: ids.next(),
        now,
      })
      if (outcome !== 'taken') return outcome === 'before'
      // An opt-out locks the wallet too, so the later of the two sees what the earlier one wrote (G-77).
      await lockWallet(trx, shopId)
      const to = { channel: 'phone', recipient: phone } as const
      const asked = { templateId: plan.template_id, exemptTags: EXEMPT_TAGS }
      if ((await findOptedOut(trx, shopId, asked, [to])).length > 0) throw new NoFallback()
      const { parts } = smsSize(text)
      const { provider, text: template } = plan
      const sms = { messageId, cause, provider, text: template, parts, fee: parts * plan.price, now }
      if (!(await insertFallback(trx, shopId, { ...sms, entryId: ids.next() }))) throw new NoFallback()
      return true
    })
  } catch (error) {
    if (error instanceof NoFallback) return false
    throw error
  }
}
