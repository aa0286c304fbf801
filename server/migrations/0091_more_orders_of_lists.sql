-- Orders sorted by their price and customers sorted by their name are ranges of an index (G-113). The names are the folded ones that
-- the search has.
create index orders_by_price on orders (shop_id, price, id);
create index customers_by_name on customers (shop_id, search, id);
