/**
 * The statements that read or write across shops, by the function that makes them. `roots` are the aliases of their
 * references to shops' tables that need not be bound to a shop, or the rows of a parameter that name the shop of each.
 * Every other reference in them must be joined to one of these by `shop_id`.
 */
export const ACROSS_SHOPS: Record<string, { roots: string[]; why: string }> = {
  'modules/access/keys/sql.ts findKeyByHash': { roots: ['k'], why: 'a key is what tells the shop' },
  'demo/demo.ts isKey': { roots: ['api_keys'], why: 'asks whether the demo shop’s key is there' },
  'modules/access/members/invitations-sql.ts findInvitation': {
    roots: ['i'],
    why: 'an invitation’s link is what tells the shop',
  },
  'modules/access/members/sql.ts listShopsOfUser': { roots: ['m'], why: 'a person may be in several shops' },
  'modules/access/visits/sql.ts listVisits': {
    roots: ['e'],
    why: 'an operator may visit several shops',
  },
  'modules/shops/sql.ts listShops': {
    roots: ['w', 'wallet', 'd', 'o', 'm', 'a', 'e'],
    why: 'the operator’s list of all shops',
  },
  'modules/audit/sql.ts deleteAuditEntries': {
    roots: ['e', 'audit_entries'],
    why: 'the retention of all shops',
  },
  'modules/audit/sql.ts listAudit': {
    roots: ['audit_entries', 'k'],
    why: 'the operator’s list of all shops; each key is looked up in the shop of its entry',
  },
  'modules/copies/changes/sql.ts deleteOldChanges': {
    roots: ['c', 'changes'],
    why: 'the retention of all shops',
  },
  'modules/access/members/sql.ts listUsersOfShopAlone': {
    roots: ['others'],
    why: 'a deleted shop takes along only people who are in no other one',
  },
  'modules/shops/deletion/sql.ts deletePlatformEvents': {
    roots: ['others'],
    why: 'events of an account stay while another shop has it',
  },
  ...Object.fromEntries(
    ['listSealed', 'resealRow'].map((name) => [
      `db/reseal.ts ${name}`,
      {
        roots: ['official_accounts', 'webhook_endpoints'],
        why: 'secrets of all shops are sealed with another key',
      },
    ]),
  ),
  'modules/copies/exports/sql.ts deleteOldExports': {
    roots: ['e', 'record_exports'],
    why: 'the retention of all shops',
  },
  'db/snapshot.ts findTotals': {
    roots: ['product_counts', 'wallets'],
    why: 'what a backup of all shops must hold',
  },
  'modules/operations/metrics-sql.ts findMessageWork': {
    roots: ['message_batches', 'messages', 'message_fallbacks'],
    why: 'the metrics of all shops',
  },
  'modules/operations/metrics-sql.ts findMoneyHeld': { roots: ['wallets'], why: 'the metrics of all shops' },
  'modules/operations/checks-sql.ts findOldestWaits': {
    roots: ['message_batches', 'messages', 'message_fallbacks'],
    why: 'the operator’s check of all shops’ queues',
  },
  ...Object.fromEntries(
    ['listFailedJobs', 'lockJob'].map((name) => [
      `modules/operations/jobs-sql.ts ${name}`,
      {
        roots: ['i', 'r'],
        why: 'the operator sees the jobs of all shops; each is looked at in its own shop',
      },
    ]),
  ),
  'modules/official-accounts/state-sql.ts listCircuitRetries': {
    roots: ['official_accounts'],
    why: 'a circuit is of an account of the platform, which several shops may have',
  },
  'modules/official-accounts/state-sql.ts listAccountsByOaId': {
    roots: ['account'],
    why: 'the operator sees the failing official accounts of all shops',
  },
  ...Object.fromEntries(
    ['findRowsWith', 'lockRow', 'updateTexts'].map((name) => [
      `modules/people/places-sql.ts ${name}`,
      { roots: ['t'], why: 'the operator erases a person from all shops; a row is named by its whole key' },
    ]),
  ),
  'modules/people/places-sql.ts deleteEmptyCounts': {
    roots: ['c'],
    why: 'the operator erases a person from all shops; counts of no orders belong to nobody',
  },
  'modules/people/sql.ts listShopsOfPhone': {
    roots: ['c', 'm'],
    why: 'the operator erases a person from all shops',
  },
  'modules/platform-inbox/sql.ts listSigningRows': {
    roots: ['oa'],
    why: 'an event names an official account, which several shops may have linked',
  },
  'modules/messages/receipts/sql.ts listReceiptTargets': {
    roots: ['oa'],
    why: 'receipts name official accounts',
  },
  'modules/templates/review/sql.ts listByPlatformId': {
    roots: ['oa'],
    why: 'an event names an official account',
  },
  'modules/templates/review/sql.ts listKnownPlatformIds': {
    roots: ['oa'],
    why: 'the polling asks the platform by official account',
  },
  'modules/templates/review/sql.ts claimDue': { roots: ['t'], why: 'the polling of all shops' },
  'modules/messages/outcome/unknown-sql.ts releaseExpiredLeases': {
    roots: ['messages'],
    why: 'the recovery of all shops',
  },
  'modules/messages/outcome/unknown-sql.ts claimDueMessages': {
    roots: ['messages'],
    why: 'the recovery of all shops',
  },
  'modules/messages/outcome/undelivered-sql.ts claimOverdueMessages': {
    roots: ['messages'],
    why: 'the recovery of all shops',
  },
  'modules/messages/fallback/sql.ts claimDueFallbacks': {
    roots: ['message_fallbacks'],
    why: 'the SMS of all shops',
  },
  'modules/news/drafts/sql.ts listDueDrafts': {
    roots: ['news_drafts'],
    why: 'the publishing of all shops’ drafts',
  },
  'modules/messages/batches/queue-sql.ts claimQueuedMessages': {
    roots: ['share'],
    why: 'the dispatcher takes some messages of several shops at once, of batches it names with their shops',
  },
  'modules/messages/batches/sql.ts listDueBatches': {
    roots: ['message_batches'],
    why: 'the dispatcher, fair to all shops',
  },
  'modules/messages/batches/sql.ts restBatches': { roots: ['named'], why: 'batches named with their shops' },
  'modules/messages/batches/sql.ts pauseBatches': { roots: ['named'], why: 'batches named with their shops' },
  'modules/webhooks/delivery/take-sql.ts lockWaitingEndpoints': {
    roots: ['d'],
    why: 'the delivery, fair to the endpoints of all shops',
  },
  'modules/webhooks/delivery/take-sql.ts takeDeliveries': {
    roots: ['e'],
    why: 'endpoints named with their shops',
  },
  'modules/webhooks/delivery/take-sql.ts releaseExpiredLeases': {
    roots: ['webhook_deliveries'],
    why: 'what processes that died left behind, of all shops',
  },
  'modules/webhooks/delivery/sql.ts insertAttempts': {
    roots: ['d'],
    why: 'attempts of several shops, named with their shops',
  },
  'modules/webhooks/delivery/sql.ts countDeliveries': {
    roots: ['d'],
    why: 'the operator’s view of what waits, is in progress and was given up',
  },
  'modules/webhooks/delivery/sql.ts countWaiting': {
    roots: ['webhook_deliveries'],
    why: 'how much waits, for the metrics',
  },
  'modules/webhooks/replay/sql.ts listReplaying': {
    roots: ['e'],
    why: 'the endpoints of all shops that are given earlier events',
  },
  'modules/webhooks/outbox/hand-out-sql.ts handOutEvents': {
    roots: ['o', 'next', 'taken'],
    why: 'the hand-out of events, fair to all shops',
  },
  'modules/webhooks/outbox/hand-out-sql.ts listWaitingShops': {
    roots: ['o'],
    why: 'the hand-out of events, shop by shop',
  },
  'modules/webhooks/outbox/hand-out-sql.ts countOutbox': {
    roots: ['o'],
    why: 'how many events wait, for the metrics',
  },
  'modules/webhooks/endpoints/sql.ts deleteOldEvents': {
    roots: ['shop_events'],
    why: 'the cleaning of all shops',
  },
  'modules/product-files/import/upload-sql.ts deleteOldUploads': {
    roots: ['product_import_chunks', 'c'],
    why: 'the cleaning of all shops',
  },
  'modules/product-files/import/sql.ts deleteOldErrors': {
    roots: ['product_import_errors', 'i'],
    why: 'the cleaning of all shops',
  },
  'modules/product-files/import/sql.ts deleteOldImports': {
    roots: ['product_imports', 'i'],
    why: 'the cleaning of all shops',
  },
  'modules/sms-senders/sql.ts deleteFormerSenders': {
    roots: ['former_sms_senders'],
    why: 'the cleaning of all shops',
  },
  'modules/idempotency/sql.ts deleteExpiredKeys': {
    roots: ['idempotency_keys'],
    why: 'the cleaning of all shops',
  },
  'modules/platform-apps/sql.ts listPlatformApps': {
    roots: ['oa'],
    why: 'accounts of several shops refer to one app of the operator',
  },
  'modules/platform-apps/sql.ts countAccountsOfApp': {
    roots: ['oa'],
    why: 'accounts of several shops refer to one app of the operator',
  },
  'modules/official-accounts/tokens/renewal-sql.ts claimDueRenewals': {
    roots: ['oa'],
    why: 'the renewal of all shops’ tokens',
  },
  'modules/official-accounts/tokens/renewal-sql.ts countDisconnected': {
    roots: ['official_accounts'],
    why: 'how many there are, for the metrics',
  },
  'modules/official-accounts/connect/sql.ts isLinkedElsewhere': {
    roots: ['oa'],
    why: 'an account of the platform is connected with one shop',
  },
  'modules/official-accounts/connect/sql.ts deleteExpiredConnects': {
    roots: ['account_connects'],
    why: 'the cleaning of all shops',
  },
  'db/sealing-key.ts findSealed': {
    roots: ['official_accounts', 'webhook_endpoints'],
    why: 'any one sealed secret shows whether the process has the right key',
  },
  'modules/idempotency/sql.ts releaseAllClaims': {
    roots: ['idempotency_keys'],
    why: 'the start of the one process on an embedded database ends all leases',
  },
}
