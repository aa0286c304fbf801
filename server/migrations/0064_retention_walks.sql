-- When a shop was last walked for what is kept for a time only, so that of several processes one does it, once a day, and goes on
-- where the last walk ended instead of reading the whole history again.
create table retention_walks (
  shop_id object_id primary key references shops (id),
  begun_at timestamptz not null,
  values_before timestamptz
);
