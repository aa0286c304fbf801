-- Groups of customers chosen by what they did, kept under a name (G-119). Only the conditions are kept: who meets them is looked up
-- when an audience is used (decision 0056).
create table audiences (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  name text not null,
  -- As searches compare it: two that look the same are one.
  folded_name text not null,
  match text collate "C" not null check (match in ('all', 'any')),
  conditions jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text,
  primary key (shop_id, id),
  constraint audiences_one_per_name unique (shop_id, folded_name)
);
