-- The first schema. Every table of a shop has shop_id first in its primary key, its foreign keys and its
-- indexes: a reference across shops cannot exist, and the tables can be distributed by shop_id.
-- Ids are 24 hex characters, ordered by time; money is whole đồng.

create extension if not exists pg_trgm;

create domain object_id as text collate "C" check (value ~ '^[0-9a-f]{24}$');

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

-- shops and keys -------------------------------------------------------------------------------------------

create table shops (
  id object_id primary key,
  name text not null,
  language text not null default 'vi' check (language in ('vi', 'en')),
  oversell text not null default 'allow' check (oversell in ('allow', 'deny')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Looked up by hash before the shop is known: a directory, not a shop's table.
create table api_keys (
  shop_id object_id not null references shops (id),
  id object_id not null,
  name text not null,
  prefix text not null,
  hash bytea not null unique,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (shop_id, id)
);

create table official_accounts (
  shop_id object_id not null references shops (id),
  id object_id not null,
  oa_id text collate "C" not null,
  name text not null,
  app_id text,
  -- Sealed with AES-256-GCM (lib/secret-box.ts): a copy of the database does not give the OA away.
  secret_key bytea,
  access_token bytea,
  refresh_token bytea,
  webhook_secret bytea,
  token_refreshed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  unique (shop_id, oa_id)
);
create index official_accounts_by_oa on official_accounts (oa_id);

-- Numbers that must be had without counting rows: order numbers, totals of unfiltered lists.
create table shop_counters (
  shop_id object_id not null references shops (id),
  name text collate "C" not null,
  value bigint not null default 0 check (value >= 0),
  primary key (shop_id, name)
) with (fillfactor = 50);

-- catalogue ------------------------------------------------------------------------------------------------

create table categories (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  name text not null,
  slug text collate "C" not null,
  description text not null default '',
  image text not null default '',
  parent_id object_id,
  sort_order integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  unique (shop_id, slug),
  foreign key (shop_id, parent_id) references categories (shop_id, id)
);

create table products (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  name text not null,
  description text not null default '',
  images jsonb not null default '[]',
  price bigint not null check (price >= 0),
  origin_price bigint check (origin_price >= 0),
  item_sku text not null default '',
  barcode text not null default '',
  vat integer not null default 0 check (vat between 0 and 100),
  status text not null default 'active' check (status in ('active', 'inactive')),
  category_id object_id,
  slug text collate "C" not null,
  alias_name text not null default '',
  -- Sums over the warehouses, changed in the transaction that changes a stock row (G-36).
  total_quantity bigint not null default 0,
  reserved_quantity bigint not null default 0,
  stock_quantity bigint not null generated always as (total_quantity - reserved_quantity) stored,
  total_rating bigint not null default 0,
  total_review bigint not null default 0,
  sort_order integer,
  can_book boolean not null default false,
  is_customer_inquiry boolean not null default false,
  virtual_sold bigint not null default 0,
  platform text not null default 'mini_app',
  s_product_id text,
  store_id text,
  search text not null,
  tags jsonb not null default '[]',
  configs jsonb not null default '[]',
  hashtags jsonb not null default '[]',
  collection_ids jsonb not null default '[]',
  brand_product_ids jsonb not null default '[]',
  fake_review_ids jsonb not null default '[]',
  combo_items jsonb not null default '[]',
  custom_price_id text,
  updated_by text,
  -- What the caller sent at creation, never changed afterwards.
  sku_drafts jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  unique (shop_id, slug),
  foreign key (shop_id, category_id) references categories (shop_id, id)
);
-- One per sortBy (G-32): a page is an index range however many products there are.
create index products_by_created on products (shop_id, created_at, id);
create index products_by_updated on products (shop_id, updated_at, id);
create index products_by_name on products (shop_id, search, id);
create index products_by_price on products (shop_id, price, id);
create index products_by_sort_order on products (shop_id, (coalesce(sort_order, 0)), id);
create index products_by_stock on products (shop_id, stock_quantity, id);
create index products_by_category on products (shop_id, category_id, created_at, id);
create index products_by_category_price on products (shop_id, category_id, price, id);
create index products_search on products using gin (search gin_trgm_ops);

-- How many products each category has ('' for none), so that the list's total costs a few rows (E8).
create table product_counts (
  shop_id object_id not null references shops (id),
  category_id text collate "C" not null,
  n bigint not null default 0,
  primary key (shop_id, category_id)
) with (fillfactor = 50);

create function count_moved_product() returns trigger language plpgsql as $$
begin
  insert into product_counts as c (shop_id, category_id, n)
  select moved.shop_id, moved.category, moved.delta
  from (values
    (old.shop_id, coalesce(old.category_id, ''), -1),
    (new.shop_id, coalesce(new.category_id, ''), 1)
  ) as moved (shop_id, category, delta)
  order by moved.category
  on conflict (shop_id, category_id) do update set n = c.n + excluded.n;
  return null;
end $$;
create function count_new_products() returns trigger language plpgsql as $$
begin
  insert into product_counts as c (shop_id, category_id, n)
  select shop_id, coalesce(category_id, '') as category, count(*)
  from changed_new
  group by shop_id, category
  order by shop_id, category
  on conflict (shop_id, category_id) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger products_counted_insert after insert on products
  referencing new table as changed_new for each statement execute function count_new_products();
create trigger products_counted_update after update on products
  for each row when (old.category_id is distinct from new.category_id) execute function count_moved_product();

-- Codes of products and of their SKUs: unique in a shop (G-39), found by their beginning (G-33) and
-- exactly (E8 barcode). A product and its own SKU may carry the same code.
create table product_codes (
  shop_id object_id not null,
  kind text collate "C" not null check (kind in ('sku', 'barcode')),
  code text collate "C" not null check (code <> ''),
  product_id object_id not null,
  primary key (shop_id, kind, code),
  foreign key (shop_id, product_id) references products (shop_id, id) on delete cascade
);
create index product_codes_by_product on product_codes (shop_id, product_id);
create index product_codes_by_folded on product_codes (shop_id, lower(code) text_pattern_ops);

create table variant_groups (
  shop_id object_id not null,
  id object_id not null,
  product_id object_id not null,
  name text not null,
  position integer not null,
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, product_id) references products (shop_id, id) on delete cascade
);
create index variant_groups_by_product on variant_groups (shop_id, product_id, position);

create table variant_options (
  shop_id object_id not null,
  id object_id not null,
  group_id object_id not null,
  name text not null,
  position integer not null,
  is_active boolean not null default true,
  primary key (shop_id, id),
  foreign key (shop_id, group_id) references variant_groups (shop_id, id) on delete cascade
);
create index variant_options_by_group on variant_options (shop_id, group_id, position);

create table skus (
  shop_id object_id not null,
  id object_id not null,
  product_id object_id not null,
  name text not null,
  price bigint not null check (price >= 0),
  origin_price bigint check (origin_price >= 0),
  code text not null default '',
  barcode text not null default '',
  images jsonb not null default '[]',
  variant_option_ids text[] collate "C" not null default '{}',
  position integer not null default 0,
  is_active boolean not null default true,
  -- The SKU of a product that was created without SKUs: it follows the product's name, prices and codes (G-30).
  is_default boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, product_id) references products (shop_id, id) on delete cascade
);
create index skus_by_product on skus (shop_id, product_id, position);

create table wholesale_prices (
  shop_id object_id not null,
  id object_id not null,
  sku_id object_id not null,
  min_quantity integer not null check (min_quantity >= 1),
  price bigint not null check (price >= 0),
  primary key (shop_id, id),
  unique (shop_id, sku_id, min_quantity),
  foreign key (shop_id, sku_id) references skus (shop_id, id) on delete cascade
);

create table sub_item_groups (
  shop_id object_id not null,
  id object_id not null,
  product_id object_id not null,
  name text not null,
  is_required boolean not null default false,
  max_select integer not null default 1 check (max_select >= 1),
  position integer not null default 0,
  primary key (shop_id, id),
  foreign key (shop_id, product_id) references products (shop_id, id) on delete cascade
);
create index sub_item_groups_by_product on sub_item_groups (shop_id, product_id, position);

create table sub_items (
  shop_id object_id not null,
  id object_id not null,
  group_id object_id not null,
  name text not null,
  price bigint not null default 0 check (price >= 0),
  position integer not null default 0,
  primary key (shop_id, id),
  foreign key (shop_id, group_id) references sub_item_groups (shop_id, id) on delete cascade
);
create index sub_items_by_group on sub_items (shop_id, group_id, position);

-- inventory ------------------------------------------------------------------------------------------------

create table warehouses (
  shop_id object_id not null references shops (id),
  id object_id not null,
  name text not null,
  address text not null default '',
  is_default boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
create unique index warehouses_one_default on warehouses (shop_id) where is_default;

-- A SKU has a row in the shop's default warehouse from its creation on, so an order always finds one to lock.
create table stock (
  shop_id object_id not null,
  sku_id object_id not null,
  warehouse_id object_id not null,
  quantity bigint not null default 0,
  reserved bigint not null default 0 check (reserved >= 0),
  primary key (shop_id, sku_id, warehouse_id),
  foreign key (shop_id, sku_id) references skus (shop_id, id) on delete cascade,
  foreign key (shop_id, warehouse_id) references warehouses (shop_id, id)
) with (fillfactor = 70);
create index stock_by_warehouse on stock (shop_id, warehouse_id);

-- Append-only: stock.quantity = the sum of its movements (G-38).
create table stock_movements (
  shop_id object_id not null,
  id object_id not null,
  sku_id object_id not null,
  warehouse_id object_id not null,
  type text not null check (type in ('receive', 'issue', 'count', 'transfer', 'order')),
  quantity bigint not null,
  order_id object_id,
  note text not null default '',
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, sku_id) references skus (shop_id, id),
  foreign key (shop_id, warehouse_id) references warehouses (shop_id, id)
);
create index stock_movements_by_sku on stock_movements (shop_id, sku_id, created_at);
create trigger stock_movements_append_only before update or delete on stock_movements
  for each row execute function refuse_change();

-- customers and orders -------------------------------------------------------------------------------------

create table customers (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  full_name text not null,
  phone text not null default '',
  email text not null default '',
  avatar text not null default '',
  note text not null default '',
  search text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
create unique index customers_one_per_phone on customers (shop_id, phone) where phone <> '';
create index customers_by_created on customers (shop_id, created_at, id);
create index customers_search on customers using gin (search gin_trgm_ops);

create function count_new_customers() returns trigger language plpgsql as $$
begin
  insert into shop_counters as c (shop_id, name, value)
  select shop_id, 'customers', count(*)
  from changed_new
  group by shop_id
  order by shop_id
  on conflict (shop_id, name) do update set value = c.value + excluded.value;
  return null;
end $$;
create trigger customers_counted_insert after insert on customers
  referencing new table as changed_new for each statement execute function count_new_customers();

create table shop_addresses (
  shop_id object_id not null references shops (id),
  id object_id not null,
  name text not null,
  primary key (shop_id, id)
);

create table orders (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  code text collate "C" not null,
  shipping_method text not null default '',
  address_id text,
  shop_address_id object_id,
  customer_id object_id,
  price bigint not null check (price >= 0),
  discount bigint not null default 0 check (discount >= 0),
  origin_price bigint not null check (origin_price >= 0),
  discount_shipping bigint not null default 0,
  flash_sale_discount bigint not null default 0,
  shipping_fee bigint not null default 0 check (shipping_fee >= 0),
  loyalty_discount bigint not null default 0,
  point_discount_price bigint not null default 0,
  points bigint not null default 0,
  paid_amount bigint not null default 0 check (paid_amount >= 0),
  untaxed_price bigint,
  is_paid boolean not null default false,
  is_synced boolean not null default false,
  is_vat boolean not null default false,
  status text collate "C" not null check (status in ('pending', 'confirmed', 'processing', 'ready_to_ship',
    'shipping', 'delivered', 'completed', 'cancelled')),
  payment_status text not null default 'not_paid',
  invoice_status text not null default 'draft',
  payment_method text not null default '',
  note text not null default '',
  search text not null,
  platform text not null,
  s_order_id text not null default '',
  order_table jsonb,
  reason_cancel text not null default '',
  admin_user jsonb,
  user_address jsonb,
  collab jsonb,
  referrer_full_name text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  unique (shop_id, code),
  foreign key (shop_id, customer_id) references customers (shop_id, id),
  foreign key (shop_id, shop_address_id) references shop_addresses (shop_id, id)
);
create index orders_by_created on orders (shop_id, created_at, id);
create index orders_by_status on orders (shop_id, status, created_at, id);
create index orders_by_customer on orders (shop_id, customer_id, created_at, id);
create index orders_by_platform on orders (shop_id, platform, created_at, id);
create index orders_by_payment_method on orders (shop_id, payment_method, created_at, id);
create index orders_search on orders using gin (search gin_trgm_ops);

-- How many orders a shop has by what E12 filters and counts, per UTC day and, under the day '-infinity',
-- for ever: the list's totals cost a few rows instead of a scan. Changed with the order (G-44).
create table order_counts (
  shop_id object_id not null references shops (id),
  day date not null,
  status text collate "C" not null,
  platform text collate "C" not null,
  payment_method text collate "C" not null,
  n bigint not null default 0,
  primary key (shop_id, day, status, platform, payment_method)
) with (fillfactor = 50);

create function count_new_orders() returns trigger language plpgsql as $$
begin
  insert into order_counts as c (shop_id, day, status, platform, payment_method, n)
  select o.shop_id, d.day, o.status, o.platform, o.payment_method, count(*)
  from changed_new o
    , lateral (values ('-infinity'::date), ((o.created_at at time zone 'UTC')::date)) as d (day)
  group by o.shop_id, d.day, o.status, o.platform, o.payment_method
  order by o.shop_id, d.day, o.status, o.platform, o.payment_method
  on conflict (shop_id, day, status, platform, payment_method) do update set n = c.n + excluded.n;
  return null;
end $$;
create function count_moved_order() returns trigger language plpgsql as $$
begin
  insert into order_counts as c (shop_id, day, status, platform, payment_method, n)
  select moved.shop_id, d.day, moved.status, moved.platform, moved.payment_method, moved.delta
  from (values
    (old.shop_id, old.created_at, old.status, old.platform, old.payment_method, -1),
    (new.shop_id, new.created_at, new.status, new.platform, new.payment_method, 1)
  ) as moved (shop_id, created_at, status, platform, payment_method, delta)
    , lateral (values ('-infinity'::date), ((moved.created_at at time zone 'UTC')::date)) as d (day)
  order by d.day, moved.status, moved.platform, moved.payment_method
  on conflict (shop_id, day, status, platform, payment_method) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger orders_counted_insert after insert on orders
  referencing new table as changed_new for each statement execute function count_new_orders();
create trigger orders_counted_update after update on orders
  for each row when ((old.status, old.platform, old.payment_method)
    is distinct from (new.status, new.platform, new.payment_method)) execute function count_moved_order();

create table order_items (
  shop_id object_id not null,
  id object_id not null,
  order_id object_id not null,
  sku_id object_id not null,
  name text not null,
  quantity integer not null check (quantity >= 1),
  price bigint not null check (price >= 0),
  discount bigint not null default 0 check (discount >= 0),
  vat integer not null default 0 check (vat between 0 and 100),
  status text not null default 'pending',
  list_sub_item jsonb not null default '[]',
  position integer not null,
  primary key (shop_id, id),
  foreign key (shop_id, order_id) references orders (shop_id, id),
  foreign key (shop_id, sku_id) references skus (shop_id, id)
);
create index order_items_by_order on order_items (shop_id, order_id, position);
create index order_items_by_sku on order_items (shop_id, sku_id);

-- Where an open order's pieces are kept back; completion takes them, cancelling frees them (G-43).
create table order_reservations (
  shop_id object_id not null,
  order_id object_id not null,
  sku_id object_id not null,
  warehouse_id object_id not null,
  quantity bigint not null check (quantity > 0),
  primary key (shop_id, order_id, sku_id, warehouse_id),
  foreign key (shop_id, order_id) references orders (shop_id, id),
  foreign key (shop_id, sku_id, warehouse_id) references stock (shop_id, sku_id, warehouse_id)
);

create table gateway_payments (
  shop_id object_id not null,
  id object_id not null,
  order_id object_id not null,
  amount bigint not null,
  method text not null,
  note text not null default '',
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, order_id) references orders (shop_id, id)
);
create index gateway_payments_by_order on gateway_payments (shop_id, order_id, created_at);

-- news -----------------------------------------------------------------------------------------------------

create table news (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  title text not null,
  content text not null,
  short_content text not null,
  slug text collate "C" not null default '',
  meta_description text not null default '',
  status text not null default 'active' check (status in ('active', 'inactive')),
  images jsonb not null default '[]',
  cta jsonb not null default '[]',
  search text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
create unique index news_one_per_slug on news (shop_id, slug) where slug <> '';
create index news_by_created on news (shop_id, created_at, id);
create index news_by_status on news (shop_id, status, created_at, id);
create index news_search on news using gin (search gin_trgm_ops);

create table news_items (
  shop_id object_id not null,
  news_id object_id not null,
  product_id object_id not null,
  position bigint generated always as identity,
  primary key (shop_id, news_id, product_id),
  foreign key (shop_id, news_id) references news (shop_id, id) on delete cascade,
  foreign key (shop_id, product_id) references products (shop_id, id) on delete cascade
);

-- templates ------------------------------------------------------------------------------------------------

create table templates (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  oa_id text collate "C" not null,
  name text not null,
  description text,
  title text not null,
  tag text not null check (tag in ('1', '2', '3')),
  template_type text not null check (template_type in ('custom', 'voucher', 'rating')),
  image_type text not null check (image_type in ('logo', 'image')),
  logo_light text,
  logo_dark text,
  images jsonb,
  -- Null on an imported template of the old form, which has tables and paragraphs instead (G-19).
  content_blocks jsonb,
  tables jsonb,
  paragraphs jsonb,
  buttons jsonb not null default '[]',
  params jsonb not null default '[]',
  voucher jsonb,
  rating jsonb,
  is_custom_params boolean not null,
  note text,
  search text not null,
  status text not null default 'DRAFT'
    check (status in ('DRAFT', 'PENDING_REVIEW', 'ENABLE', 'DISABLE', 'REJECTED')),
  reject_reason text,
  is_sync boolean not null default false,
  platform_template_id text collate "C",
  is_deleted_on_platform boolean not null default false,
  preview_url text,
  platform text,
  -- Fees in đồng from the platform at approval; null: not offered on that channel (G-26).
  price_phone bigint check (price_phone >= 0),
  price_uid bigint check (price_uid >= 0),
  timeout_seconds integer,
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  check ((content_blocks is null) <> (paragraphs is null))
);
create index templates_by_created on templates (shop_id, created_at, id);
create unique index templates_by_platform_id on templates (shop_id, platform_template_id)
  where platform_template_id is not null;
-- What polling looks at: the templates under review, the longest unchecked first.
create index templates_under_review on templates (checked_at nulls first) where status = 'PENDING_REVIEW';
-- And, far less often, those the platform has approved: it may switch one off and the event be lost.
create index templates_on_platform on templates (checked_at nulls first)
  where status in ('ENABLE', 'DISABLE') and not is_deleted_on_platform;

-- What was handed to review, word for word. Append-only but for the submission's outcome.
create table template_revisions (
  shop_id object_id not null,
  id object_id not null,
  template_id object_id not null,
  number integer not null,
  document jsonb not null,
  -- When the first try began: from then on the platform may hold it, whatever its answer was.
  attempted_at timestamptz,
  submitted_at timestamptz,
  platform_template_id text collate "C",
  created_at timestamptz not null,
  primary key (shop_id, id),
  unique (shop_id, template_id, number),
  foreign key (shop_id, template_id) references templates (shop_id, id)
);

create table template_events (
  shop_id object_id not null,
  id object_id not null,
  template_id object_id not null,
  from_status text,
  to_status text not null,
  source text not null check (source in ('shop', 'webhook', 'polling', 'submission', 'import')),
  reason text,
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, template_id) references templates (shop_id, id)
);
create index template_events_by_template on template_events (shop_id, template_id, created_at, id);
create trigger template_events_append_only before update or delete on template_events
  for each row execute function refuse_change();

-- messages and money ---------------------------------------------------------------------------------------

-- state: SENDING under a lease; UNKNOWN when the platform's answer never came; RECEIVED and ERROR are ended
-- and are what the history shows (E7).
create table messages (
  shop_id object_id not null references shops (id),
  id object_id not null,
  template_id object_id not null,
  platform_template_id text collate "C" not null,
  oa_id text collate "C" not null,
  channel text collate "C" not null check (channel in ('phone', 'uid')),
  phone text collate "C" not null default '',
  user_uid text collate "C" not null default '',
  params jsonb not null,
  is_sample boolean not null default false,
  state text collate "C" not null check (state in ('SENDING', 'UNKNOWN', 'RECEIVED', 'ERROR')),
  fee bigint not null check (fee >= 0),
  session_id text collate "C" not null default '',
  error_code text,
  error_text text,
  unknown_cause text,
  sent_at timestamptz,
  delivered_at timestamptz,
  -- While SENDING: when recovery may take the message for one whose process died.
  lease_until timestamptz,
  platform_answer jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, template_id) references templates (shop_id, id),
  check ((channel = 'phone') = (phone <> '')),
  check ((channel = 'uid') = (user_uid <> '')),
  check ((state = 'SENDING') = (lease_until is not null)),
  check (state <> 'RECEIVED' or session_id <> ''),
  check (state <> 'ERROR' or (session_id = '' and error_code is not null))
);
create index messages_history on messages (shop_id, created_at, id) where state in ('RECEIVED', 'ERROR');
create index messages_history_by_status on messages (shop_id, state, created_at, id);
create index messages_history_by_phone on messages (shop_id, phone, created_at, id) where channel = 'phone';
create index messages_history_by_template on messages (shop_id, template_id, created_at, id);
create index messages_by_session on messages (shop_id, session_id) where session_id <> '';
create index messages_leased on messages (lease_until) where state = 'SENDING';

-- How many ended messages a shop has by what E7 filters: as order_counts.
create table message_counts (
  shop_id object_id not null references shops (id),
  day date not null,
  template_id object_id not null,
  channel text collate "C" not null,
  state text collate "C" not null,
  n bigint not null default 0,
  primary key (shop_id, day, template_id, channel, state)
) with (fillfactor = 50);

create function count_new_messages() returns trigger language plpgsql as $$
begin
  insert into message_counts as c (shop_id, day, template_id, channel, state, n)
  select m.shop_id, d.day, m.template_id, m.channel, m.state, count(*)
  from changed_new m
    , lateral (values ('-infinity'::date), ((m.created_at at time zone 'UTC')::date)) as d (day)
  where m.state in ('RECEIVED', 'ERROR')
  group by m.shop_id, d.day, m.template_id, m.channel, m.state
  order by m.shop_id, d.day, m.template_id, m.channel, m.state
  on conflict (shop_id, day, template_id, channel, state) do update set n = c.n + excluded.n;
  return null;
end $$;
create function count_ended_message() returns trigger language plpgsql as $$
begin
  insert into message_counts as c (shop_id, day, template_id, channel, state, n)
  select ended.shop_id, d.day, ended.template_id, ended.channel, ended.state, ended.delta
  from (values
    (old.shop_id, old.created_at, old.template_id, old.channel, old.state, -1),
    (new.shop_id, new.created_at, new.template_id, new.channel, new.state, 1)
  ) as ended (shop_id, created_at, template_id, channel, state, delta)
    , lateral (values ('-infinity'::date), ((ended.created_at at time zone 'UTC')::date)) as d (day)
  where ended.state in ('RECEIVED', 'ERROR')
  order by d.day, ended.state
  on conflict (shop_id, day, template_id, channel, state) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger messages_counted_insert after insert on messages
  referencing new table as changed_new for each statement execute function count_new_messages();
create trigger messages_counted_update after update on messages
  for each row when (old.state is distinct from new.state) execute function count_ended_message();

create table wallets (
  shop_id object_id primary key references shops (id),
  -- What can be spent, and what is set aside for messages under way; both in đồng.
  balance bigint not null default 0 check (balance >= 0),
  held bigint not null default 0 check (held >= 0)
) with (fillfactor = 50);

-- Append-only: balance = the sum of amount, held = the sum of held_change.
create table wallet_entries (
  shop_id object_id not null references wallets (shop_id),
  id object_id not null,
  type text collate "C" not null check (type in ('top_up', 'correction', 'hold', 'capture', 'release')),
  amount bigint not null,
  held_change bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  held_after bigint not null check (held_after >= 0),
  message_id object_id,
  note text not null default '',
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, message_id) references messages (shop_id, id),
  check (case type
    when 'hold' then amount < 0 and held_change = -amount and message_id is not null
    when 'capture' then amount = 0 and held_change < 0 and message_id is not null
    when 'release' then amount > 0 and held_change = -amount and message_id is not null
    else held_change = 0 and amount <> 0
  end)
);
create index wallet_entries_by_created on wallet_entries (shop_id, created_at, id);
create unique index wallet_one_hold on wallet_entries (shop_id, message_id) where type = 'hold';
create unique index wallet_one_settlement on wallet_entries (shop_id, message_id)
  where type in ('capture', 'release');
create trigger wallet_entries_append_only before update or delete on wallet_entries
  for each row execute function refuse_change();

-- What the platform told us, kept before it is worked on. Not a shop's table: an OA names the shop only
-- once the event is matched.
create table platform_events (
  id object_id primary key,
  oa_id text collate "C" not null,
  name text not null,
  body jsonb not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  outcome text
);
create index platform_events_open on platform_events (received_at) where processed_at is null;
