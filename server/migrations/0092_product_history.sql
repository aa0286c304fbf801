-- What changed in a product and who did it (G-114, decision 0053). Written by triggers with the change itself, so no code path can
-- forget it; the newest 200 entries of a product are kept. Long texts and images are named without their content.
create table product_history (
  shop_id object_id not null,
  product_id object_id not null,
  id bigint generated always as identity,
  at timestamptz not null,
  by_id text collate "C",
  kind text collate "C" not null check (kind in (
    'created', 'updated', 'retired', 'skus_added', 'skus_updated', 'skus_removed', 'wholesale_prices', 'sub_items')),
  -- Of 'updated': each field as [before, after].
  changes jsonb not null default '{}',
  -- The first SKUs that the entry is about, as {name, changes}, and how many they are.
  skus jsonb not null default '[]',
  sku_count integer not null default 0,
  primary key (shop_id, product_id, id),
  foreign key (shop_id, product_id) references products (shop_id, id) on delete cascade
);

create function fields_changed(before jsonb, after jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(a.key, jsonb_build_array(b.value, a.value)), '{}')
  from jsonb_each(after) a
  join jsonb_each(before) b on b.key = a.key
  where b.value is distinct from a.value
$$;

create function trim_product_history() returns trigger language plpgsql as $$
begin
  delete from product_history h
  using (
    select distinct n.shop_id, n.product_id from written n where n.kind <> 'created'
  ) w
  where h.shop_id = w.shop_id and h.product_id = w.product_id and h.id <= (
    select o.id
    from product_history o
    where o.shop_id = w.shop_id and o.product_id = w.product_id
    order by o.id desc
    offset 200
    limit 1
  );
  return null;
end $$;
create trigger product_history_trimmed after insert on product_history referencing new table as written
  for each statement execute function trim_product_history();

create function record_created_products() returns trigger language plpgsql as $$
begin
  insert into product_history (shop_id, product_id, at, by_id, kind)
  select shop_id, id, created_at, updated_by, 'created' from changed_new;
  return null;
end $$;
create trigger products_record_created after insert on products referencing new table as changed_new
  for each statement execute function record_created_products();

create function record_product_change() returns trigger language plpgsql as $$
begin
  insert into product_history (shop_id, product_id, at, by_id, kind, changes)
  values (new.shop_id, new.id, new.updated_at, new.updated_by,
    case when old.deleted_at is null and new.deleted_at is not null then 'retired' else 'updated' end,
    case when new.deleted_at is not null then '{}'::jsonb else
      fields_changed(
        jsonb_build_object('name', old.name, 'price', old.price, 'originPrice', old.origin_price, 'vat', old.vat_basis_points / 100.0,
          'status', old.status, 'categoryId', old.category_id, 'itemSku', old.item_sku, 'barcode', old.barcode, 'slug', old.slug),
        jsonb_build_object('name', new.name, 'price', new.price, 'originPrice', new.origin_price, 'vat', new.vat_basis_points / 100.0,
          'status', new.status, 'categoryId', new.category_id, 'itemSku', new.item_sku, 'barcode', new.barcode, 'slug', new.slug))
      || case when old.description = new.description then '{}'::jsonb
        else jsonb_build_object('description', jsonb_build_array(null, null)) end
      || case when old.images = new.images then '{}'::jsonb
        else jsonb_build_object('images', jsonb_build_array(jsonb_array_length(old.images), jsonb_array_length(new.images))) end
    end);
  return null;
end $$;
create trigger products_record_change after update on products for each row
  when ((old.name, old.price, old.origin_price, old.vat_basis_points, old.status, old.category_id, old.item_sku, old.barcode, old.slug,
      old.description, old.images, old.deleted_at)
    is distinct from (new.name, new.price, new.origin_price, new.vat_basis_points, new.status, new.category_id, new.item_sku,
      new.barcode, new.slug, new.description, new.images, new.deleted_at))
  execute function record_product_change();

-- The default SKU is as its product. SKUs of a new product came with it, and those of a retired one went with it.
create function record_new_skus() returns trigger language plpgsql as $$
begin
  insert into product_history (shop_id, product_id, at, by_id, kind, skus, sku_count)
  select p.shop_id, p.id, p.updated_at, p.updated_by, 'skus_added',
    jsonb_path_query_array(jsonb_agg(jsonb_build_object('name', n.name, 'changes', '{}'::jsonb) order by n.position), '$[0 to 19]'), count(*)
  from changed_new n
  join products p on p.shop_id = n.shop_id and p.id = n.product_id
  where not n.is_default and n.created_at <> p.created_at
  group by p.shop_id, p.id;
  return null;
end $$;
create trigger skus_record_new after insert on skus referencing new table as changed_new
  for each statement execute function record_new_skus();

create function record_sku_changes() returns trigger language plpgsql as $$
begin
  insert into product_history (shop_id, product_id, at, by_id, kind, skus, sku_count)
  select p.shop_id, p.id, p.updated_at, p.updated_by, c.kind,
    jsonb_path_query_array(jsonb_agg(jsonb_build_object('name', c.name, 'changes', c.changes) order by c.position), '$[0 to 19]'), count(*)
  from (
    select n.shop_id, n.product_id, n.name, n.position,
      case when n.is_active and not o.is_active then 'skus_added' when n.is_active then 'skus_updated' else 'skus_removed' end as kind,
      fields_changed(
        jsonb_build_object('name', o.name, 'price', o.price, 'originPrice', o.origin_price, 'sku', o.code, 'barcode', o.barcode),
        jsonb_build_object('name', n.name, 'price', n.price, 'originPrice', n.origin_price, 'sku', n.code, 'barcode', n.barcode))
      || case when o.images = n.images then '{}'::jsonb
        else jsonb_build_object('images', jsonb_build_array(jsonb_array_length(o.images), jsonb_array_length(n.images))) end as changes
    from changed_new n
    join changed_old o on o.shop_id = n.shop_id and o.id = n.id
    where not (n.is_default and o.is_default)
      and (o.name, o.price, o.origin_price, o.code, o.barcode, o.images, o.is_active)
        is distinct from (n.name, n.price, n.origin_price, n.code, n.barcode, n.images, n.is_active)
  ) c
  join products p on p.shop_id = c.shop_id and p.id = c.product_id and p.deleted_at is null
  group by p.shop_id, p.id, c.kind;
  return null;
end $$;
create trigger skus_record_changes after update on skus referencing old table as changed_old new table as changed_new
  for each statement execute function record_sku_changes();

create function record_deleted_skus() returns trigger language plpgsql as $$
begin
  insert into product_history (shop_id, product_id, at, by_id, kind, skus, sku_count)
  select p.shop_id, p.id, p.updated_at, p.updated_by, 'skus_removed',
    jsonb_path_query_array(jsonb_agg(jsonb_build_object('name', o.name, 'changes', '{}'::jsonb) order by o.position), '$[0 to 19]'), count(*)
  from changed_old o
  join products p on p.shop_id = o.shop_id and p.id = o.product_id
  where not o.is_default and o.is_active
  group by p.shop_id, p.id;
  return null;
end $$;
create trigger skus_record_deleted after delete on skus referencing old table as changed_old
  for each statement execute function record_deleted_skus();
