-- The totals of a product's stock stand beside it: a sale then writes a narrow row with two indexes, and no longer the
-- product, which has ten. Nobody may sell between the copy and the end of the columns.
lock table products in access exclusive mode;

create table product_stock (
  shop_id object_id not null,
  product_id object_id not null,
  total_quantity bigint not null default 0,
  reserved_quantity bigint not null default 0,
  stock_quantity bigint not null generated always as (total_quantity - reserved_quantity) stored,
  is_retired boolean not null default false,
  primary key (shop_id, product_id)
) with (fillfactor = 80);

insert into product_stock (shop_id, product_id, total_quantity, reserved_quantity, is_retired)
select shop_id, id, total_quantity, reserved_quantity, deleted_at is not null
from products;

-- The list by stock (G-32) walks this index without a look at the products.
create index product_stock_by_quantity on product_stock (shop_id, stock_quantity, product_id) where not is_retired;
alter table product_stock
  add foreign key (shop_id, product_id) references products (shop_id, id) on delete cascade;

alter table products drop column stock_quantity, drop column total_quantity, drop column reserved_quantity;

alter table stock set (fillfactor = 80);

analyze product_stock;
