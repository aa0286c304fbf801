-- Who may be sent what (G-77): each consent and each withdrawal with its time and source. Rows are only ever added; the
-- newest by `said_at` holds. Kept by recipient, not by customer: a partner may know a number that no order names.
create table consents (
  shop_id object_id not null references shops (id),
  id object_id not null,
  channel text collate "C" not null check (channel in ('phone', 'uid')),
  recipient text collate "C" not null check (recipient <> ''),
  status text collate "C" not null check (status in ('granted', 'withdrawn')),
  source text not null,
  said_at timestamptz not null,
  actor text collate "C" not null check (actor in ('key', 'member')),
  actor_id object_id not null,
  created_at timestamptz not null,
  primary key (shop_id, id)
);
create index consents_by_recipient on consents (shop_id, channel, recipient, said_at, id);
create index consents_by_said on consents (shop_id, said_at, id);

create trigger consents_append_only
  before update or delete on consents
  for each row execute function refuse_change();
