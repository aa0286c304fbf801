-- Goods of a completed order that the customer brings back (G-123): what came back lowers what the order costs, in all sums. Rows from
-- before have 0. No row is checked again for the new limits; the two indexes of debts are built anew, about 1 s with 1,000,000 orders,
-- in which orders are not written.

alter table orders add column returned_amount bigint not null default 0,
  add constraint orders_returned_amount_check check (returned_amount between 0 and price) not valid;
alter table order_items add column returned_quantity integer not null default 0,
  add column returned_amount bigint not null default 0,
  add constraint order_items_returned_quantity_check check (returned_quantity between 0 and quantity) not valid,
  add constraint order_items_returned_amount_check check (returned_amount >= 0) not valid;

create table order_returns (
  shop_id object_id not null,
  id object_id not null,
  order_id object_id not null,
  -- What it lowers the order by: its lines less the fee that the shop keeps.
  amount bigint not null check (amount >= 0),
  fee bigint not null default 0 check (fee >= 0),
  refund_amount bigint not null default 0 check (refund_amount >= 0),
  refund_method text not null default '',
  -- Where the pieces were put back into stock; null if they were not.
  warehouse_id object_id,
  note text not null default '',
  by_id text collate "C",
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, order_id) references orders (shop_id, id),
  foreign key (shop_id, warehouse_id) references warehouses (shop_id, id)
);
create index order_returns_by_order on order_returns (shop_id, order_id, created_at, id);
create trigger order_returns_append_only before update or delete on order_returns
for each row execute function refuse_change();

create table order_return_lines (
  shop_id object_id not null,
  return_id object_id not null,
  order_item_id object_id not null,
  quantity integer not null check (quantity >= 1),
  amount bigint not null check (amount >= 0),
  primary key (shop_id, return_id, order_item_id),
  foreign key (shop_id, return_id) references order_returns (shop_id, id),
  foreign key (shop_id, order_item_id) references order_items (shop_id, id)
);
create trigger order_return_lines_append_only before update or delete on order_return_lines
for each row execute function refuse_change();

alter table stock_movements drop constraint stock_movements_type_check,
  add constraint stock_movements_type_check check (type in ('receive', 'issue', 'count', 'transfer', 'order', 'return')) not valid;
alter table order_events drop constraint order_events_kind_check,
  add constraint order_events_kind_check check (kind in ('created', 'status', 'payment', 'return')) not valid;

drop index orders_owed;
create index orders_owed on orders (shop_id, created_at, id) include (status, price, paid_amount, returned_amount)
where status <> 'cancelled' and not is_paid and price - returned_amount > paid_amount;
drop index orders_owed_by_customer;
create index orders_owed_by_customer on orders (shop_id, customer_id, created_at, id) include (price, paid_amount, returned_amount)
where customer_id is not null and status <> 'cancelled' and not is_paid and price - returned_amount > paid_amount;

create or replace function move_orders_in_days() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, orders, revenue)
  select shop_id, shop_day(created_at) as day, sum(delta), sum(delta * net)
  from (
    select shop_id, created_at, price - returned_amount as net, -1 as delta
    from changed_old
    where status <> 'cancelled'
    union all
    select shop_id, created_at, price - returned_amount, 1
    from changed_new
    where status <> 'cancelled'
  ) as counted
  group by shop_id, day
  having (sum(delta), sum(delta * net)) <> (0, 0)
  order by shop_id, day
  on conflict (shop_id, day) do update
    set orders = d.orders + excluded.orders, revenue = d.revenue + excluded.revenue;
  insert into sale_hours as h (shop_id, day, hour, sold_by, orders, revenue)
  select shop_id, shop_day(created_at) as day, shop_hour(created_at) as hour, coalesce(sold_by, '') as seller, sum(delta),
    sum(delta * net)
  from (
    select shop_id, created_at, sold_by, price - returned_amount as net, -1 as delta
    from changed_old
    where status <> 'cancelled'
    union all
    select shop_id, created_at, sold_by, price - returned_amount, 1
    from changed_new
    where status <> 'cancelled'
  ) as counted
  group by shop_id, day, hour, seller
  having (sum(delta), sum(delta * net)) <> (0, 0)
  order by shop_id, day, hour, seller
  on conflict (shop_id, day, hour, sold_by) do update
    set orders = h.orders + excluded.orders, revenue = h.revenue + excluded.revenue;
  return null;
end $$;
