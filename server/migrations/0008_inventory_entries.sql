-- What was entered into stock by hand (G-38), all of it or nothing; its movements name it.

create table inventory_entries (
  shop_id object_id not null,
  id object_id not null,
  type text collate "C" not null check (type in ('receive', 'issue', 'count', 'transfer')),
  warehouse_id object_id not null,
  -- Where a transfer goes to.
  to_warehouse_id object_id,
  note text not null default '',
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, warehouse_id) references warehouses (shop_id, id),
  foreign key (shop_id, to_warehouse_id) references warehouses (shop_id, id),
  check ((type = 'transfer') = (to_warehouse_id is not null)),
  check (to_warehouse_id <> warehouse_id)
);
create trigger inventory_entries_append_only before update or delete on inventory_entries
  for each row execute function refuse_change();

alter table stock_movements
  add column entry_id object_id,
  add foreign key (shop_id, entry_id) references inventory_entries (shop_id, id);
-- One per filter of the ledger's list: a page is an index range however long the ledger is.
drop index stock_movements_by_sku;
create index stock_movements_by_created on stock_movements (shop_id, created_at, id);
create index stock_movements_by_sku on stock_movements (shop_id, sku_id, created_at, id);
create index stock_movements_by_warehouse on stock_movements (shop_id, warehouse_id, created_at, id);
create index stock_movements_by_type on stock_movements (shop_id, type, created_at, id);
create index stock_movements_by_order on stock_movements (shop_id, order_id, created_at, id)
  where order_id is not null;
create index stock_movements_by_entry on stock_movements (shop_id, entry_id, id) where entry_id is not null;
