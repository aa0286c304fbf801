/**
 * Columns that a statement restricts by its condition to fewer values than the table allows, by the function that makes
 * the statement, with the reason.
 */
export const BY_CONDITION: Record<string, Record<string, string>> = {
  'modules/messages/batches/queue-sql.ts claimQueuedMessages': {
    batch_id: 'a queued message is one of a batch',
    handed_at: 'the statement has just set it',
  },
  'modules/official-accounts/connect/sql.ts listConnectingApps': { app_secret: 'only apps with a secret' },
  'modules/official-accounts/state-sql.ts listCircuitRetries': {
    circuit_retry_at: 'only accounts for which it was asked',
  },
  'modules/official-accounts/tokens/sql.ts claimTokenRenewal': { until: 'the statement has just set it' },
  'modules/templates/review/sql.ts listKnownPlatformIds': {
    platform_template_id: 'the platform’s numbers are asked for',
  },
  'modules/webhooks/replay/sql.ts startReplay': { replay_since: 'the statement has just set it' },
  'modules/webhooks/replay/sql.ts lockReplay': {
    replay_since: 'only endpoints with a replay',
    replay_id: 'only endpoints with a replay',
  },
  'modules/messages/history/sql.ts listHistory': { state: 'the history shows messages with an outcome only' },
  'modules/messages/history/sql.ts listMessagesAfter': {
    state: 'the history shows messages with an outcome only',
  },
}
