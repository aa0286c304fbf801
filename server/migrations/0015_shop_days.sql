-- What a shop did on each day of its zone, for the console's overview: 30 rows instead of a month's orders and
-- messages. Changed with the order and the message; an order that is cancelled is taken out of its day again.

create table shop_days (
  shop_id object_id not null references shops (id),
  day date not null,
  orders bigint not null default 0,
  revenue bigint not null default 0,
  accepted bigint not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  -- Fees of the accepted messages, in đồng.
  spend bigint not null default 0,
  primary key (shop_id, day)
) with (fillfactor = 50);

create function shop_day(at timestamptz) returns date language sql immutable parallel safe
  return (at at time zone 'Asia/Ho_Chi_Minh')::date;

create function add_new_orders_to_day() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, orders, revenue)
  select shop_id, shop_day(created_at) as day, count(*), sum(price)
  from changed_new
  where status <> 'cancelled'
  group by shop_id, day
  order by shop_id, day
  on conflict (shop_id, day) do update
    set orders = d.orders + excluded.orders, revenue = d.revenue + excluded.revenue;
  return null;
end $$;
create function move_orders_in_days() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, orders, revenue)
  select shop_id, shop_day(created_at) as day, sum(delta), sum(delta * price)
  from (
    select shop_id, created_at, price, -1 as delta
    from changed_old
    where status <> 'cancelled'
    union all
    select shop_id, created_at, price, 1
    from changed_new
    where status <> 'cancelled'
  ) as counted
  group by shop_id, day
  having (sum(delta), sum(delta * price)) <> (0, 0)
  order by shop_id, day
  on conflict (shop_id, day) do update
    set orders = d.orders + excluded.orders, revenue = d.revenue + excluded.revenue;
  return null;
end $$;
create trigger orders_in_days_insert after insert on orders
  referencing new table as changed_new for each statement execute function add_new_orders_to_day();
create trigger orders_in_days_update after update on orders
  referencing old table as changed_old new table as changed_new
  for each statement execute function move_orders_in_days();

create function add_new_messages_to_day() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
  select shop_id, shop_day(created_at) as day, count(*) filter (where state = 'RECEIVED'),
    count(*) filter (where state = 'RECEIVED' and delivered_at is not null), count(*) filter (where state = 'ERROR'),
    coalesce(sum(fee) filter (where state = 'RECEIVED'), 0)
  from changed_new
  where state in ('RECEIVED', 'ERROR')
  group by shop_id, day
  order by shop_id, day
  on conflict (shop_id, day) do update
    set accepted = d.accepted + excluded.accepted, delivered = d.delivered + excluded.delivered,
      failed = d.failed + excluded.failed, spend = d.spend + excluded.spend;
  return null;
end $$;
create function move_messages_in_days() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
  select shop_id, shop_day(created_at) as day, sum(accepted), sum(delivered), sum(failed), sum(spend)
  from (
    select shop_id, created_at, -(state = 'RECEIVED')::integer as accepted,
      -(state = 'RECEIVED' and delivered_at is not null)::integer as delivered, -(state = 'ERROR')::integer as failed,
      case when state = 'RECEIVED' then -fee else 0 end as spend
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, created_at, (state = 'RECEIVED')::integer,
      (state = 'RECEIVED' and delivered_at is not null)::integer, (state = 'ERROR')::integer,
      case when state = 'RECEIVED' then fee else 0 end
    from changed_new
    where state in ('RECEIVED', 'ERROR')
  ) as counted
  group by shop_id, day
  having (sum(accepted), sum(delivered), sum(failed), sum(spend)) <> (0, 0, 0, 0)
  order by shop_id, day
  on conflict (shop_id, day) do update
    set accepted = d.accepted + excluded.accepted, delivered = d.delivered + excluded.delivered,
      failed = d.failed + excluded.failed, spend = d.spend + excluded.spend;
  return null;
end $$;
create trigger messages_in_days_insert after insert on messages
  referencing new table as changed_new for each statement execute function add_new_messages_to_day();
create trigger messages_in_days_update after update on messages
  referencing old table as changed_old new table as changed_new
  for each statement execute function move_messages_in_days();

insert into shop_days (shop_id, day, orders, revenue)
select shop_id, shop_day(created_at), count(*), sum(price)
from orders
where status <> 'cancelled'
group by 1, 2;
insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
select shop_id, shop_day(created_at), count(*) filter (where state = 'RECEIVED'),
  count(*) filter (where state = 'RECEIVED' and delivered_at is not null), count(*) filter (where state = 'ERROR'),
  coalesce(sum(fee) filter (where state = 'RECEIVED'), 0)
from messages
where state in ('RECEIVED', 'ERROR')
group by 1, 2
on conflict (shop_id, day) do update
  set accepted = excluded.accepted, delivered = excluded.delivered, failed = excluded.failed, spend = excluded.spend;
