-- Who changed a record last, so that a person whose save meets another's (G-71) reads whose it was: the id of a key or of a
-- member; null for the operator's token, the service itself, and changes from before this column.
alter table customers add column updated_by text;
alter table news add column updated_by text;
alter table templates add column updated_by text;
alter table categories add column updated_by text;
alter table warehouses add column updated_by text;
alter table shops add column updated_by text;
alter table webhook_endpoints add column updated_by text;
alter table orders add column updated_by text;

-- Records whose changes were not counted yet: one more at each change of what people set.
alter table warehouses add column version integer not null default 0;
alter table shops add column version integer not null default 0;
alter table webhook_endpoints add column version integer not null default 0;
