-- Whether an entry of stock ever named the product: services, and goods that a shop sells without keeping their stock,
-- are not low on stock (G-126). Existing products count as stocked until 0126 has read the ledger; a constant default
-- rewrites nothing.
alter table product_stock add column is_stocked boolean not null default true;
alter table product_stock alter column is_stocked set default false;
