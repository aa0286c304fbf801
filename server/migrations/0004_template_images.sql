-- A deleted template stays as a row: its timeline, revisions and messages go on naming it.
alter table templates add column deleted_at timestamptz;
alter table templates add check (deleted_at is null or status in ('DRAFT', 'REJECTED'));

-- The images that an official account has on the platform, by their content; `address` is where one was first
-- found.
create table template_media (
  shop_id object_id not null references shops (id),
  oa_id text collate "C" not null,
  sha256 text collate "C" not null check (length(sha256) = 64),
  address text not null,
  media_id text not null,
  created_at timestamptz not null,
  primary key (shop_id, oa_id, sha256)
);
