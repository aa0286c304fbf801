-- What a shop's data of one area is at: the sum of its slots grows with each committed change, in the change's own
-- transaction. An answer that was read at one sum is still right while the sum is the same (decision 0025). A change takes a
-- slot that nobody holds, or makes one, so that none ever waits here; nothing refers to the table for the same reason.
create table change_stamps (
  shop_id object_id not null,
  area text collate "C" not null,
  slot bigint not null default (random() * 9007199254740991)::bigint,
  stamp bigint not null,
  primary key (shop_id, area, slot)
) with (fillfactor = 70);

-- Once a transaction for each shop and area: a setting of the transaction says that it was done, and is undone with it. A
-- step is of any size, so that a database that was put back and changed anew hardly comes to a sum that it had before.
create function stamp_change() returns trigger language plpgsql as $$
declare
  changed text := case tg_op when 'DELETE' then old.shop_id else new.shop_id end;
  done text := 'shopbell.stamped_' || tg_argv[0];
  step bigint;
begin
  if current_setting(done, true) = changed then
    return null;
  end if;
  step := 1 + floor(random() * 1000000);
  update change_stamps c
  set stamp = c.stamp + step
  from (
    select slot
    from change_stamps
    where shop_id = changed and area = tg_argv[0]
    limit 1
    for update skip locked
  ) free
  where c.shop_id = changed and c.area = tg_argv[0] and c.slot = free.slot;
  if not found then
    insert into change_stamps (shop_id, area, stamp) values (changed, tg_argv[0], step);
  end if;
  perform set_config(done, changed, true);
  return null;
end $$;

create trigger products_stamped after insert or update or delete on products
  for each row execute function stamp_change('catalogue');
create trigger skus_stamped after insert or update or delete on skus
  for each row execute function stamp_change('catalogue');
create trigger variant_groups_stamped after insert or update or delete on variant_groups
  for each row execute function stamp_change('catalogue');
create trigger variant_options_stamped after insert or update or delete on variant_options
  for each row execute function stamp_change('catalogue');
create trigger product_codes_stamped after insert or update or delete on product_codes
  for each row execute function stamp_change('catalogue');
create trigger product_counts_stamped after insert or update or delete on product_counts
  for each row execute function stamp_change('catalogue');
create trigger categories_stamped after insert or update or delete on categories
  for each row execute function stamp_change('catalogue');
create trigger wholesale_prices_stamped after insert or update or delete on wholesale_prices
  for each row execute function stamp_change('catalogue');
create trigger sub_item_groups_stamped after insert or update or delete on sub_item_groups
  for each row execute function stamp_change('catalogue');
create trigger sub_items_stamped after insert or update or delete on sub_items
  for each row execute function stamp_change('catalogue');
create trigger warehouses_stamped after insert or update or delete on warehouses
  for each row execute function stamp_change('catalogue');

create trigger orders_stamped after insert or update or delete on orders
  for each row execute function stamp_change('sales');
create trigger order_items_stamped after insert or update or delete on order_items
  for each row execute function stamp_change('sales');
create trigger order_counts_stamped after insert or update or delete on order_counts
  for each row execute function stamp_change('sales');
create trigger gateway_payments_stamped after insert or update or delete on gateway_payments
  for each row execute function stamp_change('sales');
create trigger shop_addresses_stamped after insert or update or delete on shop_addresses
  for each row execute function stamp_change('sales');
create trigger stock_stamped after insert or update or delete on stock
  for each row execute function stamp_change('sales');
create trigger product_stock_stamped after insert or update or delete on product_stock
  for each row execute function stamp_change('sales');

create trigger customers_stamped after insert or update or delete on customers
  for each row execute function stamp_change('customers');
create trigger shop_counters_stamped after insert or update on shop_counters
  for each row when (new.name = 'customers') execute function stamp_change('customers');

create trigger news_stamped after insert or update or delete on news
  for each row execute function stamp_change('news');
create trigger news_items_stamped after insert or update or delete on news_items
  for each row execute function stamp_change('news');
