-- A search reads its own shop's part of the trigram indexes: a small shop no longer pays for its neighbours, nor a rare word
-- for all rows of the shop.
create extension if not exists btree_gin;

drop index products_search;
drop index orders_search;
drop index customers_search;
drop index news_search;
create index products_search on products using gin (shop_id, search gin_trgm_ops);
create index orders_search on orders using gin (shop_id, search gin_trgm_ops);
create index customers_search on customers using gin (shop_id, search gin_trgm_ops);
create index news_search on news using gin (shop_id, search gin_trgm_ops);

-- How many rows a word fits is guessed from a sample of texts: a hundred cannot tell a rare word from one in a hundred.
alter table products alter column search set statistics 500;
alter table orders alter column search set statistics 500;
alter table customers alter column search set statistics 500;
