/**
 * Columns of which a statement returns less than its table allows, as its condition says: by the function that makes it,
 * with the reason.
 */
export const BY_CONDITION: Record<string, Record<string, string>> = {
  'modules/messages/batches/queue-sql.ts claimQueuedMessages': {
    batch_id: 'a queued message is one of a batch',
  },
  'modules/official-accounts/sql.ts claimTokenRenewal': { until: 'the statement has just set it' },
  'modules/templates/review/sql.ts listKnownPlatformIds': {
    platform_template_id: 'the platform’s numbers are asked for',
  },
  'modules/messages/history/sql.ts listHistory': { state: 'the history shows messages with an outcome only' },
}
