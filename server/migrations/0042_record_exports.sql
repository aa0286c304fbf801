-- Exports that were asked for (G-67). The file is made as it is read, so there is none to keep: a row says what to read, and
-- the cursor from which on the feed of changes continues it.
create table record_exports (
  shop_id object_id not null,
  id object_id not null,
  type text collate "C" not null check (type in ('product', 'order', 'customer', 'stock', 'news')),
  cursor text not null,
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id) references shops (id)
);
create index record_exports_by_created on record_exports (created_at);
