import { describe, expect, it } from 'vitest'
import { type ApiOperation, apiOperations, sampleOf } from '../support/api-operations.ts'
import { type Answer, makeShop, type Partner, service, unusedId } from '../support/service.ts'
import {
  insertShopRecords,
  type RecordName,
  type ShopRecords,
  snapshotShop,
} from '../support/shop-records.ts'

/**
 * Every id that the API takes, wherever it stands, is tried with a record of another shop and with an id that
 * nothing has: the answers must be the same and the other shop untouched. Routes come from the API document. Path
 * ids find their record by NAMED_IN_PATH, and their body by its schema or BODIES; an id in a query or a body needs
 * a line in REFERENCES, or its test fails by name.
 */
const running = await service()

const NAMED_IN_PATH: [path: RegExp, record: RecordName][] = [
  [/^\/api\/external\/notify-template\/\{id\}/, 'template'],
  [/^\/api\/external\/notify-message\/messages\/\{id\}/, 'message'],
  [/^\/api\/external\/notify-message\/batches\/\{id\}/, 'batch'],
  [/^\/api\/external\/v1\/products\/\{id\}/, 'product'],
  [/^\/api\/external\/v1\/products\/imports\/\{id\}/, 'import'],
  [/^\/api\/external\/v1\/categories\/\{id\}/, 'category'],
  [/^\/api\/external\/v1\/warehouses\/\{id\}/, 'warehouse'],
  [/^\/api\/external\/v1\/orders\/\{id\}/, 'order'],
  [/^\/api\/external\/v1\/customers\/\{id\}/, 'customer'],
  [/^\/api\/external\/news\/\{id\}/, 'article'],
  [/^\/api\/external\/webhooks\/\{id\}/, 'webhook'],
]

type Body = Record<string, unknown>

/** Bodies that their schema alone does not make acceptable. */
const BODIES: Record<string, (own: ShopRecords) => Body> = {
  'POST /api/external/webhooks/{id}/recover': () => ({ since: '2026-01-01' }),
  'POST /api/external/webhooks/{id}/resend': (own) => ({ eventId: own.event }),
  'PATCH /api/external/v1/products/{id}': (own) => ({ shopId: own.shop, name: 'Hoa lan' }),
}

type Reference = {
  /** The records that the id may name. */
  records: RecordName[]
  /** The status that such an id is answered with. */
  status: number
  query?: (id: string) => string
  body?: (id: string, own: ShopRecords) => Body
  /** The answer is the same for an own record too. */
  isSilent?: true
}

const posOrder = (orderItems: Body[], more: Body = {}) => ({ orderItems, ...more })
const product = (more: Body) => ({ name: 'Hoa lan', price: 1000, ...more })

const entry = (skuId: string, more: Body = {}) => ({
  type: 'receive',
  items: [{ skuId, quantity: 1 }],
  ...more,
})

const REFERENCES: Record<string, Reference> = {
  'POST /api/external/notify-template/create body:oaId': {
    records: ['officialAccount'],
    status: 200,
    body: (oaId) => newTemplate(oaId),
    isSilent: true,
  },
  'POST /api/external/notify-template/lint body:oaId': {
    records: ['officialAccount'],
    status: 200,
    body: (oaId) => newTemplate(oaId),
  },
  'PATCH /api/external/notify-template/{id} body:oaId': {
    records: ['officialAccount'],
    status: 200,
    body: (oaId) => newTemplate(oaId),
    isSilent: true,
  },
  'GET /api/external/notify-template query:oaId': {
    records: ['officialAccount'],
    status: 200,
    query: (id) => `oaId=${id}`,
  },
  'POST /api/external/notify-message/send body:templateId': {
    records: ['template', 'approvedTemplate', 'platformNumber'],
    status: 404,
    body: (templateId) => ({ templateId, receiverPhone: '0912345678', params: {} }),
  },
  'POST /api/external/chatapp/uid-notify/send-message body:templateId': {
    records: ['template', 'approvedTemplate', 'platformNumber'],
    status: 404,
    body: (templateId) => ({ templateId, userUID: 'u1', templateData: {} }),
  },
  'POST /api/external/notify-message/batches body:templateId': {
    records: ['template', 'approvedTemplate', 'platformNumber'],
    status: 404,
    body: (templateId) => ({ templateId, messages: [{ receiverPhone: '0912345678', params: {} }] }),
  },
  'GET /api/external/notify-message/history query:templateId': {
    records: ['approvedTemplate', 'platformNumber'],
    status: 200,
    query: (id) => `templateId=${id}`,
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
  'GET /api/external/v1/orders query:customerId': {
    records: ['customer'],
    status: 200,
    query: (id) => `customerId=${id}`,
  },
  'GET /api/external/v1/orders/export query:customerId': {
    records: ['customer'],
    status: 200,
    query: (id) => `customerId=${id}`,
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
  // E15: only the article must exist, so the answer never tells of the products.
  'POST /api/external/news/{id}/items body:newsIds': {
    records: ['product'],
    status: 200,
    body: (id) => ({ newsIds: [id] }),
    isSilent: true,
  },
  'DELETE /api/external/news/{id}/items body:newsIds': {
    records: ['product'],
    status: 200,
    body: (id) => ({ newsIds: [id] }),
    isSilent: true,
  },
}

/** Ids of the caller's own making, which name nothing that is stored. */
const CALLERS_OWN = [
  /notify-template.* body:contentBlocks\[\]\.id$/,
  /products.* body:variants\[\]\.(options\[\]\.)?id$/,
  /products.* body:skus\[\]\.variantOptionIds$/,
]

function newTemplate(oaId: string): Body {
  return {
    oaId,
    name: 'Mẫu',
    title: 'Mẫu',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    contentBlocks: [],
    buttons: [],
    params: [],
    isCustomParams: true,
  }
}

/** Texts of the platform's own, which have no form that we know. */
const FREE_TEXTS = [/notify-template.* body:oaId$/]

/** What is no id of 24 hexadecimal characters, nor a number of the platform. */
const MALFORMED = ['abc', 'z'.repeat(24), 'a'.repeat(23), 'a'.repeat(25), `${'a'.repeat(24)} `, '12a', ' ']

type Side = { partner: Partner; ids: ShopRecords }

async function makeSide(): Promise<Side> {
  const partner = await makeShop(running)
  return { partner, ids: await insertShopRecords(running, partner.shopId) }
}

/** The answer with every id and time of its own taken out, so that two of them can be compared. */
function comparable(answer: Answer, id: string): unknown {
  const text = JSON.stringify(answer.body)
    .replaceAll(id, '<the id>')
    .replace(/[0-9a-f]{24}/g, '<an id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<a time>')
    .replace(/"DH\d+"|"dh\d+/g, '<a code>')
  return { status: answer.status, text }
}

type Ask = (side: Side, id: string) => Promise<Answer>

/** Asks with another shop's record and with an unused id, and then with the caller's own as a counter-check. */
async function compare(record: RecordName, status: number, isSilent: boolean, ask: Ask): Promise<void> {
  const other = await makeSide()
  const before = await snapshotShop(running, other.partner.shopId)
  // Two callers alike, so that what the first call changes cannot make the second one differ.
  const [first, second, third] = [await makeSide(), await makeSide(), await makeSide()]
  const none = unusedId()
  const unused = comparable(await ask(first, none), none)
  const foreign = comparable(await ask(second, other.ids[record]), other.ids[record])
  expect(foreign).toEqual(unused)
  expect(foreign).toMatchObject({ status })
  expect(await snapshotShop(running, other.partner.shopId)).toEqual(before)
  const own = comparable(await ask(third, third.ids[record]), third.ids[record])
  if (!isSilent) expect(own).not.toEqual(foreign)
}

function askByPath(operation: ApiOperation): Ask {
  return ({ partner, ids }, id) => {
    const body = BODIES[operation.name]?.(ids) ?? (operation.body && (sampleOf(operation.body) as Body))
    return partner.call(operation.method, operation.path.replace(/\{[^}]+\}/, id), body)
  }
}

function askByReference(operation: ApiOperation, reference: Reference): Ask {
  return ({ partner, ids }, id) => {
    const record = NAMED_IN_PATH.find(([path]) => path.test(operation.path))?.[1]
    const path = operation.path.replace(/\{[^}]+\}/, record === undefined ? '' : ids[record])
    const query = reference.query === undefined ? '' : `?${reference.query(id)}`
    return partner.call(operation.method, `${path}${query}`, reference.body?.(id, ids))
  }
}

describe("another shop's id is answered like an id that nothing has, and changes nothing", () => {
  const operations = apiOperations(running.app)

  it('the API document has the operations that take ids', () => {
    const names = operations.filter(({ ids }) => ids.length > 0).map(({ name }) => name)
    expect(names).toContain('PUT /api/external/news/{id}')
    expect(names).toContain('POST /api/external/news/{id}/items')
  })

  for (const operation of operations) {
    for (const place of operation.ids) {
      const name = `${operation.name} ${place}`
      if (CALLERS_OWN.some((pattern) => pattern.test(name))) continue
      it(name, async () => {
        if (place.startsWith('path:')) {
          const record = NAMED_IN_PATH.find(([path]) => path.test(operation.path))?.[1]
          if (record === undefined) throw new Error(`${name}: add its kind of record to NAMED_IN_PATH`)
          await compare(record, 404, false, askByPath(operation))
          return
        }
        const reference = REFERENCES[name]
        if (reference === undefined) throw new Error(`${name}: add a fixture for it to REFERENCES`)
        for (const record of reference.records) {
          const ask = askByReference(operation, reference)
          await compare(record, reference.status, reference.isSilent ?? false, ask)
        }
      })
    }
  }
})

describe('G-04 a malformed id in a body is 400 with its field, and 500 in `newsIds` alone', () => {
  for (const operation of apiOperations(running.app)) {
    for (const place of operation.ids.filter((each) => each.startsWith('body:'))) {
      const name = `${operation.name} ${place}`
      if ([...CALLERS_OWN, ...FREE_TEXTS].some((pattern) => pattern.test(name))) continue
      it(name, async () => {
        const side = await makeSide()
        const ask = askByReference(operation, REFERENCES[name]!)
        for (const id of MALFORMED) {
          const { status, body } = await ask(side, id)
          if (place === 'body:newsIds') {
            expect([id, status, body.message]).toEqual([id, 500, expect.stringContaining('newsIds')])
            continue
          }
          expect([id, status]).toEqual([id, 400])
          const keys = [place.slice('body:'.length).replaceAll('[]', '.0')]
          if (place === 'body:shopId') expect(body.code).toBe('SHOP_MISMATCH')
          else expect([id, body.validation?.body.keys]).toEqual([id, keys])
        }
      })
    }
  }
})
