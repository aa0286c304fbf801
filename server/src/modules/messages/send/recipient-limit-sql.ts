import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { RecipientGuard } from '../rules.ts'

/** Fragments of the statement that accepts a message; without limits they say nothing and lock nothing. */
export type GuardFragments = {
  /** Common table expressions, with the comma that follows. */
  expressions: RawBuilder<unknown>
  /** A further condition, with its `and`. */
  andAllowed: RawBuilder<unknown>
  /** Seconds until the recipient may be sent to; null when now. */
  waitSeconds: RawBuilder<unknown>
}

/**
 * Holds a recipient to its limits in the accepting statement. The shop's wallet is locked first, so that the shop's
 * acceptances under a limit follow one another; then `recipient_wait` counts, which sees all that those before have
 * committed. Index messages_history_by_phone or messages_by_uid.
 */
export function guardRecipient(
  shopId: ObjectId,
  message: { channel: 'phone' | 'uid'; phone: string; userUid: string; now: Date },
  { hasOtp, limits }: RecipientGuard,
): GuardFragments {
  if (limits.length === 0) return { expressions: sql``, andAllowed: sql``, waitSeconds: sql`null::integer` }
  const recipient = message.channel === 'phone' ? message.phone : message.userUid
  return {
    expressions: sql`locked_wallet as materialized (
      select shop_id
      from wallets
      where shop_id = ${shopId} and exists (select from template)
      for no key update
    ), recipient as materialized (
      select recipient_wait(shop_id, ${message.channel}, ${recipient}, ${hasOtp}::boolean,
        ${limits.map((limit) => limit.count)}::integer[], ${limits.map((limit) => limit.seconds)}::integer[],
        ${message.now}::timestamptz) as wait_seconds
      from locked_wallet
    ), `,
    andAllowed: sql` and (select wait_seconds from recipient) is null`,
    waitSeconds: sql`(select wait_seconds from recipient)`,
  }
}
