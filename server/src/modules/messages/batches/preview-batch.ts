import type { Deps } from '../../../deps.ts'
import type { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { findWallet } from '../../wallet/sql.ts'
import { type AskedBatch, type DecidedBatch, decideBatch } from './decide-batch.ts'
import { foretellWaits, type Waits } from './foretell-waits.ts'
import { otpExpiresAt } from './rules.ts'

export type AskedPreview = AskedBatch & {
  /** What earlier batches of the same list will cost, in đồng. */
  feesBefore: number
  /** How many messages they have. */
  messagesBefore: number
  /** When sending is planned to start; null for at once. */
  scheduledAt: Date | null
}

/** `expiresAt`: until when one-time passwords can be handed over; null for a template without any. */
export type Preview = DecidedBatch & Waits & { expiresAt: Date | null }

/**
 * The result that a batch would have if it were accepted now, by the same rules (G-27), and how many of its messages would wait;
 * nothing is locked, stored or held. `feesBefore` and `messagesBefore` are for a list that takes several calls.
 * @throws as {@link decideBatch}
 */
export async function previewBatch(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'platform' | 'secrets' | 'timings'>,
  shopId: ObjectId,
  { feesBefore, messagesBefore, scheduledAt, ...asked }: AskedPreview,
  says: (refused: Refused) => string,
): Promise<Preview> {
  const now = deps.clock.now()
  const decided = await decideBatch(deps.db, shopId, asked, {
    limits: deps.config.recipientLimits,
    async readWallet(executor, id) {
      const wallet = await findWallet(executor, id)
      return wallet && { ...wallet, balance: Math.max(wallet.balance - feesBefore, 0) }
    },
    says,
    now,
  })
  const { oaId } = decided.template
  const startsAt = scheduledAt !== null && scheduledAt > now ? scheduledAt : now
  const messages = decided.accepted.length
  const waits = await foretellWaits(deps, shopId, { oaId, messages, messagesBefore, startsAt, now })
  const expiresAt = decided.hasOtp ? otpExpiresAt(startsAt, deps.timings) : null
  return { ...decided, ...waits, expiresAt }
}
