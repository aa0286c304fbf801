import type { Preview } from './preview-batch.ts'
import type { BatchRow, RefusedRow } from './sql.ts'

/** A batch with its progress at the moment `now` (G-27). It is WAITING while its queued messages are not due. */
export function presentBatch(row: BatchRow, now: Date) {
  const { queued, sending, received, error, unknown, cancelled, otp_expired: otpExpired } = row
  const isWaiting = queued > 0 && row.due_at > now
  const isOver = queued + sending === 0
  return {
    _id: row.id,
    id: row.id,
    name: row.name,
    templateId: row.template_id,
    isTest: row.is_test,
    audienceId: row.audience_id,
    status: isOver ? (row.cancelled_at === null ? 'DONE' : 'CANCELLED') : isWaiting ? 'WAITING' : 'SENDING',
    accepted: row.accepted,
    refusedCount: row.refused_count,
    progress: { queued, sending, received, error, unknown, cancelled },
    otpExpired,
    waiting: isWaiting
      ? { reason: row.waiting_reason ?? ('SCHEDULED' as const), resumesAt: row.due_at.toISOString() }
      : null,
    scheduledAt: row.scheduled_at?.toISOString() ?? null,
    cancelledAt: row.cancelled_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  } as const
}

/** The messages that were not accepted; the broken rules are shown only to callers that ask for them (G-03). */
export function presentRefused(rows: RefusedRow[], hasDetails: boolean) {
  return rows.map(({ index, customerId, message, code, keys, rule, values }) => ({
    index,
    customerId,
    message,
    code,
    keys,
    ...(hasDetails ? { rule, values } : {}),
  }))
}

/** The result that a batch would have (G-27). */
export function presentPreview(preview: Preview, hasDetails: boolean) {
  const { accepted, refused, balance, balanceAfter, quota, nightUntil, expiresAt } = preview
  return {
    accepted: accepted.length,
    refusedCount: refused.length,
    fees: balance - balanceAfter,
    balance,
    balanceAfter,
    recipients: accepted.map(({ index, channel, phone, userUid }) => ({
      index,
      recipient: channel === 'phone' ? phone : userUid,
    })),
    quota: quota && {
      left: quota.left,
      waiting: quota.waiting,
      resumesAt: quota.resumesAt.toISOString(),
    },
    nightUntil: nightUntil?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    refused: presentRefused(refused, hasDetails),
  }
}
