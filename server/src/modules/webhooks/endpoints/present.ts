import { withoutSecrets } from './rules.ts'
import type { AttemptRow, EndpointRow } from './sql.ts'

/**
 * An endpoint without its secret, which is shown only when it is created. The address can contain other secrets in its
 * query and its user part; `isWhole` shows them to those who may change endpoints.
 */
export function presentEndpoint(row: EndpointRow, isWhole: boolean) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    url: isWhole ? row.url : withoutSecrets(row.url),
    events: row.events,
    enabled: row.disabled_at === null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    replayingSince: row.replay_since?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentAttempt(row: AttemptRow) {
  return {
    eventId: row.event_id,
    type: row.type,
    number: row.number,
    status: row.status,
    durationMs: row.duration_ms,
    answer: row.answer,
    error: row.error,
    createdAt: row.created_at.toISOString(),
  }
}
