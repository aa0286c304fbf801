-- Who sold an order: the id of a key or of a member, as in orders.updated_by, which the next change overwrites. Null: not
-- recorded, as before this. Alone in its migration, as it locks the table from readers too, for a moment.
alter table orders add column sold_by text collate "C";
