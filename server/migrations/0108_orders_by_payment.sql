-- The list of orders is filtered by payment status, and by whether something is still owed (E12). The home counts these and adds up what
-- is owed. The indexes contain what is counted: without it, PostgreSQL, which does not know how many orders of one shop are unpaid, read
-- all orders of a shop with few unpaid ones (300,000 orders: 230 ms instead of 10).
create index orders_by_payment_status on orders (shop_id, payment_status, created_at, id) include (status, price);
create index orders_owed on orders (shop_id, created_at, id) include (status, price, paid_amount)
where status <> 'cancelled' and not is_paid and price > paid_amount;
