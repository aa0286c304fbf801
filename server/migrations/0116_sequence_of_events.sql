-- Of two events of one record, the one that was written later tells of the later change: it is written while its transaction holds the
-- record's lock. created_at, xid and id are from before the wait for that lock (decision 0062). Null for events of earlier versions.
alter table shop_events add column written_at timestamptz;
alter table shop_events alter column written_at set default clock_timestamp();
