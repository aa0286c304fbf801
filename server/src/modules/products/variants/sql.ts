import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { NewGroup, NewSku, ProductCode } from '../rules.ts'
import { codesInOrder, isNotOwn, productEvent, step, updatedAt } from '../sql/write-steps.ts'
import type { KnownGroup, KnownSku, KnownVariants, VariantPlan } from './rules.ts'

/** The locked version of a product, and the fields that a default SKU copies from it (G-30). */
export type LockedProduct = {
  id: ObjectId
  version: number
  name: string
  price: number
  origin_price: number | null
  item_sku: string
  barcode: string
}

/**
 * Locks the product against all other changes until the transaction ends; undefined if there is none. Its totals are
 * locked too, which blocks orders and entries of its SKUs.
 */
export async function lockProduct(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<LockedProduct | undefined> {
  const { rows } = await sql<LockedProduct>`
    select p.id, p.version, p.name, p.price, p.origin_price, p.item_sku, p.barcode
    from products p
    join product_stock t on t.shop_id = p.shop_id and t.product_id = p.id
    where p.shop_id = ${shopId} and p.id = ${id} and p.deleted_at is null
    for no key update`.execute(trx)
  return rows[0]
}

/**
 * Locks those SKUs of a locked product that no other transaction has locked, with their stock, until the transaction
 * ends: no order, entry or reservation can begin to refer to them. SKUs in use are skipped instead of waited for, since
 * the transactions that use them may be waiting for the product.
 */
export async function lockIdleSkus(trx: Db, shopId: ObjectId, productId: ObjectId): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    with idle as materialized (
      select s.id
      from skus s
      where s.shop_id = ${shopId} and s.product_id = ${productId}
      for update skip locked
    ), stocked as materialized (
      select t.sku_id
      from stock t
      where t.shop_id = ${shopId} and t.sku_id in (select id from idle)
      for update skip locked
    )
    select idle.id
    from idle
    where (select count(*) from stocked where stocked.sku_id = idle.id)
      = (select count(*) from stock t where t.shop_id = ${shopId} and t.sku_id = idle.id)`.execute(trx)
  return rows.map((row) => row.id)
}

/**
 * The groups and SKUs of a product, inactive ones last. A SKU in `idle` is deletable if no order or movement refers to
 * it and it has no stock; a reservation is in its stock row. Run it after `lockIdleSkus`, as a separate statement: it
 * then sees every reference made before the lock.
 */
export async function findVariants(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  idle: ObjectId[],
): Promise<KnownVariants> {
  const { rows } = await sql<{ groups: KnownGroup[]; skus: KnownSku[] }>`
    select (
      select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'options', (
        select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name)
          order by o.is_active desc, o.position, o.id), '[]')
        from variant_options o
        where o.shop_id = g.shop_id and o.group_id = g.id
      )) order by g.is_active desc, g.position, g.id), '[]')
      from variant_groups g
      where g.shop_id = ${shopId} and g.product_id = ${productId}
    ) as groups, (
      select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name,
        'optionIds', to_json(s.variant_option_ids), 'isDefault', s.is_default,
        'isDeletable', s.id::text = any (${idle}::text[])
          and not exists (select from order_items i where i.shop_id = s.shop_id and i.sku_id = s.id)
          and not exists (select from stock_movements m where m.shop_id = s.shop_id and m.sku_id = s.id)
          and not exists (
            select
            from stock t
            where t.shop_id = s.shop_id and t.sku_id = s.id and (t.quantity <> 0 or t.reserved <> 0)
          )) order by s.is_active desc, s.position, s.id), '[]')
      from skus s
      where s.shop_id = ${shopId} and s.product_id = ${productId}
    ) as skus`.execute(trx)
  return rows[0]!
}

/** The first of the codes that another product of the shop has, or undefined (G-39). */
export async function findTakenCode(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  codes: ProductCode[],
): Promise<ProductCode | undefined> {
  const { rows } = await sql<ProductCode>`
    select n.kind, n.code
    from jsonb_to_recordset(${codesInOrder(codes)}::jsonb) as n (kind text, code text, at integer)
    join product_codes c on c.shop_id = ${shopId} and c.kind = n.kind and c.folded = fold_code(n.code)
    where c.product_id <> ${productId} and ${isNotOwn(shopId, productId)}
    order by n.at
    limit 1`.execute(trx)
  return rows[0]
}

/** Writes a plan for a locked product and records it as a change of the product. @throws as {@link writeVariantRows} */
export async function writeVariants(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  plan: VariantPlan,
  change: { by: ObjectId | null; now: Date },
): Promise<void> {
  // The product is changed first: the history entries of the SKUs name the person who last changed the product.
  await touchProduct(trx, shopId, productId, change)
  await writeVariantRows(trx, shopId, productId, plan, change.now)
}

/**
 * Writes a plan for a locked product: removals, then groups, SKUs and codes.
 * @throws a unique violation of `product_codes` when a code was taken at the same moment.
 */
export async function writeVariantRows(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  plan: VariantPlan,
  now: Date,
): Promise<void> {
  await removeSkus(trx, shopId, plan.leaving.skus, now)
  await removeGroups(trx, shopId, plan.leaving)
  await upsertGroups(trx, shopId, productId, plan.groups, now)
  await upsertSkus(trx, shopId, productId, plan.skus, plan.newSkuIds, now)
  await replaceCodes(trx, shopId, productId, plan.codes)
}

async function removeSkus(
  trx: Db,
  shopId: ObjectId,
  leaving: VariantPlan['leaving']['skus'],
  now: Date,
): Promise<void> {
  await sql`
    with deleted as (
      delete from skus
      where shop_id = ${shopId} and id = any (${leaving.deleted}::text[])
    )
    update skus
    set is_active = false, updated_at = ${now}
    where shop_id = ${shopId} and id = any (${leaving.hidden}::text[]) and is_active`.execute(trx)
}

async function removeGroups(
  trx: Db,
  shopId: ObjectId,
  { groups, options }: VariantPlan['leaving'],
): Promise<void> {
  await sql`
    with hidden_group as (
      update variant_groups
      set is_active = false
      where shop_id = ${shopId} and id = any (${groups.hidden}::text[])
    ), hidden_option as (
      update variant_options
      set is_active = false
      where shop_id = ${shopId} and id = any (${options.hidden}::text[])
    ), deleted_option as (
      delete from variant_options
      where shop_id = ${shopId} and id = any (${options.deleted}::text[])
    )
    delete from variant_groups
    where shop_id = ${shopId} and id = any (${groups.deleted}::text[])`.execute(trx)
}

async function upsertGroups(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  groups: NewGroup[],
  now: Date,
): Promise<void> {
  const options = groups.flatMap((group) =>
    group.options.map((option) => ({ ...option, group_id: group.id })),
  )
  await sql`
    with written as (
      insert into variant_groups as g (shop_id, id, product_id, name, position, created_at, updated_at)
      select ${shopId}, n.id, ${productId}, n.name, n.position, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as n (id text, name text, position integer)
      on conflict (shop_id, id) do update
      set name = excluded.name, position = excluded.position, is_active = true,
        updated_at = case
          when (g.name, g.position, g.is_active) = (excluded.name, excluded.position, true) then g.updated_at
          else excluded.updated_at
        end
    )
    insert into variant_options (shop_id, id, group_id, name, position)
    select ${shopId}, n.id, n.group_id, n.name, n.position
    from jsonb_to_recordset(${JSON.stringify(options)}::jsonb)
      as n (id text, group_id text, name text, position integer)
    on conflict (shop_id, id) do update
    set name = excluded.name, position = excluded.position, is_active = true`.execute(trx)
}

async function upsertSkus(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  skus: NewSku[],
  newIds: ObjectId[],
  now: Date,
): Promise<void> {
  await sql`
    with written as (
      insert into skus as s (shop_id, id, product_id, name, price, origin_price, code, barcode, images,
        variant_option_ids, position, is_default, created_at, updated_at)
      select ${shopId}, n.id, ${productId}, n.name, n.price, n.origin_price, n.code, n.barcode,
        coalesce(n.images, (select k.images from skus k where k.shop_id = ${shopId} and k.id = n.id), '[]'),
        n.variant_option_ids, n.position, n.is_default, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(skus)}::jsonb) as n (id text, name text, price bigint,
        origin_price bigint, code text, barcode text, images jsonb, variant_option_ids text[], position integer,
        is_default boolean)
      on conflict (shop_id, id) do update
      set name = excluded.name, price = excluded.price, origin_price = excluded.origin_price, code = excluded.code,
        barcode = excluded.barcode, images = excluded.images, variant_option_ids = excluded.variant_option_ids, position = excluded.position,
        is_default = excluded.is_default, is_active = true,
        updated_at = case
          when (s.name, s.price, s.origin_price, s.code, s.barcode, s.images, s.variant_option_ids, s.position,
            s.is_default, s.is_active) is distinct from (excluded.name, excluded.price, excluded.origin_price, excluded.code,
            excluded.barcode, excluded.images, excluded.variant_option_ids, excluded.position, excluded.is_default, true)
          then excluded.updated_at
          else s.updated_at
        end
    )
    insert into stock (shop_id, sku_id, warehouse_id)
    select ${shopId}, n.id, w.id
    from unnest(${newIds}::text[]) as n (id)
    join warehouses w on w.shop_id = ${shopId} and w.is_default`.execute(trx)
}

async function replaceCodes(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  codes: ProductCode[],
): Promise<void> {
  const written = JSON.stringify(codes)
  await sql`
    delete from product_codes c
    where c.shop_id = ${shopId} and c.product_id = ${productId} and not exists (
      select
      from jsonb_to_recordset(${written}::jsonb) as n (kind text, code text)
      where n.kind = c.kind and fold_code(n.code) = c.folded
    )`.execute(trx)
  await sql`
    insert into product_codes (shop_id, kind, code, product_id)
    select ${shopId}, n.kind, n.code, ${productId}
    from jsonb_to_recordset(${written}::jsonb) as n (kind text, code text)
    where not exists (
      select
      from product_codes c
      where c.shop_id = ${shopId} and c.kind = n.kind and c.folded = fold_code(n.code)
        and c.product_id = ${productId}
    )
    order by n.kind, n.code`.execute(trx)
}

/** Records a change of a locked product's parts as a change of the product (G-00, G-62). */
export async function touchProduct(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<void> {
  await sql`
    with ${step.p} as (
      update products p
      set version = p.version + 1, updated_at = ${updatedAt(now)}, updated_by = ${by}
      where p.shop_id = ${shopId} and p.id = ${id}
      returning p.*
    ), ${productEvent(shopId, 'product.updated', now)}
    select from ${step.p}`.execute(trx)
}
