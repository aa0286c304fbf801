-- What changed in a shop, for partners that keep a copy in step (G-66, decision 0026): one row for each record and
-- transaction, written with the change itself. A page is read in the order of (xid, type, record_id) and ends before the
-- oldest transaction that is still open, so that nothing which commits later can lie before a cursor. Without a foreign key:
-- its check would cost each writer as much as the row.
create table changes (
  shop_id object_id not null,
  xid xid8 not null default pg_current_xact_id(),
  type text collate "C" not null check (type in ('product', 'order', 'customer', 'stock', 'news')),
  record_id object_id not null,
  created_at timestamptz not null default now(),
  primary key (shop_id, xid, type, record_id)
);
create index changes_by_created on changes (created_at);

-- Each trigger names its rows `changed`. A record that a transaction changes several times has one row.
create function note_changed_records() returns trigger language plpgsql as $$
begin
  insert into changes (shop_id, type, record_id)
  select shop_id, tg_argv[0], id
  from changed
  on conflict do nothing;
  return null;
end $$;

create function note_changed_stock() returns trigger language plpgsql as $$
begin
  insert into changes (shop_id, type, record_id)
  select shop_id, 'stock', sku_id
  from changed
  on conflict do nothing;
  return null;
end $$;

-- A SKU that is retired, or comes back, takes its stock with it.
create function note_moved_sku() returns trigger language plpgsql as $$
begin
  insert into changes (shop_id, type, record_id)
  values (new.shop_id, 'stock', new.id)
  on conflict do nothing;
  return null;
end $$;

-- Articles no longer show a product that is retired.
create function note_retired_product() returns trigger language plpgsql as $$
begin
  insert into changes (shop_id, type, record_id)
  select shop_id, 'news', news_id
  from news_items
  where shop_id = new.shop_id and product_id = new.id
  on conflict do nothing;
  return null;
end $$;

-- What writes the parts of a product, of an order or of an article writes its row too.
create trigger products_noted_insert after insert on products
  referencing new table as changed for each statement execute function note_changed_records('product');
create trigger products_noted_update after update on products
  referencing new table as changed for each statement execute function note_changed_records('product');
create trigger products_noted_delete after delete on products
  referencing old table as changed for each statement execute function note_changed_records('product');
create trigger products_noted_retired after update on products
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function note_retired_product();

create trigger stock_noted_insert after insert on stock
  referencing new table as changed for each statement execute function note_changed_stock();
create trigger stock_noted_update after update on stock
  referencing new table as changed for each statement execute function note_changed_stock();
create trigger stock_noted_delete after delete on stock
  referencing old table as changed for each statement execute function note_changed_stock();
create trigger skus_noted_update after update on skus
  for each row when (old.is_active <> new.is_active) execute function note_moved_sku();

create trigger orders_noted_insert after insert on orders
  referencing new table as changed for each statement execute function note_changed_records('order');
create trigger orders_noted_update after update on orders
  referencing new table as changed for each statement execute function note_changed_records('order');
create trigger orders_noted_delete after delete on orders
  referencing old table as changed for each statement execute function note_changed_records('order');

create trigger customers_noted_insert after insert on customers
  referencing new table as changed for each statement execute function note_changed_records('customer');
create trigger customers_noted_update after update on customers
  referencing new table as changed for each statement execute function note_changed_records('customer');
create trigger customers_noted_delete after delete on customers
  referencing old table as changed for each statement execute function note_changed_records('customer');

create trigger news_noted_insert after insert on news
  referencing new table as changed for each statement execute function note_changed_records('news');
create trigger news_noted_update after update on news
  referencing new table as changed for each statement execute function note_changed_records('news');
create trigger news_noted_delete after delete on news
  referencing old table as changed for each statement execute function note_changed_records('news');
