-- What operators change that is no shop's: who is an operator, links that set a person's password (G-61). Apart from
-- audit_entries, so that every row there stays one shop's.
create table operator_audit_entries (
  id object_id primary key,
  -- An operator who is signed in is a member by name; the token is nobody's.
  actor text collate "C" not null check (actor in ('operator', 'member')),
  actor_id object_id,
  action text collate "C" not null,
  target jsonb not null,
  detail jsonb not null,
  request_id object_id not null,
  address text not null,
  created_at timestamptz not null,
  check ((actor = 'member') = (actor_id is not null))
);
create index operator_audit_entries_newest on operator_audit_entries (created_at, id);
create trigger operator_audit_entries_append_only before update or delete on operator_audit_entries
  for each row execute function refuse_change();
