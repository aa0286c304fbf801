-- Products that no entry of stock names were never stocked (G-126). The list of low ones is then a range of its own index,
-- which goods and services without stock, at 0 or below, do not lengthen.
update product_stock t
set is_stocked = false
where not exists (
  select
  from stock_movements m
  join skus s on s.shop_id = m.shop_id and s.id = m.sku_id
  where m.entry_id is not null and m.shop_id = t.shop_id and s.product_id = t.product_id
);

create index product_stock_low on product_stock (shop_id, stock_quantity, product_id) where is_stocked and not is_retired;
