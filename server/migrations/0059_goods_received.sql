-- Goods received with their supplier and their cost, counts with what was counted, and who wrote an entry (G-38, decision 0038).
-- Null: not recorded, as before this, or the service itself.
alter table inventory_entries
  add column supplier text not null default '',
  add column recorded_by text collate "C";
alter table inventory_entries
  add constraint inventory_entries_supplier_check check (supplier = '' or type = 'receive') not valid;
create index inventory_entries_by_created on inventory_entries (shop_id, created_at, id);
create index inventory_entries_by_type on inventory_entries (shop_id, type, created_at, id);

-- In đồng a piece, of a receipt; the pieces that were there, of a count.
alter table stock_movements add column unit_cost bigint, add column counted bigint;
alter table stock_movements
  add constraint stock_movements_unit_cost_check check (unit_cost is null or (unit_cost >= 0 and type = 'receive')) not valid,
  add constraint stock_movements_counted_check check (counted is null or (counted >= 0 and type = 'count')) not valid;

-- Whom goods came from: a name as it was last written, one for each folded text. Receipts keep the text, not the id.
create table suppliers (
  shop_id object_id not null references shops (id),
  id object_id not null,
  name text not null check (name <> ''),
  search text not null,
  last_received_at timestamptz not null,
  primary key (shop_id, id),
  constraint suppliers_one_name unique (shop_id, search)
);
create index suppliers_by_last_received on suppliers (shop_id, last_received_at, id);

-- What a piece of a SKU costs on average: value / pieces, both as the last receipt left them; no pieces while no cost is known.
-- A receipt writes it, a sale reads unit_cost without a lock. Narrow, beside the SKUs: nothing else writes here.
create table sku_costs (
  shop_id object_id not null,
  sku_id object_id not null,
  value bigint not null default 0 check (value >= 0),
  pieces bigint not null default 0 check (pieces >= 0),
  -- Whole đồng, half up: never 2 × value, which the largest values do not have room for.
  unit_cost bigint generated always as (
    case when pieces > 0 then value / pieces + case when value % pieces >= pieces - value % pieces then 1 else 0 end end
  ) stored,
  updated_at timestamptz not null,
  primary key (shop_id, sku_id),
  foreign key (shop_id, sku_id) references skus (shop_id, id) on delete cascade,
  check (pieces > 0 or value = 0)
) with (fillfactor = 80);
