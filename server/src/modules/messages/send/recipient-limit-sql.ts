import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { RecipientGuard } from '../rules.ts'

/** Fragments of the statement that accepts a message; without limits they are empty and lock nothing. */
export type GuardFragments = {
  /** Common table expressions, followed by a comma. */
  expressions: RawBuilder<unknown>
  /** A further condition, beginning with `and`. */
  andAllowed: RawBuilder<unknown>
  /** Seconds until the recipient may be sent to; null when now. */
  waitSeconds: RawBuilder<unknown>
}

/**
 * Enforces a recipient's limits in the statement that accepts the message. The shop's wallet is locked first, which
 * serialises the shop's acceptances under a limit; then `recipient_wait` counts, and sees everything that earlier ones
 * have committed. Index messages_history_by_phone or messages_by_uid.
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
