import { PRODUCTS } from './products.ts'
import type { ShopRecords } from './shop-records.ts'

export const CATEGORIES = '/api/external/v1/categories'

// biome-ignore lint/suspicious/noExplicitAny: answers of several lists
export type Body = any
export type Record_ = Record<string, unknown>
export type Meta = { nextCursor?: string | null }
export type List = {
  operationId: string
  /** The path of a shop's list. The operator's lists begin with `/api/manage`. */
  path: string | ((records: ShopRecords) => string)
  size: string
  records(body: Body): Record_[]
  meta(body: Body): Meta
  /** The list covers all shops, so no other owner exists. */
  isOfAll?: boolean
  /** Query parameters sent with every call. */
  query?: Record<string, string>
  /** How to continue without cursors in a list without page numbers: the parameter, and the field of `meta` with its value. */
  onward?: [string, string]
  idOf?(record: Record_): string
  /** The sort key may be any text. */
  isByText?: boolean
  hasNoIds?: boolean
}

const inData = (name: string) => ({
  records: (body: Body): Record_[] => body.data[name],
  meta: (body: Body): Meta => body.data.meta,
})
const atTop = (name: string) => ({
  records: (body: Body): Record_[] => body[name],
  meta: (body: Body): Meta => body.meta,
})
export const MANAGE = '/api/manage/v1'
const ofShop = (part: string) => (records: ShopRecords) => `${MANAGE}/shops/${records.shop}/${part}`
/** Every paged list of shops and of the operator, and how to read its pages. */
export const LISTS: List[] = [
  { operationId: 'listProducts', path: PRODUCTS, size: 'limit', ...inData('products') },
  { operationId: 'listOrders', path: '/api/external/v1/orders', size: 'limit', ...inData('orders') },
  { operationId: 'listCustomers', path: '/api/external/v1/customers', size: 'limit', ...inData('customers') },
  { operationId: 'listNews', path: '/api/external/news', size: 'limit', ...inData('news') },
  {
    operationId: 'listTemplates',
    path: '/api/external/notify-template',
    size: 'size',
    ...atTop('templates'),
  },
  {
    operationId: 'listMessages',
    path: '/api/external/notify-message/history',
    size: 'offset',
    ...atTop('histories'),
  },
  {
    operationId: 'listBatches',
    path: '/api/external/notify-message/batches',
    size: 'limit',
    ...atTop('data'),
  },
  {
    operationId: 'listWalletEntries',
    path: '/api/external/wallet/entries',
    size: 'limit',
    ...atTop('entries'),
  },
  { operationId: 'listShifts', path: '/api/external/v1/shifts', size: 'limit', ...atTop('data') },
  { operationId: 'listConsents', path: '/api/external/v1/consents', size: 'limit', ...atTop('data') },
  {
    operationId: 'listWarehouses',
    path: '/api/external/v1/warehouses',
    size: 'limit',
    ...inData('warehouses'),
  },
  { operationId: 'listCategories', path: CATEGORIES, size: 'limit', ...inData('categories') },
  { operationId: 'listProductImports', path: `${PRODUCTS}/imports`, size: 'limit', ...atTop('data') },
  {
    operationId: 'listInventoryEntries',
    path: '/api/external/v1/inventory/entries',
    size: 'limit',
    ...inData('entries'),
  },
  {
    operationId: 'listSuppliers',
    path: '/api/external/v1/inventory/suppliers',
    size: 'limit',
    ...inData('suppliers'),
  },
  {
    operationId: 'listAverageCosts',
    path: '/api/external/v1/inventory/costs',
    size: 'limit',
    isByText: true,
    ...inData('costs'),
  },
  {
    operationId: 'listInventoryMovements',
    path: '/api/external/v1/inventory/movements',
    size: 'limit',
    onward: ['before', 'nextBefore'],
    ...inData('movements'),
  },
  {
    operationId: 'listWebhookAttempts',
    path: ({ webhook }) => `/api/external/webhooks/${webhook}/attempts`,
    size: 'limit',
    idOf: ({ eventId, number }) => `${eventId} ${number}`,
    hasNoIds: true,
    ...atTop('data'),
  },
  {
    operationId: 'listOfficialAccounts',
    path: '/api/external/official-accounts',
    size: 'limit',
    ...atTop('data'),
  },
  {
    operationId: 'listShops',
    path: `${MANAGE}/shops`,
    size: 'limit',
    isOfAll: true,
    query: { search: 'chuoi' },
    ...atTop('data'),
  },
  {
    operationId: 'listClosedShops',
    path: `${MANAGE}/closed-shops`,
    size: 'limit',
    isOfAll: true,
    ...atTop('data'),
  },
  {
    operationId: 'listShopOfficialAccounts',
    path: ofShop('official-accounts'),
    size: 'limit',
    ...atTop('data'),
  },
  { operationId: 'listKeys', path: ofShop('keys'), size: 'limit', ...atTop('data') },
  { operationId: 'listMembers', path: ofShop('members'), size: 'limit', ...inData('members') },
  {
    operationId: 'listOperators',
    path: `${MANAGE}/operators`,
    size: 'limit',
    isOfAll: true,
    isByText: true,
    ...atTop('data'),
  },
  { operationId: 'listShopAuditEntries', path: ofShop('audit'), size: 'limit', ...atTop('data') },
  {
    operationId: 'listAuditEntries',
    path: `${MANAGE}/audit`,
    size: 'limit',
    isOfAll: true,
    ...atTop('data'),
  },
  {
    operationId: 'listShopCharges',
    path: ofShop('charges'),
    size: 'limit',
    query: { month: '2026-05' },
    onward: ['after', 'nextAfter'],
    idOf: ({ messageId }) => String(messageId),
    ...atTop('data'),
  },
]
