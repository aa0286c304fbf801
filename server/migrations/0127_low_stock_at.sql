-- With how many pieces available, or fewer, a stocked product of the shop is low on stock (G-126).
alter table shops add column low_stock_at integer not null default 5,
  add constraint shops_low_stock_at_check check (low_stock_at between 0 and 1000000);
