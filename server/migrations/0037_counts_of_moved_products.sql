-- Products that change their category, or are retired, are counted once a statement and category instead of once each:
-- in one transaction each count is another version of the same row, which the next has to go past.
drop trigger products_counted_update on products;
drop function count_moved_product();

create function count_moved_products() returns trigger language plpgsql as $$
begin
  insert into product_counts as c (shop_id, category_id, n)
  select shop_id, coalesce(category_id, '') as category, sum(delta)
  from (
    select shop_id, category_id, -1 as delta
    from changed_old
    where deleted_at is null
    union all
    select shop_id, category_id, 1
    from changed_new
    where deleted_at is null
  ) as counted
  group by shop_id, category
  having sum(delta) <> 0
  order by shop_id, category
  on conflict (shop_id, category_id) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger products_counted_update after update on products
  referencing old table as changed_old new table as changed_new
  for each statement execute function count_moved_products();
