-- Erasing a person's number from the name of a product or SKU (G-78) is no edit: the history would keep the old name, in the
-- name of the last editor. The history's own entries are erased by the same sweep.
create or replace function record_product_change() returns trigger language plpgsql as $$
begin
  if current_setting('shopbell.erasing', true) = 'on' then
    return null;
  end if;
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

create or replace function record_sku_changes() returns trigger language plpgsql as $$
begin
  if current_setting('shopbell.erasing', true) = 'on' then
    return null;
  end if;
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
