-- The timeline of an order (G-40), in the order of `id`. Written by triggers in the statement that makes the change,
-- as the counters are (decision 0002): no writer of orders can forget it.
-- detail: created {status}, null where it was not known; status {from, to, reason}; payment {paymentId, amount,
-- method, note}, below 0 for money given back.
create table order_events (
  shop_id object_id not null,
  order_id object_id not null,
  id bigint generated always as identity,
  kind text collate "C" not null check (kind in ('created', 'status', 'payment')),
  detail jsonb not null,
  created_at timestamptz not null,
  primary key (shop_id, order_id, id),
  foreign key (shop_id, order_id) references orders (shop_id, id)
);

insert into order_events (shop_id, order_id, kind, detail, created_at)
select shop_id, id, 'created', '{"status": null}', created_at
from orders
order by created_at, id;
insert into order_events (shop_id, order_id, kind, detail, created_at)
select shop_id, order_id, 'payment',
  jsonb_build_object('paymentId', id, 'amount', amount, 'method', method, 'note', note), created_at
from gateway_payments
order by created_at, id;

create trigger order_events_append_only before update or delete on order_events
  for each row execute function refuse_change();
create trigger gateway_payments_append_only before update or delete on gateway_payments
  for each row execute function refuse_change();

create function tell_new_orders() returns trigger language plpgsql as $$
begin
  insert into order_events (shop_id, order_id, kind, detail, created_at)
  select shop_id, id, 'created', jsonb_build_object('status', status), created_at
  from changed_new;
  return null;
end $$;
create function tell_moved_order() returns trigger language plpgsql as $$
begin
  insert into order_events (shop_id, order_id, kind, detail, created_at)
  values (new.shop_id, new.id, 'status', jsonb_build_object('from', old.status, 'to', new.status,
    'reason', case new.status when 'cancelled' then new.reason_cancel else '' end), new.updated_at);
  return null;
end $$;
create function tell_new_payments() returns trigger language plpgsql as $$
begin
  insert into order_events (shop_id, order_id, kind, detail, created_at)
  select shop_id, order_id, 'payment',
    jsonb_build_object('paymentId', id, 'amount', amount, 'method', method, 'note', note), created_at
  from changed_new
  order by created_at, id;
  return null;
end $$;
create trigger orders_told_insert after insert on orders
  referencing new table as changed_new for each statement execute function tell_new_orders();
create trigger orders_told_update after update on orders
  for each row when (old.status is distinct from new.status) execute function tell_moved_order();
create trigger gateway_payments_told_insert after insert on gateway_payments
  referencing new table as changed_new for each statement execute function tell_new_payments();
