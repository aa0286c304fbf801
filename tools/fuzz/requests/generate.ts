import type { Json, Schema } from '../document.ts'
import type { Kind, Shop } from '../shapes.ts'
import type { Random } from './random.ts'

/** Fields with the id of a record, by name. */
const IDS: Record<string, Kind> = {
  category: 'category',
  categoryId: 'category',
  parentId: 'category',
  warehouseId: 'warehouse',
  toWarehouseId: 'warehouse',
  skuId: 'sku',
  customerId: 'customer',
  productId: 'product',
  soldBy: 'customer',
  userId: 'customer',
  orderId: 'order',
  templateId: 'approvedTemplate',
  newsIds: 'product',
  eventId: 'event',
}

const WORDS = [
  'Hoa hồng',
  'Bàn gỗ',
  'Ghế 5',
  'Áo thun',
  'Cà phê sữa đá',
  'Đèn',
  'Gốm Bát Tràng',
  '1+1',
  'Phở 😀',
]

/** Values for fields of these names, where not every text is valid. */
const TEXTS: Record<string, (random: Random, shop: Shop) => Json> = {
  name: (random, shop) => `${random.pick(WORDS)} ${shop.mark}`,
  fullName: (random, shop) => `${random.pick(WORDS)} ${shop.mark}`,
  title: (random, shop) => `${random.pick(WORDS)} ${shop.mark}`,
  content: (random, shop) => `<p>${random.pick(WORDS)} <b>${shop.mark}</b></p>`,
  search: (random) => random.pick(['hoa', 'Áo', 'đ', 'gom bat', 'dh1', '%', 'ơn']),
  phone: (random) => phone(random),
  receiverPhone: (random) => phone(random),
  email: (random) => `nguoi${random.below(1e9)}@people.example`,
  slug: (random) => `bai-${random.below(1e6)}`,
  itemSku: (random) => `SP${random.below(1e9)}`,
  sku: (random) => `SKU${random.below(1e9)}`,
  barcode: (random) => `893${random.below(1e9)}`,
  oaId: (_random, shop) => shop.oaId,
  shopId: (_random, shop) => shop.id,
  select: (random) => random.pick(['skus', 'skus,variants', 'name', 'wholesalePrices,subItemsGroups']),
  paymentMethod: (random) => random.pick(['cash', 'transfer', 'card']),
  month: () => new Date().toISOString().slice(0, 7),
  expiresAt: (random) => daysAhead(1 + random.below(30)),
  scheduledAt: (random) => daysAhead(1 + random.below(20)),
  since: () => daysAhead(-1),
  from: () => daysAhead(-2),
  startDate: () => daysAhead(-2),
  to: () => daysAhead(1),
  endDate: () => daysAhead(1),
  action: () => 'key.created',
}

const ADDRESSES = /^(url|image|images|avatar|logoLight|logoDark)$/

/** A Vietnamese mobile number as people write it. */
export function phone(random: Random): string {
  return `09${random.pick(['1', '8'])}${String(random.below(1e7)).padStart(7, '0')}`
}

export function daysAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

/** The kind of record whose id a field of this name contains. */
function kindOfField(name: string): Kind | undefined {
  return Object.hasOwn(IDS, name) ? IDS[name] : undefined
}

/**
 * A value that the schema accepts, of a usual size. `name` is the name of the field, which tells what the schema
 * cannot: the kind of record of an id, or that it is a phone number.
 */
export function validValue(schema: Schema, name: string, shop: Shop, random: Random): Json {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.anyOf !== undefined) return validValue(random.pick(schema.anyOf), name, shop, random)
  switch (schema.type) {
    case 'string':
      return textOf(schema, name, shop, random)
    case 'integer':
    case 'number': {
      const least = schema.minimum ?? 0
      const most = Math.min(schema.maximum ?? 1e6, least + (random.chance(0.9) ? 1_000 : 1e6))
      return least + random.below(most - least + 1)
    }
    case 'boolean':
      return random.chance(0.5)
    case 'array': {
      const least = schema.minItems ?? 0
      const count = Math.min(schema.maxItems ?? 3, least + random.below(3))
      return Array.from({ length: count }, () => validValue(schema.items ?? {}, name, shop, random))
    }
    case 'object':
      return objectOf(schema, shop, random)
    case 'null':
      return null
    default:
      return shop.id
  }
}

function objectOf(schema: Schema, shop: Shop, random: Random): Json {
  const required = new Set(schema.required)
  const fields: { [key: string]: Json } = {}
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    const isWanted = required.has(key) && child.default === undefined
    if (isWanted || random.chance(0.4)) fields[key] = validValue(child, key, shop, random)
  }
  return fields
}

function textOf(schema: Schema, name: string, shop: Shop, random: Random): Json {
  const kind = kindOfField(name)
  if (kind !== undefined) return random.pick(shop.ids[kind])
  const known = Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined
  if (known !== undefined) return known(random, shop)
  if (ADDRESSES.test(name)) return `https://cdn.example/${random.below(1e6)}.png`
  return random.pick(WORDS).slice(0, schema.maxLength ?? 100)
}
