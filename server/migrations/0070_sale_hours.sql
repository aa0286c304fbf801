-- What each seller of a shop took in each hour of a day of its zone, for the console's home: today up to now beside yesterday up to
-- then, without reading orders. Changed with the order, as shop_days is, whose row of the day is locked first; an order that is
-- cancelled is taken out again. Orders and messages are not written while the past is added up: about 2 s with 1,000,000 of each.

create table sale_hours (
  shop_id object_id not null references shops (id),
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  -- Empty: not recorded.
  sold_by text collate "C" not null,
  orders bigint not null default 0,
  revenue bigint not null default 0,
  primary key (shop_id, day, hour, sold_by)
) with (fillfactor = 50);

create function shop_hour(at timestamptz) returns smallint language sql immutable parallel safe
  return extract(hour from at at time zone 'Asia/Ho_Chi_Minh')::smallint;

lock table orders, messages in share mode;

create index orders_by_seller on orders (shop_id, sold_by, created_at, id) where sold_by is not null;

insert into sale_hours (shop_id, day, hour, sold_by, orders, revenue)
select shop_id, shop_day(created_at), shop_hour(created_at), '', count(*), sum(price)
from orders
where status <> 'cancelled'
group by 1, 2, 3;

create or replace function add_new_orders_to_day() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, orders, revenue)
  select shop_id, shop_day(created_at) as day, count(*), sum(price)
  from changed_new
  where status <> 'cancelled'
  group by shop_id, day
  order by shop_id, day
  on conflict (shop_id, day) do update
    set orders = d.orders + excluded.orders, revenue = d.revenue + excluded.revenue;
  insert into sale_hours as h (shop_id, day, hour, sold_by, orders, revenue)
  select shop_id, shop_day(created_at) as day, shop_hour(created_at) as hour, coalesce(sold_by, '') as seller, count(*), sum(price)
  from changed_new
  where status <> 'cancelled'
  group by shop_id, day, hour, seller
  order by shop_id, day, hour, seller
  on conflict (shop_id, day, hour, sold_by) do update
    set orders = h.orders + excluded.orders, revenue = h.revenue + excluded.revenue;
  return null;
end $$;
create or replace function move_orders_in_days() returns trigger language plpgsql as $$
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
  insert into sale_hours as h (shop_id, day, hour, sold_by, orders, revenue)
  select shop_id, shop_day(created_at) as day, shop_hour(created_at) as hour, coalesce(sold_by, '') as seller, sum(delta),
    sum(delta * price)
  from (
    select shop_id, created_at, sold_by, price, -1 as delta
    from changed_old
    where status <> 'cancelled'
    union all
    select shop_id, created_at, sold_by, price, 1
    from changed_new
    where status <> 'cancelled'
  ) as counted
  group by shop_id, day, hour, seller
  having (sum(delta), sum(delta * price)) <> (0, 0)
  order by shop_id, day, hour, seller
  on conflict (shop_id, day, hour, sold_by) do update
    set orders = h.orders + excluded.orders, revenue = h.revenue + excluded.revenue;
  return null;
end $$;

-- Messages count on the day on which they were sent, as in the list of messages, no longer on that of their acceptance: a batch of the
-- evening that goes out after midnight is found by the day that counts it.
insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
select shop_id, moved.day, sum(moved.sign * (state = 'RECEIVED')::integer),
  sum(moved.sign * (state = 'RECEIVED' and delivered_at is not null)::integer), sum(moved.sign * (state = 'ERROR')::integer),
  sum(case when state = 'RECEIVED' then moved.sign * fee else 0 end)
from messages
  , lateral (values (shop_day(created_at), -1), (shop_day(sending_at), 1)) as moved (day, sign)
where state in ('RECEIVED', 'ERROR') and shop_day(created_at) <> shop_day(sending_at)
group by shop_id, moved.day
on conflict (shop_id, day) do update
  set accepted = d.accepted + excluded.accepted, delivered = d.delivered + excluded.delivered,
    failed = d.failed + excluded.failed, spend = d.spend + excluded.spend;

create or replace function add_new_messages_to_day() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
  select shop_id, shop_day(sending_at) as day, count(*) filter (where state = 'RECEIVED'),
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
create or replace function move_messages_in_days() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
  select shop_id, shop_day(sending_at) as day, sum(accepted), sum(delivered), sum(failed), sum(spend)
  from (
    select shop_id, sending_at, -(state = 'RECEIVED')::integer as accepted,
      -(state = 'RECEIVED' and delivered_at is not null)::integer as delivered, -(state = 'ERROR')::integer as failed,
      case when state = 'RECEIVED' then -fee else 0 end as spend
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, sending_at, (state = 'RECEIVED')::integer,
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
