-- The views that a member has saved of the console's lists: filters, search and order under names, one row a list. They are
-- deleted with the membership.
create table saved_views (
  shop_id object_id not null,
  user_id object_id not null,
  list text collate "C" not null,
  views jsonb not null,
  updated_at timestamptz not null,
  primary key (shop_id, user_id, list),
  foreign key (shop_id, user_id) references members (shop_id, user_id) on delete cascade
);
