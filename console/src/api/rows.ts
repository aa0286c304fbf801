import type { paths } from '@shopbell/client'

/** The body of a GET's 200 response. */
type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never
type External<Path extends keyof paths> = Answer<Path> extends { data: infer Data } ? Data : never

// The types of the records that screens show, from the API document.
export type Article = External<'/api/external/news/{id}'>
export type Audience = External<'/api/external/v1/audiences'>[number]
export type AudienceMember = External<'/api/external/v1/audiences/{id}/customers'>['customers'][number]
export type AuditEntry = External<'/api/manage/v1/audit'>[number]
export type Consent = External<'/api/external/v1/consents'>[number]
export type Customer = External<'/api/external/v1/customers'>['customers'][number]
export type GoodsWithoutCost = External<'/api/external/v1/reports/profit/without-cost'>['goods'][number]
export type Invitation = External<'/api/manage/v1/shops/{id}/members'>['invitations'][number]
export type Key = External<'/api/manage/v1/shops/{id}/keys'>[number]
export type ListedOrder = External<'/api/external/v1/orders'>['orders'][number]
export type ListedShop = External<'/api/manage/v1/shops'>[number]
export type ListedProduct = External<'/api/external/v1/products'>['products'][number]
export type Member = External<'/api/manage/v1/shops/{id}/members'>['members'][number]
export type Movement = External<'/api/external/v1/inventory/movements'>['movements'][number]
export type OfficialAccount = External<'/api/external/official-accounts'>[number]
export type OperatedAccount = External<'/api/manage/v1/shops/{id}/official-accounts'>[number]
export type SmsSender = NonNullable<External<'/api/manage/v1/shops/{id}/sms'>>
export type SmsText = NonNullable<External<'/api/external/notify-template/{id}/sms-text'>['smsFallback']>
export type Overview = External<'/api/external/overview'>
export type Person = External<'/api/manage/v1/operators'>[number]
export type ProfitReport = External<'/api/external/v1/reports/profit'>
export type SavedViews = External<'/api/console/v1/saved-views'>[number]
export type Shift = External<'/api/external/v1/shifts'>[number]
export type StockEntrySummary = External<'/api/external/v1/inventory/entries'>['entries'][number]
export type Shop = External<'/api/manage/v1/shops/{id}'>['shop']
export type TemplateReport = External<'/api/external/notify-template/report'>
export type WalletEntry = Answer<'/api/external/wallet/entries'>['entries'][number]
export type Warehouse = External<'/api/external/v1/warehouses'>['warehouses'][number]
export type Webhook = External<'/api/external/webhooks'>[number]
export type WebhookAttempt = External<'/api/external/webhooks/{id}/attempts'>[number]
