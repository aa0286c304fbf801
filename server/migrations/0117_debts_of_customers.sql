-- What a customer owes, for each customer of a list: without the index, the orders of a customer are read one by one, paid or not.
create index orders_owed_by_customer on orders (shop_id, customer_id, created_at, id) include (price, paid_amount)
where customer_id is not null and status <> 'cancelled' and not is_paid and price > paid_amount;
