-- Many messages in one call (G-27): the plan is frozen when it is accepted, each message is a row of its own
-- that waits in QUEUED, and the batch says when its next messages may go.

create table message_batches (
  shop_id object_id not null references shops (id),
  id object_id not null,
  name text not null default '',
  template_id object_id not null,
  oa_id text collate "C" not null,
  channels text[] not null,
  -- 0: one-time passwords, which go before everything else.
  priority smallint not null,
  accepted integer not null check (accepted >= 0),
  refused_count integer not null check (refused_count >= 0),
  -- [{index, message, code?, keys?}]
  refused jsonb not null,
  scheduled_at timestamptz,
  -- Whether a message may be in QUEUED. Nothing else is looked through for work.
  is_open boolean not null,
  -- No message goes before. Moved on where the platform says so, with the reason.
  due_at timestamptz not null,
  waiting_reason text check (waiting_reason in
    ('NIGHT_WINDOW', 'DAILY_QUOTA', 'MONTHLY_QUOTA', 'RATE_LIMIT', 'PLATFORM_UNAVAILABLE', 'RETRY')),
  -- Counts what reopens the batch, so that whoever closes it has seen the last of it.
  revision integer not null default 0,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, template_id) references templates (shop_id, id)
) with (fillfactor = 70);
create index message_batches_by_created on message_batches (shop_id, created_at, id);
create index message_batches_due on message_batches (due_at) where is_open;

-- QUEUED: accepted with its fee held, not handed to the platform yet; without a lease.
alter table messages drop constraint messages_state_check;
alter table messages add constraint messages_state_check
  check (state in ('QUEUED', 'SENDING', 'UNKNOWN', 'RECEIVED', 'ERROR'));
alter table messages
  add column batch_id object_id,
  -- While QUEUED: not before this moment, and why.
  add column not_before timestamptz,
  add column waiting_reason text,
  -- How often the platform put it off.
  add column put_offs integer not null default 0,
  add foreign key (shop_id, batch_id) references message_batches (shop_id, id),
  add check (state <> 'QUEUED' or batch_id is not null);
create index messages_queued on messages (shop_id, batch_id, id) where state = 'QUEUED';
create index messages_by_batch on messages (shop_id, batch_id, state, error_code) where batch_id is not null;

-- Two further steps of a timeline: back in the queue, and ended before its turn.
alter table message_events drop constraint message_events_kind_check;
alter table message_events add constraint message_events_kind_check
  check (kind in ('accepted', 'sending', 'sent', 'rejected', 'not_sent', 'unknown', 'resent', 'status', 'receipt',
    'released', 'late', 'put_off', 'cancelled'));

-- The platform's allowance of calls, shared by all processes; not a shop's. By the database's clock, which is
-- the one clock they share.
create table platform_pace (
  name text primary key,
  -- Below 0 where single sends have gone ahead of it.
  tokens double precision not null,
  refilled_at timestamptz not null,
  -- What the last statement was given.
  taken integer not null default 0
) with (fillfactor = 20);
insert into platform_pace (name, tokens, refilled_at) values ('send', 0, now());

-- Which process renews the account's tokens now: a refresh token works once.
alter table official_accounts add column token_refresh_until timestamptz;
