import { keyRecord } from '../../modules/access/keys/schema.ts'
import { invitationRecord, memberRecord, operatorRecord } from '../../modules/access/members/schema.ts'
import { auditEntry } from '../../modules/audit/schema.ts'
import { categoryRecord } from '../../modules/categories/schema.ts'
import { customerRecord } from '../../modules/customers/schema.ts'
import { entryAnswer, movementRecord, warehouseRecord } from '../../modules/inventory/schema.ts'
import { batchAnswer, batchWithRefusals } from '../../modules/messages/batches/schema.ts'
import { historyRecord, messageAnswer, messageEvent } from '../../modules/messages/schema.ts'
import { attachedProduct, newsRecord, newsWithItemsRecord } from '../../modules/news/schema.ts'
import { officialAccountRecord } from '../../modules/official-accounts/schema.ts'
import {
  listedOrder,
  orderDetail,
  orderItemRecord,
  posPreview,
  timelineStep,
} from '../../modules/orders/schema.ts'
import { importAnswer, importWithErrors } from '../../modules/product-files/import/schema.ts'
import * as products from '../../modules/products/record-schema.ts'
import { shopRecord } from '../../modules/shops/schema.ts'
import { templateRecord } from '../../modules/templates/schema.ts'
import { walletEntryRecord, walletRecord } from '../../modules/wallet/schema.ts'
import { attemptsAnswer, endpointAnswer } from '../../modules/webhooks/endpoints/schema.ts'

/** The records that the API document names, wherever a response holds one of this shape. */
const RECORDS = {
  ApiKey: keyRecord,
  AttachedProduct: attachedProduct,
  AuditEntry: auditEntry,
  Batch: batchAnswer.properties.data,
  BatchWithRefusals: batchWithRefusals.properties.data,
  Category: categoryRecord,
  CreatedProduct: products.createdProductRecord,
  Customer: customerRecord,
  InventoryEntry: entryAnswer.properties.data,
  InventoryMovement: movementRecord,
  Invitation: invitationRecord,
  ListedMessage: historyRecord,
  ListedOrder: listedOrder,
  Member: memberRecord,
  Message: messageAnswer.properties.data,
  MessageEvent: messageEvent,
  News: newsRecord,
  NewsWithProducts: newsWithItemsRecord,
  OfficialAccount: officialAccountRecord,
  Operator: operatorRecord,
  Order: orderDetail,
  OrderEvent: timelineStep,
  OrderItem: orderItemRecord,
  OrderPreview: posPreview,
  Product: products.productRecord,
  ProductCategory: products.categoryRecord,
  ProductImport: importAnswer.properties.data,
  ProductImportWithErrors: importWithErrors.properties.data,
  Shop: shopRecord,
  Sku: products.skuRecord,
  SubItemsGroup: products.subItemsGroupRecord,
  Template: templateRecord,
  UpdatedProduct: products.updatedProductRecord,
  VariantGroup: products.itemVariantRecord,
  Wallet: walletRecord,
  WalletEntry: walletEntryRecord,
  Warehouse: warehouseRecord,
  Webhook: endpointAnswer.properties.data,
  WebhookAttempt: attemptsAnswer.properties.data.items,
  WholesalePrice: products.wholesalePriceRecord,
}

export const RECORD_NAMES = Object.keys(RECORDS)

/** By the names of their fields, which are quick to compare: as text a schema is written only where they agree. */
const NAMES = Map.groupBy(Object.entries(RECORDS), ([, record]) => fieldsOf(record))
/** Where the framework makes its own copy of a schema, the mark stays with it. */
const MARK = 'x-name'

/** A schema of a response whose records carry their names as marks, for {@link takeNamed} to find. */
export function markNamed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(markNamed)
  if (typeof schema !== 'object' || schema === null) return schema
  const name = nameOf(schema)
  const copy = mapValues(schema, markNamed)
  return name === undefined ? copy : { ...copy, [MARK]: name }
}

function nameOf(schema: object): string | undefined {
  const alike = NAMES.get(fieldsOf(schema))
  if (alike === undefined) return undefined
  const text = JSON.stringify(schema)
  return alike.find(([, record]) => JSON.stringify(record) === text)?.[0]
}

function fieldsOf(schema: { properties?: object }): string {
  return Object.keys(schema.properties ?? {}).join()
}

/** The part of a document with a reference in the place of each marked record, which `schemas` takes up. */
export function takeNamed(part: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(part)) return part.map((each) => takeNamed(each, schemas))
  if (typeof part !== 'object' || part === null) return part
  const { [MARK]: name, ...rest } = mapValues(part, (value) => takeNamed(value, schemas))
  if (typeof name !== 'string') return rest
  schemas[name] = rest
  return { $ref: `#/components/schemas/${name}` }
}

function mapValues(object: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}
