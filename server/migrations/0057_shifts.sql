-- Who did it, on every order (G-40): of a payment and of an event of the timeline the id of a key or of a member, as in
-- orders.updated_by. Null: not recorded, as before this, or the service itself.
alter table gateway_payments add column taken_by text collate "C";
alter table order_events add column by_id text collate "C";

-- A shift at the counter (G-40): what a key or a member takes from its opening to its closing, and what is in the drawer then.
-- Times, sums and the count of a closed one never change.
create table shifts (
  shop_id object_id not null references shops (id),
  id object_id not null,
  opened_by text collate "C" not null,
  opened_at timestamptz not null,
  opening_cash bigint not null check (opening_cash >= 0),
  note text not null default '',
  closed_by text collate "C",
  closed_at timestamptz,
  expected_cash bigint,
  counted_cash bigint check (counted_cash >= 0),
  closing_note text not null default '',
  primary key (shop_id, id),
  check (num_nulls(closed_by, closed_at, expected_cash, counted_cash) in (0, 4))
);
create unique index shifts_one_open on shifts (shop_id, opened_by) where closed_at is null;
create index shifts_by_opened on shifts (shop_id, opened_at, id);
create index shifts_by_opener on shifts (shop_id, opened_by, opened_at, id);
create trigger shifts_closed_stay before update on shifts
  for each row when (old.closed_at is not null) execute function refuse_change();
create trigger shifts_stay before delete on shifts
  for each row execute function refuse_change();

-- Cash put into the drawer (above 0) or taken out of it, other than by a sale.
create table shift_cash (
  shop_id object_id not null,
  shift_id object_id not null,
  id object_id not null,
  amount bigint not null check (amount <> 0),
  reason text not null check (reason <> ''),
  recorded_by text collate "C" not null,
  created_at timestamptz not null,
  primary key (shop_id, shift_id, id),
  foreign key (shop_id, shift_id) references shifts (shop_id, id)
);
create trigger shift_cash_append_only before update or delete on shift_cash
  for each row execute function refuse_change();

-- The shift of who took a payment, if that had one open then.
alter table gateway_payments add column shift_id object_id,
  add foreign key (shop_id, shift_id) references shifts (shop_id, id);
create index gateway_payments_by_shift on gateway_payments (shop_id, shift_id) where shift_id is not null;

create or replace function record_created_orders() returns trigger language plpgsql as $$
begin
  insert into order_events (shop_id, order_id, kind, detail, by_id, created_at)
  select shop_id, id, 'created', jsonb_build_object('status', status), updated_by, created_at
  from changed_new;
  return null;
end $$;
create or replace function record_order_status() returns trigger language plpgsql as $$
begin
  insert into order_events (shop_id, order_id, kind, detail, by_id, created_at)
  values (new.shop_id, new.id, 'status', jsonb_build_object('from', old.status, 'to', new.status,
    'reason', case new.status when 'cancelled' then new.reason_cancel else '' end), new.updated_by, new.updated_at);
  return null;
end $$;
create or replace function record_payments() returns trigger language plpgsql as $$
begin
  insert into order_events (shop_id, order_id, kind, detail, by_id, created_at)
  select shop_id, order_id, 'payment',
    jsonb_build_object('paymentId', id, 'amount', amount, 'method', method, 'note', note), taken_by, created_at
  from changed_new
  order by created_at, id;
  return null;
end $$;
