-- Templates that are still being written, in any state: what a template needs may be missing (G-18). `content` is the writer's own;
-- the service does not read it.
create table unfinished_templates (
  shop_id object_id not null references shops (id),
  id object_id not null,
  version integer not null default 0,
  name text not null,
  content text not null check (length(content) <= 60000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text,
  primary key (shop_id, id)
);
