-- The events of the inbox are worked on in groups by whichever process comes first, not by a job each.
-- due_at: when an open event is worked on next; null once its own tries are over, when only the polling rounds look
-- at it. tries: how often it was worked on in vain.
alter table platform_events add column due_at timestamptz default now();
alter table platform_events add column tries integer not null default 0;
drop index platform_events_open;
create index platform_events_due on platform_events (due_at) where processed_at is null;
