-- One payment of a customer for several orders (G-46): what was given is one record, and a payment record on each order that it
-- pays carries its id, so that it is found again and written once, however often it is sent.
create table debt_payments (
  shop_id object_id not null,
  id object_id not null,
  customer_id object_id not null,
  amount bigint not null check (amount > 0),
  method text not null,
  note text not null default '',
  taken_by text collate "C",
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, customer_id) references customers (shop_id, id)
);
create index debt_payments_by_customer on debt_payments (shop_id, customer_id, created_at, id);
create trigger debt_payments_append_only before update or delete on debt_payments
  for each row execute function refuse_change();

alter table gateway_payments add column debt_payment_id object_id,
  add foreign key (shop_id, debt_payment_id) references debt_payments (shop_id, id);
create index gateway_payments_by_debt_payment on gateway_payments (shop_id, debt_payment_id)
  where debt_payment_id is not null;
