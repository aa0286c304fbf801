-- What becomes of a shop's message whose outcome stays unknown; null: as the service's setting says.
alter table shops add column unknown_policy text collate "C" check (unknown_policy in ('release', 'resend-once'));

-- The platform refuses because its own money is used up: the official account's owner has to pay it.
alter table message_batches drop constraint message_batches_waiting_reason_check;
alter table message_batches add constraint message_batches_waiting_reason_check check (waiting_reason in
  ('NIGHT_WINDOW', 'DAILY_QUOTA', 'MONTHLY_QUOTA', 'RATE_LIMIT', 'PLATFORM_UNAVAILABLE', 'RETRY', 'PLATFORM_MONEY'));
