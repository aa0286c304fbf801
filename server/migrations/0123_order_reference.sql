-- Another name that an order is found by, such as that of a slip printed during an outage (E14 `reference`).
alter table orders add column reference text;
