-- What a customer owed before the shop kept its orders here (G-124): a debt without an order, which is paid before the orders are.
create table opening_debts (
  shop_id object_id not null,
  customer_id object_id not null,
  amount bigint not null,
  paid_amount bigint not null default 0,
  version integer not null default 0,
  recorded_by text collate "C",
  recorded_at timestamptz not null,
  constraint opening_debts_pkey primary key (shop_id, customer_id),
  constraint opening_debts_amount_check check (amount between 0 and 9000000000000),
  constraint opening_debts_paid_check check (paid_amount between 0 and amount),
  constraint opening_debts_shop_id_customer_id_fkey foreign key (shop_id, customer_id) references customers (shop_id, id)
);
create index opening_debts_owed on opening_debts (shop_id, customer_id) include (amount, paid_amount) where amount > paid_amount;

-- Each amount that was recorded; `version` is that of the debt.
create table opening_debt_entries (
  shop_id object_id not null,
  customer_id object_id not null,
  version integer not null,
  amount bigint not null,
  by_id text collate "C",
  created_at timestamptz not null,
  constraint opening_debt_entries_pkey primary key (shop_id, customer_id, version),
  constraint opening_debt_entries_shop_id_customer_id_fkey foreign key (shop_id, customer_id) references customers (shop_id, id)
);

create function record_opening_debt() returns trigger language plpgsql as $$
begin
  insert into opening_debt_entries (shop_id, customer_id, version, amount, by_id, created_at)
  values (new.shop_id, new.customer_id, new.version, new.amount, new.recorded_by, new.recorded_at);
  return null;
end $$;

create trigger opening_debts_recorded after insert on opening_debts for each row execute function record_opening_debt();
create trigger opening_debts_corrected after update on opening_debts for each row
  when (new.version <> old.version) execute function record_opening_debt();
create trigger opening_debts_stamped after insert or delete or update on opening_debts for each row
  execute function stamp_change('customers');
create trigger opening_debt_entries_append_only before delete or update on opening_debt_entries for each row
  execute function refuse_change();

-- The part of a customer's payment that went to the opening debt belongs to no order, but to a shift and to the payment.
alter table gateway_payments alter column order_id drop not null,
  add constraint gateway_payments_order_or_debt_check check (order_id is not null or debt_payment_id is not null);

create or replace function record_payments() returns trigger language plpgsql as $$
begin
  insert into order_events (shop_id, order_id, kind, detail, by_id, created_at)
  select shop_id, order_id, 'payment',
    jsonb_build_object('paymentId', id, 'amount', amount, 'method', method, 'note', note), taken_by, created_at
  from changed_new
  where order_id is not null
  order by created_at, id;
  return null;
end $$;
