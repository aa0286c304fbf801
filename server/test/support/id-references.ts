import { MESSAGE_REFERENCES } from './message-references.ts'
import type { Body, Reference } from './reference.ts'

const posOrder = (orderItems: Body[], more: Body = {}) => ({ orderItems, ...more })
const product = (more: Body) => ({ name: 'Hoa lan', price: 1000, ...more })

const entry = (skuId: string, more: Body = {}) => ({
  type: 'receive',
  items: [{ skuId, quantity: 1 }],
  ...more,
})

/** The ids that queries and bodies accept, by operation and place. */
export const REFERENCES: Record<string, Reference> = {
  ...MESSAGE_REFERENCES,
  ...Object.fromEntries(
    ['history', 'history/export'].map((path) => [
      `GET /api/external/notify-message/${path} query:batchId`,
      { records: ['batch'], status: 200, query: (id: string) => `batchId=${id}` },
    ]),
  ),
  ...Object.fromEntries(
    ['history', 'history/export'].map((path) => [
      `GET /api/external/notify-message/${path} query:templateId`,
      {
        records: ['approvedTemplate', 'platformNumber'],
        status: 200,
        query: (id: string) => `templateId=${id}`,
      },
    ]),
  ),
  // The ids of a list (G-66): another shop's records are left out, like ids that nothing has.
  ...Object.fromEntries(
    (
      [
        ['/v1/products', 'product'],
        ['/v1/products/export', 'product'],
        ['/v1/products/imports', 'import'],
        ['/v1/categories', 'category'],
        ['/v1/warehouses', 'warehouse'],
        ['/v1/inventory/entries', 'entry'],
        ['/v1/inventory/suppliers', 'supplier'],
        ['/v1/inventory/costs', 'sku'],
        ['/official-accounts', 'officialAccount'],
        ['/v1/orders', 'order'],
        ['/v1/orders/export', 'order'],
        ['/v1/orders/sums', 'order'],
        ['/v1/customers', 'customer'],
        ['/v1/customers/export', 'customer'],
        ['/v1/consents', 'consent'],
        ['/v1/shifts', 'shift'],
        ['/news', 'article'],
        ['/notify-template', 'template'],
        ['/notify-message/history', 'message'],
        ['/notify-message/history/export', 'message'],
        ['/notify-message/batches', 'batch'],
      ] as const
    ).map(([path, record]) => [
      `GET /api/external${path} query:ids`,
      { records: [record], status: 200, query: (id: string) => `ids=${id}` },
    ]),
  ),
  // The shop has no record of this kind in these lists.
  'GET /api/external/v1/inventory/movements query:ids': {
    records: ['order'],
    status: 200,
    query: (id) => `ids=${id}`,
    isSilent: true,
  },
  'GET /api/external/wallet/entries query:ids': {
    records: ['order'],
    status: 200,
    query: (id) => `ids=${id}`,
    isSilent: true,
  },
  'GET /api/external/v1/products query:category': {
    records: ['category'],
    status: 200,
    query: (id) => `category=${id}`,
  },
  'GET /api/external/v1/products query:warehouseId': {
    records: ['warehouse'],
    status: 200,
    query: (id) => `warehouseId=${id}`,
  },
  'GET /api/external/v1/products/{id} query:warehouseId': {
    records: ['warehouse'],
    status: 200,
    query: (id) => `warehouseId=${id}`,
  },
  'GET /api/external/v1/products/export query:category': {
    records: ['category'],
    status: 200,
    query: (id) => `category=${id}`,
  },
  'POST /api/external/v1/products body:categoryId': {
    records: ['category'],
    status: 400,
    body: (categoryId) => product({ categoryId }),
  },
  'PATCH /api/external/v1/products/{id} body:categoryId': {
    records: ['category'],
    status: 400,
    body: (categoryId, own) => ({ shopId: own.shop, categoryId }),
  },
  'PATCH /api/external/v1/products/{id} body:shopId': {
    records: ['shop'],
    status: 400,
    body: (shopId) => ({ shopId }),
  },
  'POST /api/external/v1/categories body:parentId': {
    records: ['category'],
    status: 400,
    body: (parentId) => ({ name: 'Lan', parentId }),
  },
  'PATCH /api/external/v1/categories/{id} body:parentId': {
    records: ['category'],
    status: 400,
    body: (parentId) => ({ parentId }),
  },
  'PUT /api/external/v1/products/{id}/variants body:skus[]._id': {
    records: ['sku'],
    status: 400,
    body: (_id) => ({ variants: [], skus: [{ _id, name: 'Hoa lan', price: 1000 }] }),
  },
  'PUT /api/external/v1/products/{id}/wholesale-prices body:wholesalePrices[].skuId': {
    records: ['sku'],
    status: 400,
    body: (skuId) => ({ wholesalePrices: [{ skuId, minQuantity: 2, price: 1000 }] }),
  },
  'PUT /api/external/v1/products/{id}/wholesale-prices body:wholesalePrices[]._id': {
    records: ['wholesalePrice'],
    status: 400,
    body: (_id, own) => ({ wholesalePrices: [{ _id, skuId: own.sku, minQuantity: 2, price: 1000 }] }),
  },
  'PUT /api/external/v1/products/{id}/sub-items-groups body:subItemsGroups[]._id': {
    records: ['subItemsGroup'],
    status: 400,
    body: (_id) => ({ subItemsGroups: [{ _id, name: 'Gói', subItems: [{ name: 'Giấy' }] }] }),
  },
  'PUT /api/external/v1/products/{id}/sub-items-groups body:subItemsGroups[].subItems[]._id': {
    records: ['subItem'],
    status: 400,
    body: (_id) => ({ subItemsGroups: [{ name: 'Gói', subItems: [{ _id, name: 'Giấy' }] }] }),
  },
  ...Object.fromEntries(
    ['orders', 'orders/export', 'orders/sums'].flatMap((path) =>
      (
        [
          ['soldBy', 'customer'],
          ['productId', 'product'],
          ['customerId', 'customer'],
        ] as const
      ).map(([field, record]) => [
        `GET /api/external/v1/${path} query:${field}`,
        { records: [record], status: 200, query: (id: string) => `${field}=${id}` },
      ]),
    ),
  ),
  'POST /api/external/v1/orders/{id}/returns body:lines[].orderItemId': {
    records: ['orderItem'],
    status: 400,
    body: (orderItemId) => ({ lines: [{ orderItemId, quantity: 1 }] }),
  },
  'POST /api/external/v1/orders/{id}/returns body:warehouseId': {
    records: ['warehouse'],
    status: 400,
    body: (warehouseId, own) => ({ lines: [{ orderItemId: own.orderItem, quantity: 1 }], warehouseId }),
  },
  'POST /api/external/order/pos/create body:warehouseId': {
    records: ['warehouse'],
    status: 400,
    body: (warehouseId, own) => posOrder([{ id: own.sku, quantity: 1 }], { warehouseId }),
  },
  'POST /api/external/order/pos/create body:userId': {
    records: ['customer'],
    status: 400,
    body: (userId, own) => posOrder([{ id: own.sku, quantity: 1 }], { userId }),
  },
  'POST /api/external/order/pos/create body:orderItems[].id': {
    records: ['sku', 'product'],
    status: 400,
    body: (id) => posOrder([{ id, quantity: 1 }]),
  },
  'POST /api/external/order/pos/preview body:warehouseId': {
    records: ['warehouse'],
    status: 400,
    body: (warehouseId, own) => posOrder([{ id: own.sku, quantity: 1 }], { warehouseId }),
  },
  'POST /api/external/order/pos/preview body:userId': {
    records: ['customer'],
    status: 400,
    body: (userId, own) => posOrder([{ id: own.sku, quantity: 1 }], { userId }),
  },
  'POST /api/external/order/pos/preview body:orderItems[].id': {
    records: ['sku', 'product'],
    status: 400,
    body: (id) => posOrder([{ id, quantity: 1 }]),
  },
  'POST /api/external/v1/products/import query:warehouseId': {
    records: ['warehouse'],
    status: 400,
    query: (id) => `warehouseId=${id}&dryRun=true`,
    csv: 'name,price\nHoa lan,1000\n',
  },
  'POST /api/external/v1/inventory/entries body:warehouseId': {
    records: ['warehouse'],
    status: 400,
    body: (warehouseId, own) => entry(own.sku, { warehouseId }),
  },
  'POST /api/external/v1/inventory/entries body:toWarehouseId': {
    records: ['warehouse'],
    status: 400,
    body: (toWarehouseId, own) => entry(own.sku, { type: 'transfer', toWarehouseId }),
  },
  'POST /api/external/v1/inventory/entries body:items[].skuId': {
    records: ['sku'],
    status: 400,
    body: (skuId) => entry(skuId),
  },
  'POST /api/external/v1/inventory/entries/preview body:warehouseId': {
    records: ['warehouse'],
    status: 400,
    body: (warehouseId, own) => entry(own.sku, { warehouseId }),
  },
  'POST /api/external/v1/inventory/entries/preview body:toWarehouseId': {
    records: ['warehouse'],
    status: 400,
    body: (toWarehouseId, own) => entry(own.sku, { type: 'transfer', toWarehouseId }),
  },
  'POST /api/external/v1/inventory/entries/preview body:items[].skuId': {
    records: ['sku'],
    status: 400,
    body: (skuId) => entry(skuId),
  },
  'GET /api/external/v1/inventory/movements query:skuId': {
    records: ['sku'],
    status: 200,
    query: (id) => `skuId=${id}`,
  },
  'GET /api/external/v1/inventory/movements query:warehouseId': {
    records: ['warehouse'],
    status: 200,
    query: (id) => `warehouseId=${id}`,
  },
  'GET /api/external/v1/inventory/movements query:orderId': {
    records: ['order'],
    status: 200,
    query: (id) => `orderId=${id}`,
    isSilent: true,
  },
  'POST /api/external/webhooks/{id}/resend body:eventId': {
    records: ['event'],
    status: 404,
    body: (eventId) => ({ eventId }),
  },
  // E15: only the article must exist, so the response never reveals anything about the products.
  'POST /api/external/news/{id}/items body:newsIds': {
    records: ['product'],
    status: 200,
    body: (id) => ({ newsIds: [id] }),
    isSilent: true,
  },
  // The attached products are looked up when the draft is published.
  'POST /api/external/v1/news-drafts body:itemIds': {
    records: ['product'],
    status: 201,
    body: (id) => ({ itemIds: [id] }),
    isSilent: true,
  },
  'PUT /api/external/v1/news-drafts/{id} body:itemIds': {
    records: ['product'],
    status: 200,
    body: (id) => ({ itemIds: [id] }),
    isSilent: true,
  },
  'POST /api/external/v1/audiences/count body:after': {
    records: ['customer'],
    status: 200,
    body: (after) => ({ conditions: [{ kind: 'bought' }], after }),
    isSilent: true,
  },
  'GET /api/external/v1/audiences/{id}/customers query:after': {
    records: ['customer'],
    status: 200,
    query: (id) => `after=${id}`,
    isSilent: true,
  },
  // Nobody can have bought goods that the shop does not have.
  ...Object.fromEntries(
    (
      [
        ['POST /api/external/v1/audiences', 201, { name: 'Khách quen' }],
        ['POST /api/external/v1/audiences/count', 200, {}],
        ['PATCH /api/external/v1/audiences/{id}', 200, {}],
      ] as const
    ).flatMap(([operation, status, more]) =>
      (['productIds', 'categoryIds'] as const).map((field): [string, Reference] => [
        `${operation} body:conditions[].${field}`,
        {
          records: [field === 'productIds' ? 'product' : 'category'],
          status,
          body: (id) => ({ ...more, conditions: [{ kind: 'bought', [field]: [id] }] }),
          isSilent: true,
        },
      ]),
    ),
  ),
  'DELETE /api/external/news/{id}/items body:newsIds': {
    records: ['product'],
    status: 200,
    body: (id) => ({ newsIds: [id] }),
    isSilent: true,
  },
}

/** Ids that callers make themselves, which name no stored record. */
export const CALLERS_OWN = [
  /notify-template.* body:contentBlocks\[\]\.id$/,
  /products.* body:variants\[\]\.(options\[\]\.)?id$/,
  /products.* body:skus\[\]\.variantOptionIds$/,
]
