import { pageMeta } from '../../http/validation/fields.ts'
import { keyRecord } from '../../modules/access/keys/schema.ts'
import { invitationRecord, memberRecord, operatorRecord } from '../../modules/access/members/schema.ts'
import { auditEntry } from '../../modules/audit/schema.ts'
import { categoryRecord } from '../../modules/categories/schema.ts'
import { exportAnswer } from '../../modules/copies/exports/schema.ts'
import { customerRecord, listedCustomer } from '../../modules/customers/schema.ts'
import { entryAnswer } from '../../modules/inventory/entry-schema.ts'
import {
  differencesAnswer,
  movementRecord,
  skuStockRecord,
  warehouseRecord,
} from '../../modules/inventory/schema.ts'
import { batchAnswer, batchWithRefusals } from '../../modules/messages/batches/schema.ts'
import { historyRecord, messageAnswer, messageEvent } from '../../modules/messages/schema.ts'
import { attachedProduct, newsRecord, newsWithItemsRecord } from '../../modules/news/schema.ts'
import { officialAccountRecord } from '../../modules/official-accounts/schema.ts'
import { posOrderBody, posPreview } from '../../modules/orders/pos-schema.ts'
import { listedOrder, orderDetail, orderItemRecord, timelineStep } from '../../modules/orders/schema.ts'
import { importAnswer, importWithErrors } from '../../modules/product-files/import/schema.ts'
import * as products from '../../modules/products/record-schema.ts'
import { newSku, newVariant } from '../../modules/products/schema.ts'
import { shopRecord } from '../../modules/shops/schema.ts'
import { templateBody, templateRecord } from '../../modules/templates/schema.ts'
import { walletEntryRecord, walletRecord } from '../../modules/wallet/schema.ts'
import { attemptsAnswer, endpointAnswer } from '../../modules/webhooks/endpoints/schema.ts'

/** The records that are named schemas in the API document, wherever a response contains one of these shapes. */
const RECORDS = {
  ApiKey: keyRecord,
  AttachedProduct: attachedProduct,
  AuditEntry: auditEntry,
  Batch: batchAnswer.properties.data,
  BatchProgress: batchAnswer.properties.data.properties.progress,
  BatchWithRefusals: batchWithRefusals.properties.data,
  Category: categoryRecord,
  CreatedProduct: products.createdProductRecord,
  Customer: customerRecord,
  InventoryEntry: entryAnswer.properties.data,
  InventoryMovement: movementRecord,
  Invitation: invitationRecord,
  ListedCustomer: listedCustomer,
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
  PageMeta: pageMeta,
  Product: products.productRecord,
  ProductCategory: products.categoryRecord,
  ProductDrafts: products.productRecord.properties.skuDrafts,
  ProductImport: importAnswer.properties.data,
  ProductImportWithErrors: importWithErrors.properties.data,
  Shop: shopRecord,
  Sku: products.skuRecord,
  RecordExport: exportAnswer.properties.data,
  SkuStock: skuStockRecord,
  StockDifferences: differencesAnswer.properties.data,
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

const block = templateBody.properties.contentBlocks.items

/** Parts that several requests share. Any other body is named after its operation. */
const DRAFTS = {
  NewSku: newSku,
  NewVariantGroup: newVariant,
  PosOrder: posOrderBody,
  PosOrderItem: posOrderBody.properties.orderItems.items,
  TemplateBlock: block,
  TemplateButton: templateBody.properties.buttons.items,
  TemplateDraft: templateBody,
  TemplateParam: templateBody.properties.params.items,
  TemplateRating: templateBody.properties.rating,
  TemplateVoucher: templateBody.properties.voucher,
}

/** Grouped by their field names, which are quick to compare. Only schemas with the same field names are compared as text. */
const NAMED_RECORDS = byFields(RECORDS)
const NAMED_DRAFTS = byFields(DRAFTS)
/** A mark in the schema itself, because it survives when the framework copies the schema. */
const MARK = 'x-name'

/** Marks the records in a response's schema with their names, for {@link takeNamed}. */
export function markRecords(schema: unknown): unknown {
  return markNamed(schema, NAMED_RECORDS)
}

/**
 * Marks a request's body and its parts with their names. A body that several operations do not share is named after its
 * operation, such as `CreateProductRequest`.
 */
export function markBody(schema: unknown, operationId: string): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  return { [MARK]: `${name}Request`, ...(markNamed(schema, NAMED_DRAFTS) as object) }
}

function markNamed(schema: unknown, named: Named): unknown {
  if (Array.isArray(schema)) return schema.map((each) => markNamed(each, named))
  if (typeof schema !== 'object' || schema === null) return schema
  const name = nameOf(schema, named)
  const copy = mapValues(schema, (value) => markNamed(value, named))
  return name === undefined ? copy : { ...copy, [MARK]: name }
}

type Named = Map<string, [name: string, schema: object][]>

function byFields(schemas: Record<string, object>): Named {
  return Map.groupBy(Object.entries(schemas), ([, schema]) => fieldsOf(schema))
}

function nameOf(schema: object, named: Named): string | undefined {
  const alike = named.get(fieldsOf(schema))
  if (alike === undefined) return undefined
  const text = JSON.stringify(schema)
  return alike.find(([, each]) => JSON.stringify(each) === text)?.[0]
}

function fieldsOf(schema: { properties?: object }): string {
  return Object.keys(schema.properties ?? {}).join()
}

/** Returns the part of a document with each marked record replaced by a reference, and adds the records to `schemas`. */
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
