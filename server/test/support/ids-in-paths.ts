import type { Body } from './reference.ts'
import type { RecordName, ShopRecords } from './shop-records.ts'

/** The kind of record that a path of the API names by its id. */
export const NAMED_IN_PATH: [path: RegExp, record: RecordName][] = [
  [/^\/api\/external\/notify-template\/\{id\}/, 'template'],
  [/^\/api\/external\/notify-template\/unfinished\/\{id\}/, 'unfinishedTemplate'],
  [/^\/api\/external\/notify-message\/messages\/\{id\}/, 'message'],
  [/^\/api\/external\/notify-message\/batches\/\{id\}/, 'batch'],
  [/^\/api\/external\/v1\/products\/\{id\}/, 'product'],
  [/^\/api\/external\/v1\/products\/imports\/\{id\}/, 'import'],
  [/^\/api\/external\/v1\/categories\/\{id\}/, 'category'],
  [/^\/api\/external\/v1\/warehouses\/\{id\}/, 'warehouse'],
  [/^\/api\/external\/v1\/inventory\/entries\/\{id\}/, 'entry'],
  [/^\/api\/external\/v1\/orders\/\{id\}/, 'order'],
  [/^\/api\/external\/v1\/shifts\/\{id\}/, 'shift'],
  [/^\/api\/external\/v1\/customers\/\{id\}/, 'customer'],
  [/^\/api\/external\/v1\/audiences\/\{id\}/, 'audience'],
  [/^\/api\/external\/news\/\{id\}/, 'article'],
  [/^\/api\/external\/v1\/news-drafts\/\{id\}/, 'newsDraft'],
  [/^\/api\/external\/exports\/\{id\}/, 'export'],
  [/^\/api\/external\/webhooks\/\{id\}/, 'webhook'],
]

/** Bodies for operations that need more than their schema's minimum. */
export const BODIES: Record<string, (own: ShopRecords) => Body> = {
  'POST /api/external/v1/customers/{id}/payments': () => ({ amount: 1, paymentMethod: 'cash' }),
  'POST /api/external/v1/shifts/{id}/cash': () => ({ amount: 50_000, reason: 'tiền lẻ' }),
  'POST /api/external/v1/shifts/{id}/close': () => ({ countedCash: 0, expectedCash: 0 }),
  'POST /api/external/v1/audiences': () => ({ name: 'Khách nợ', conditions: [{ kind: 'debt', atLeast: 1 }] }),
  'POST /api/external/webhooks/{id}/recover': () => ({ since: '2026-01-01' }),
  'POST /api/external/webhooks/{id}/replay-missing': () => ({
    since: new Date(Date.now() - 1_000).toISOString(),
  }),
  'POST /api/external/webhooks/{id}/resend': (own) => ({ eventId: own.event }),
  'PATCH /api/external/v1/products/{id}': (own) => ({ shopId: own.shop, name: 'Hoa lan' }),
}
