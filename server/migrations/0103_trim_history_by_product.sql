-- The newest 200 entries of a product are looked up by its index, product after product. As one statement for all of them, the
-- planner expected 200 products in each transition table and read the history of all shops instead: 2.5 ms for each change.
create or replace function trim_product_history() returns trigger language plpgsql as $$
declare
  one record;
  newest_to_go bigint;
begin
  for one in select distinct n.shop_id, n.product_id from written n where n.kind <> 'created' loop
    select h.id into newest_to_go
    from product_history h
    where h.shop_id = one.shop_id and h.product_id = one.product_id
    order by h.id desc
    offset 200
    limit 1;
    if found then
      delete from product_history h
      where h.shop_id = one.shop_id and h.product_id = one.product_id and h.id <= newest_to_go;
    end if;
  end loop;
  return null;
end $$;
