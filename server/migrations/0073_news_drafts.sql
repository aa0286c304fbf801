-- Articles that are still being written, in any state, or that wait for their time (G-50). A table of its own: no read of `news`
-- can show one. `problem`: why the service could not publish it at its time; it is not tried again until it is saved.
create table news_drafts (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  title text not null,
  content text not null,
  slug text not null,
  meta_description text not null,
  status text not null check (status in ('active', 'inactive')),
  images jsonb not null,
  cta jsonb not null,
  item_ids jsonb not null,
  publish_at timestamptz,
  problem text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text,
  primary key (shop_id, id)
);

create index news_drafts_due on news_drafts (publish_at) where publish_at is not null and problem is null;
