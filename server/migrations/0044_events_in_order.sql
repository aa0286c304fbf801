-- Events are listed in the order of commits (G-68, decision 0026), as changes are: by the number of the transaction that wrote
-- them. Those from before have the number of this migration, and among them the order of their ids, which is that of their time.
-- The default is evaluated once for them, so the table is not rewritten; the index is built in about a second a million rows.
alter table shop_events add column xid xid8 not null default pg_current_xact_id();
create index shop_events_by_commit on shop_events (shop_id, xid, id);

-- An endpoint that is being given events from before: since when, up to which transaction, and the last one that it was given.
alter table webhook_endpoints
  add column replay_since timestamptz,
  add column replay_until xid8,
  add column replay_xid xid8,
  add column replay_id text collate "C",
  add constraint webhook_endpoints_replay_check
    check (num_nonnulls(replay_since, replay_until, replay_xid, replay_id) in (0, 4));
create index webhook_endpoints_replaying on webhook_endpoints (shop_id, id) where replay_since is not null;
