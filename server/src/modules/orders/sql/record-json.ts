import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { firstImages } from '../../../db/fragments/first-images-sql.ts'
import {
  boolean,
  compact,
  constant,
  type Fields,
  instant,
  jsonArray,
  jsonObject,
  number,
  numberOrNull,
  percent,
  plain,
  plainOrNull,
  text,
  textOrNull,
  texts,
  unlessNull,
  written,
} from '../../../db/fragments/json-text-sql.ts'
import type { listedOrder as listedOrderSchema } from '../schema.ts'

// E12's records, written by the database (decision 0050). The compiler enforces the same fields as in the schema;
// listed-records.test.ts compares them with the records read one by one.

type Order = Static<typeof listedOrderSchema>
type Item = Order['orderItems'][number]

/** The SKU is `s`, its product `p`; the order has `i.lines` lines. */
const sku: Fields<Item['sku']> = {
  _id: plain('s.id'),
  id: plain('s.id'),
  name: text('s.name'),
  price: number('s.price'),
  originPrice: numberOrNull('s.origin_price'),
  images: compact(firstImages('s.images', 'i.lines')),
  itemId: plain('p.id'),
  sku: text('s.code'),
  barcode: text('s.barcode'),
  variantOptionIDs: texts('s.variant_option_ids'),
  variantOptions: jsonArray(`
          select ${jsonObject({
            _id: plain('v.id'),
            id: plain('v.id'),
            name: text('v.name'),
            itemVariantId: plain('v.group_id'),
            isActive: boolean('v.is_active'),
            position: number('v.position'),
          } satisfies Fields<Item['sku']['variantOptions'][number]>)} as json
          from variant_options v
          where v.shop_id = s.shop_id and v.id = any (s.variant_option_ids)
          order by array_position(s.variant_option_ids, v.id::text)`),
  item: written(
    jsonObject({
      _id: plain('p.id'),
      id: plain('p.id'),
      name: text('p.name'),
      images: compact(firstImages('p.images', 'i.lines')),
    } satisfies Fields<Item['sku']['item']>),
  ),
}

/** The line is `i`. */
const item: Fields<Item> = {
  _id: plain('i.id'),
  id: plain('i.id'),
  orderId: plain('i.order_id'),
  skuId: plain('s.id'),
  quantity: number('i.quantity'),
  price: number('i.price'),
  discount: number('i.discount'),
  vat: percent('i.vat_basis_points'),
  listSubItem: compact('i.list_sub_item'),
  name: text('i.name'),
  status: text('i.status'),
  sku: written(jsonObject(sku)),
}

/** The order is `o`. */
const order: Fields<Omit<Order, 'soldBy'>> = {
  _id: plain('o.id'),
  id: plain('o.id'),
  __v: number('o.version'),
  code: text('o.code'),
  shippingMethod: text('o.shipping_method'),
  addressId: textOrNull('o.address_id'),
  shopAddressId: plainOrNull('o.shop_address_id'),
  shopId: plain('o.shop_id'),
  price: number('o.price'),
  discount: number('o.discount'),
  originPrice: number('o.origin_price'),
  discountShipping: number('o.discount_shipping'),
  flashSaleDiscount: number('o.flash_sale_discount'),
  shippingFee: number('o.shipping_fee'),
  loyaltyDiscount: number('o.loyalty_discount'),
  pointDiscountPrice: number('o.point_discount_price'),
  points: number('o.points'),
  paidAmount: number('o.paid_amount'),
  returnedAmount: unlessNull('nullif(o.returned_amount, 0)', number('o.returned_amount')),
  untaxedPrice: unlessNull('o.untaxed_price', number('o.untaxed_price')),
  isPaid: boolean('o.is_paid'),
  isSynced: boolean('o.is_synced'),
  isVAT: boolean('o.is_vat'),
  status: plain('o.status'),
  paymentStatus: text('o.payment_status'),
  invoiceStatus: text('o.invoice_status'),
  paymentMethod: text('o.payment_method'),
  note: text('o.note'),
  reference: unlessNull('o.reference', text('o.reference')),
  search: text('o.search'),
  platform: text('o.platform'),
  sOrderId: text('o.s_order_id'),
  table: compact('o.order_table'),
  orderItems: jsonArray(`
      select ${jsonObject(item)} as json
      from (
        select l.*, count(*) over () as lines
        from order_items l
        where l.shop_id = o.shop_id and l.order_id = o.id
      ) as i
      join skus s on s.shop_id = i.shop_id and s.id = i.sku_id
      join products p on p.shop_id = s.shop_id and p.id = s.product_id
      order by i.position`),
  createdAt: instant('o.created_at'),
  updatedAt: instant('o.updated_at'),
  userId: written(`(
      select ${jsonObject({
        _id: plain('c.id'),
        phone: text('c.phone'),
        fullName: text('c.full_name'),
        avatar: text('c.avatar'),
        id: plain('c.id'),
      } satisfies Fields<NonNullable<Order['userId']>>)}
      from customers c
      where c.shop_id = o.shop_id and c.id = o.customer_id
    )`),
}

/** Who sold the order `o`, as `whoOf` finds it. */
const seller = (type: 'member' | 'key', name: string) =>
  jsonObject({ type: constant(type), id: plain('o.sold_by'), name: text(name) } satisfies Fields<
    NonNullable<Order['soldBy']>
  >)

const withSeller: Fields<Order> = {
  ...order,
  soldBy: written(`coalesce((
      select ${seller('member', "coalesce(nullif(u.name, ''), u.email)")}
      from users u
      where u.id = o.sold_by
    ), (
      select ${seller('key', 'k.name')}
      from api_keys k
      where k.shop_id = o.shop_id and k.id = o.sold_by
    ))`),
}

/** An order `o` of the list as JSON text. */
export const listedOrder: RawBuilder<string> = sql.raw(jsonObject(order))
export const listedOrderWithSeller: RawBuilder<string> = sql.raw(jsonObject(withSeller))
