-- A draft whose publishing failed for a reason that may pass is due again a little later, so that it does not hold up those behind it
-- (G-50). The index that goes is replaced: a process of the version before reads the few rows without it.
alter table news_drafts add column retry_at timestamptz;
create index news_drafts_due_or_retried on news_drafts (coalesce(retry_at, publish_at)) where publish_at is not null and problem is null;
drop index news_drafts_due;
