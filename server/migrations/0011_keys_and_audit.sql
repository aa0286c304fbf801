-- What a key may do (G-60); the keys there are may do all.
alter table api_keys add column scopes text[] collate "C" not null
  default '{read,catalogue,orders,content,messages,wallet}'
  check (cardinality(scopes) > 0 and scopes <@ '{read,catalogue,orders,content,messages,wallet}'::text[]);
create index api_keys_by_created on api_keys (shop_id, created_at, id);

-- Found by name as lib/fold.ts writes it; here once for the shops there are.
alter table shops add column search text not null default '';
update shops
set search = replace(lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g')), 'đ', 'd');
create index shops_by_created on shops (created_at, id);
create index shops_search on shops using gin (search gin_trgm_ops);

-- A message costs this where the platform named no price for its template (G-26, G-61); đồng.
alter table official_accounts add column price_phone bigint check (price_phone between 0 and 1000000000);
alter table official_accounts add column price_uid bigint check (price_uid between 0 and 1000000000);

-- Who changed what in management and on keys (G-60, G-61). Written with the change; never a secret in it.
create table audit_entries (
  shop_id object_id not null references shops (id),
  id object_id not null,
  actor text collate "C" not null check (actor in ('operator', 'key', 'member', 'service')),
  -- The key or the member; the operator and the service have none.
  actor_id object_id,
  action text collate "C" not null,
  -- Ids of what was changed, by name, and what of it.
  target jsonb not null,
  detail jsonb not null,
  request_id object_id,
  address text,
  created_at timestamptz not null,
  primary key (shop_id, id),
  check ((actor in ('key', 'member')) = (actor_id is not null))
);
create index audit_entries_by_created on audit_entries (shop_id, created_at, id);
-- The operator's list of all shops.
create index audit_entries_newest on audit_entries (created_at, id);
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
