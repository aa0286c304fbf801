-- What happened in a shop, told to the endpoints it has registered (G-62). A change writes its event in its own
-- transaction; the trigger below writes who is to be told, so that neither is ever there without the other.

create table webhook_endpoints (
  shop_id object_id not null references shops (id),
  id object_id not null,
  url text not null,
  -- Types of events, or '*' alone.
  events text[] not null check (cardinality(events) >= 1),
  -- Sealed. The old one signs along until its time is over.
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  disabled_at timestamptz,
  disabled_reason text collate "C" check (disabled_reason in ('requested', 'failing', 'gone')),
  -- Since when every delivery has failed; null after a good one.
  failing_since timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((old_secret is null) = (old_secret_until is null))
) with (fillfactor = 70);
-- What every writer of an event looks at first: a shop without endpoints pays one probe.
create index webhook_endpoints_listening on webhook_endpoints (shop_id) where deleted_at is null;

-- 24 hexadecimal characters whose first 8 are the second, as the ids made in the process.
create function new_object_id(at timestamptz) returns text language sql volatile as $$
  select lpad(to_hex(extract(epoch from at)::bigint), 8, '0') || substr(u, 1, 12) || substr(u, 21, 4)
  from replace(gen_random_uuid()::text, '-', '') as u
$$;

create table shop_events (
  shop_id object_id not null references shops (id),
  id object_id not null,
  type text collate "C" not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (shop_id, id)
);
create index shop_events_by_created on shop_events (created_at);
-- Old ones are deleted, none is ever changed.
create trigger shop_events_append_only before update on shop_events
  for each row execute function refuse_change();

-- One event for one endpoint. pending: goes out at due_at; queued: a job has it; failed: given up, or the endpoint
-- was switched off.
create table webhook_deliveries (
  shop_id object_id not null,
  endpoint_id object_id not null,
  event_id object_id not null,
  state text collate "C" not null check (state in ('pending', 'queued', 'delivered', 'failed')),
  due_at timestamptz not null,
  -- Attempts in all, and since it was last asked for.
  attempts integer not null default 0,
  tries integer not null default 0,
  created_at timestamptz not null,
  primary key (shop_id, endpoint_id, event_id),
  foreign key (shop_id, endpoint_id) references webhook_endpoints (shop_id, id),
  foreign key (shop_id, event_id) references shop_events (shop_id, id) on delete cascade
) with (fillfactor = 70);
create index webhook_deliveries_pending on webhook_deliveries (shop_id, endpoint_id, due_at)
  where state = 'pending';
create index webhook_deliveries_queued on webhook_deliveries (shop_id, endpoint_id) where state = 'queued';
create index webhook_deliveries_failed on webhook_deliveries (shop_id, endpoint_id, created_at)
  where state = 'failed';
create index webhook_deliveries_by_event on webhook_deliveries (shop_id, event_id);

-- One request to an endpoint: `status` when it answered, else `error`.
create table webhook_attempts (
  shop_id object_id not null,
  endpoint_id object_id not null,
  event_id object_id not null,
  number integer not null,
  status integer,
  duration_ms integer not null,
  answer text not null default '',
  error text,
  created_at timestamptz not null,
  primary key (shop_id, endpoint_id, event_id, number),
  foreign key (shop_id, endpoint_id, event_id)
    references webhook_deliveries (shop_id, endpoint_id, event_id) on delete cascade,
  check ((status is null) = (error is not null))
);
create index webhook_attempts_by_created on webhook_attempts (shop_id, endpoint_id, created_at, event_id, number);
create trigger webhook_attempts_append_only before update on webhook_attempts
  for each row execute function refuse_change();

-- While an endpoint is switched off its deliveries are kept as failed, for it to recover them.
-- A test event goes to one endpoint only, which is named where it is written.
create function fan_out_events() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, created_at)
  select n.shop_id, e.id, n.id, case when e.disabled_at is null then 'pending' else 'failed' end, n.created_at,
    n.created_at
  from changed_new n
  join webhook_endpoints e on e.shop_id = n.shop_id and e.deleted_at is null
    and e.events && array[n.type::text, '*']
  where n.type <> 'webhook.test';
  return null;
end $$;
create trigger shop_events_fanned_out after insert on shop_events
  referencing new table as changed_new for each statement execute function fan_out_events();

-- Below this many đồng the shop is told, once a crossing; null: never.
alter table wallets add column low_below bigint check (low_below > 0);
