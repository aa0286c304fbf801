import type { Deps } from '../../../deps.ts'
import { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { holdFees, lockWallet } from '../../wallet/sql.ts'
import { type AskedBatch, decideBatch } from './decide-batch.ts'
import { insertQueuedMessages } from './queue-sql.ts'
import { priorityOf } from './rules.ts'
import { insertBatch } from './sql.ts'

export type BatchRequest = AskedBatch & {
  name: string
  scheduledAt: Date | null
  isTest?: boolean
  /** The audience that the batch goes to, with the customer of each message. */
  audience?: { id: ObjectId; next: ObjectId | null; customerIds: ObjectId[] }
}

/**
 * Accepts a batch (G-27): the messages that {@link decideBatch} accepts are stored in QUEUED with their fees held, all in one
 * transaction; from then on the plan is frozen.
 * @throws as {@link decideBatch}
 */
export async function acceptBatch(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'config'>,
  shopId: ObjectId,
  batchId: ObjectId,
  request: BatchRequest,
  says: (refused: Refused) => string,
): Promise<void> {
  const { ids, clock, config } = deps
  const now = clock.now()
  await deps.db.transaction().execute(async (trx) => {
    const limits = config.recipientLimits
    const decided = await decideBatch(trx, shopId, request, { limits, readWallet: lockWallet, says, now })
    const { template, hasOtp } = decided
    const { audience } = request
    const refused = decided.refused.map((row) =>
      audience === undefined ? row : { ...row, customerId: audience.customerIds[row.index]! },
    )
    const accepted = decided.accepted.map(({ index: _, ...message }) => ({ ...message, id: ids.next() }))
    const isLinked = await insertBatch(trx, shopId, {
      id: batchId,
      name: request.name,
      templateId: template.id,
      oaId: template.oaId,
      channels: [...new Set(accepted.map((message) => message.channel))],
      priority: priorityOf(template.params),
      accepted: accepted.length,
      refused,
      scheduledAt: request.scheduledAt,
      isTest: request.isTest ?? false,
      audience,
      now,
    })
    if (!isLinked) throw new Refused('OA_NOT_LINKED', { oaId: template.oaId })
    const { platformTemplateId, oaId } = template
    const batch = { id: batchId, templateId: template.id, platformTemplateId: platformTemplateId!, oaId }
    await insertQueuedMessages(
      trx,
      shopId,
      { ...batch, hasOtp, defaultTimeoutSeconds: config.unknown.timeoutSeconds, now },
      accepted,
    )
    const holds = accepted.map(({ id, fee }) => ({ entryId: ids.next(), messageId: id, fee }))
    await holdFees(trx, shopId, holds, now)
  })
}
