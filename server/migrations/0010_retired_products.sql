-- A retired product stays as a row, for the orders that name it; nothing else shows it. It leaves its category, so
-- that the category can be deleted.
alter table products add column deleted_at timestamptz;
alter table products add check (deleted_at is null or category_id is null);

-- Its slug is free again.
alter table products drop constraint products_shop_id_slug_key;
create unique index products_shop_id_slug_key on products (shop_id, slug) where deleted_at is null;

-- The lists leave retired products out: their indexes do too. That of the categories keeps all rows, as the deletion
-- of a category looks for any product in it.
drop index products_by_created, products_by_updated, products_by_name, products_by_price, products_by_sort_order,
  products_by_stock, products_by_category, products_by_category_price;
create index products_by_created on products (shop_id, created_at, id) where deleted_at is null;
create index products_by_updated on products (shop_id, updated_at, id) where deleted_at is null;
create index products_by_name on products (shop_id, search, id) where deleted_at is null;
create index products_by_price on products (shop_id, price, id) where deleted_at is null;
create index products_by_sort_order on products (shop_id, (coalesce(sort_order, 0)), id) where deleted_at is null;
create index products_by_stock on products (shop_id, stock_quantity, id) where deleted_at is null;
create index products_by_category on products (shop_id, category_id, created_at, id) include (deleted_at);
create index products_by_category_price on products (shop_id, category_id, price, id) where deleted_at is null;

create or replace function count_moved_product() returns trigger language plpgsql as $$
begin
  insert into product_counts as c (shop_id, category_id, n)
  select moved.shop_id, moved.category, moved.delta
  from (values
    (old.shop_id, coalesce(old.category_id, ''), -1, old.deleted_at),
    (new.shop_id, coalesce(new.category_id, ''), 1, new.deleted_at)
  ) as moved (shop_id, category, delta, deleted_at)
  where moved.deleted_at is null
  order by moved.category
  on conflict (shop_id, category_id) do update set n = c.n + excluded.n;
  return null;
end $$;
create or replace function count_new_products() returns trigger language plpgsql as $$
begin
  insert into product_counts as c (shop_id, category_id, n)
  select shop_id, coalesce(category_id, '') as category, count(*)
  from changed_new
  where deleted_at is null
  group by shop_id, category
  order by shop_id, category
  on conflict (shop_id, category_id) do update set n = c.n + excluded.n;
  return null;
end $$;
drop trigger products_counted_update on products;
create trigger products_counted_update after update on products
  for each row when (old.category_id is distinct from new.category_id
    or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function count_moved_product();

-- A product has one automatic SKU at most, retired or not (G-30).
create unique index skus_one_default on skus (shop_id, product_id) where is_default;
