-- A retired product has no category, but its buyers bought from the category that it had (G-119). No foreign key: retired
-- products do not keep a category from being deleted. The category of products retired before is not known. The index is empty now.
alter table products add column retired_category_id object_id;
create index products_by_retired_category on products (shop_id, retired_category_id) where retired_category_id is not null;
